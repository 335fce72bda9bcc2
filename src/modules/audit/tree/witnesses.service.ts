import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LookUps } from '../../../api/outbound/look-ups.js';
import { addressIn, type NoAnswerReason, reasonOfNoAnswer, StrangerClient, textWithin } from '../../../api/outbound/stranger-client.js';
import { type Actor, changeContext } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { type Cosignature, cosignatureIn, cosigningRequest, witnessOf } from '../../../../tools/transparency-log/index.js';
import type { AuditCheckpoint } from './checkpoint.entity.js';
import { Checkpoints } from './checkpoints.service.js';
import type { AuditWitness } from './witness.entity.js';
import { WitnessesRepository } from './witnesses.repository.js';

export const WITNESSES_MAX = 5;
const AT_ONCE = 16;
const ANSWER_MAX_BYTES = 4096;

/** Talks the protocol of C2SP tlog-witness: a witness signs a checkpoint that continues the one that it has signed before. */
@Injectable()
export class WitnessClient implements OnApplicationShutdown {
  private readonly client: StrangerClient;

  constructor(
    private readonly settings: Settings,
    lookUps: LookUps,
  ) {
    const allowed = settings.webhookAllowedNetworks;
    this.client = new StrangerClient({ what: 'Witnesses', owner: 'witnesses', lookUps, allowed });
  }

  onApplicationShutdown(): Promise<void> {
    return this.client.close();
  }

  requireUrl(url: string): void {
    if (addressIn(url, this.settings.webhookAllowedNetworks, this.settings.outboundHosts)?.search !== '')
      throw refused('url', 'must be the https:// address of the witness, without credentials, query or fragment');
  }

  /** The answer, or why there was none. */
  async ask(url: string, body: string): Promise<{ status: number; text: string } | NoAnswerReason> {
    const options = { method: 'POST' as const, body, headers: { 'content-type': 'text/plain; charset=utf-8' } };
    const asked = this.client.request(`${url.replace(/\/$/, '')}/add-checkpoint`, options, async ({ statusCode, body: answer }) => ({
      status: statusCode,
      text: await textWithin(ANSWER_MAX_BYTES, answer),
    }));
    return asked.catch(reasonOfNoAnswer);
  }
}

/** Others who sign the checkpoints of a log. One who is away delays nobody: they are asked again a minute later. */
@Injectable()
export class Witnesses {
  constructor(
    private readonly witnesses: WitnessesRepository,
    private readonly checkpoints: Checkpoints,
    private readonly client: WitnessClient,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  ofOrganization(organizationId: string): Promise<AuditWitness[]> {
    return this.witnesses.ofOrganization(organizationId);
  }

  async add(actor: Actor, organizationId: string, verifierKey: string, url: string): Promise<void> {
    if (!witnessOf(verifierKey)) throw refused('witness', NO_KEY);
    this.client.requireUrl(url);
    await this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const known = await this.witnesses.lock(organizationId, ctx.unit);
      if (known.some((witness) => witness.verifierKey === verifierKey)) throw refused('witness', 'is a witness of this log already');
      if (known.length >= WITNESSES_MAX) throw refused('witness', `must be one of at most ${WITNESSES_MAX}: remove one first`);
      const nothingYet = { size: 0, line: null, cosignedAt: null, failure: null };
      await this.witnesses.insert({ organizationId, verifierKey, url, ...nothingYet, createdAt: this.clock.timestamp() }, ctx.unit);
      const changes = { witness: { from: null, to: verifierKey }, url: { from: null, to: url } };
      this.audit.record(ctx, { action: 'organization.witness_added', resourceId: organizationId, changes });
    });
  }

  remove(actor: Actor, organizationId: string, verifierKey: string): Promise<void> {
    return this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      if (!(await this.witnesses.remove(organizationId, verifierKey, ctx.unit))) throw Problem.notFound('witness with this key');
      const changes = { witness: { from: verifierKey, to: null } };
      this.audit.record(ctx, { action: 'organization.witness_removed', resourceId: organizationId, changes });
    });
  }

  @Job({ id: 'audit.witness', summary: 'Asks the witnesses of audit logs to sign the newest checkpoints.', everyMs: 60_000 })
  async askAll(): Promise<void> {
    const failures: unknown[] = [];
    let after: AuditWitness | undefined;
    do {
      const behind = await this.witnesses.behind(AT_ONCE, after);
      // A log that was damaged must not be in the way of the others.
      await Promise.all(behind.map((witness) => this.ask(witness).catch((error: unknown) => failures.push(error))));
      after = behind.at(-1);
    } while (after !== undefined);
    if (failures.length > 0) throw failures[0];
  }

  private async ask(witness: AuditWitness): Promise<void> {
    const checkpoint = (await this.checkpoints.newest(witness.organizationId))!;
    const given = await this.cosigned(witness, checkpoint);
    if (typeof given === 'string') return this.witnesses.failed(witness, given);
    await this.witnesses.cosigned(witness, checkpoint.size, given.line, given.at.toISOString());
  }

  /** What they have signed, or why they have not. Who has seen more than we know of says so, and is asked again with that. */
  private async cosigned({ verifierKey, url, size }: AuditWitness, checkpoint: AuditCheckpoint): Promise<Cosignature | string> {
    let answer = await this.client.ask(url, await this.requestFrom(size, checkpoint));
    const seen = typeof answer === 'string' ? '' : answer.text.trim();
    if (typeof answer !== 'string' && answer.status === 409 && /^\d{1,15}$/.test(seen) && Number(seen) <= checkpoint.size)
      answer = await this.client.ask(url, await this.requestFrom(Number(seen), checkpoint));
    if (typeof answer === 'string') return answer;
    if (answer.status !== 200) return `status ${answer.status}`;
    return cosignatureIn(answer.text, checkpoint.note, witnessOf(verifierKey)!) ?? 'not_signed';
  }

  private async requestFrom(old: number, checkpoint: AuditCheckpoint): Promise<string> {
    const proof = old === 0 || old === checkpoint.size ? [] : await this.checkpoints.consistency(checkpoint, old);
    return cosigningRequest(old, proof, checkpoint.note);
  }
}

const NO_KEY = 'must be the key of a witness as signed-note writes it: name+id+key, Ed25519 for cosignatures';
const refused = (field: string, message: string): Problem => Problem.invalidField(field, 'not_allowed', message);
