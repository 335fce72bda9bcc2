import { Injectable, type BeforeApplicationShutdown, Inject } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { Log } from '../../kernel/log.js';
import type { RefusedCredential } from './credential-resolver.js';

/** A program that goes on with a credential that is over would fill the log with one and the same line, and a thief with many. */
const WINDOW_MS = 60_000;
const TOLD_AT_MOST = 20;
const REMEMBERED_AT_MOST = 10_000;

interface Told {
  readonly until: number;
  /** Reasons and addresses that the log has already. */
  readonly what: Set<string>;
}

export type Refusal = 'revoked' | 'expired' | 'address';

/**
 * Tells an organization, by its audit log, that one of its credentials was refused: each reason and address once
 * a minute, and a few a minute of each credential. It is not waited for: the caller would learn by the time it takes that the credential was once a real one.
 */
@Injectable()
export class Refusals implements BeforeApplicationShutdown {
  private readonly told = new Map<string, Told>();
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    @Inject(Log) private readonly log: Log,
  ) {}

  note({ ip, id: requestId }: Pick<FastifyRequest, 'ip' | 'id'>, credential: RefusedCredential, reason: Refusal): void {
    const what = `${reason} ${ip}`;
    const told = this.toldOf(credential.id);
    if (told.has(what) || told.size >= TOLD_AT_MOST) return;
    told.add(what);
    const recorded = this.record(credential, reason, ip, requestId).catch((error: unknown) => {
      told.delete(what);
      this.log.warn({ err: error }, 'A refused credential could not be recorded');
    });
    this.pending.add(recorded);
    void recorded.finally(() => this.pending.delete(recorded));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }

  private toldOf(id: string): Set<string> {
    const now = performance.now();
    const known = this.told.get(id);
    if (known && now < known.until) return known.what;
    if (this.told.size >= REMEMBERED_AT_MOST) this.told.clear();
    const what = new Set<string>();
    this.told.set(id, { until: now + WINDOW_MS, what });
    return what;
  }

  private record(
    { type, id, name, organizationId, environment }: RefusedCredential,
    reason: Refusal,
    ipAddress: string,
    requestId: string,
  ): Promise<void> {
    const ctx = { organizationId, environment, actor: { type: 'api' as const, id, name }, ipAddress, requestId, emits: [] };
    return this.unitOfWork.run(ctx, (inner) => {
      this.audit.record(inner, { action: `${type}.refused`, resourceId: id, changes: { reason: { from: null, to: reason } } });
      return Promise.resolve();
    });
  }
}
