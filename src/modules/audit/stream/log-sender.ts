import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LookUps } from '../../../api/outbound/look-ups.js';
import { StrangerClient } from '../../../api/outbound/stranger-client.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { objectRequest } from '../../../../tools/s3-objects/index.js';
import type { AuditEventDto } from '../audit.dto.js';
import { ProofsService } from '../tree/proofs.service.js';
import { boundTo, type HeldDestination } from './destinations.repository.js';

/** An event as it leaves. */
export type LogLine = Pick<AuditEventDto, 'sequence' | 'createdAt' | 'id'> & { readonly json: string };

type ReadyBatch = ReturnType<typeof batchOf> | ReturnType<typeof objectRequest>;

const compress = promisify(gzip);
const DIGITS = 12;
const numbered = (line: LogLine): string => `${line.sequence}`.padStart(DIGITS, '0');

/** Sends batches to addresses of strangers. */
@Injectable()
export class LogSender implements OnApplicationShutdown {
  private readonly client: StrangerClient;

  constructor(
    lookUps: LookUps,
    { webhookAllowedNetworks: allowed }: Settings,
    private readonly secrets: Secrets,
    private readonly proofs: ProofsService,
  ) {
    this.client = new StrangerClient({ what: 'Destinations of audit logs', owner: 'audit destinations', lookUps, allowed });
  }

  onApplicationShutdown(): Promise<void> {
    return this.client.close();
  }

  /** What fails here is a fault of ours, and not of the destination. */
  async prepare(to: HeldDestination, lines: readonly LogLine[]): Promise<ReadyBatch> {
    const secret = this.secrets.decrypt(to.secret, boundTo(to.id));
    return to.kind === 's3' ? this.makeObject(to, secret, lines) : batchOf(to, secret, lines);
  }

  /** The status of the answer. */
  send({ url, ...request }: ReadyBatch): Promise<number> {
    return this.client.request(url, request, ({ statusCode }) => Promise.resolve(statusCode));
  }

  /** Its first line is a checkpoint that covers it. Sent again, it replaces itself. */
  private async makeObject(to: HeldDestination, secretAccessKey: string, lines: readonly LogLine[]) {
    const checkpoint = JSON.stringify({ checkpoint: await this.proofs.current(to.organizationId) });
    const body = await compress([checkpoint, ...lines.map(({ json }) => json), ''].join('\n'));
    const key = `${to.organizationId}/${numbered(lines[0]!)}-${numbered(lines.at(-1)!)}.jsonl.gz`;
    const signing = { region: to.region!, accessKeyId: to.name, secretAccessKey, at: new Date() };
    return objectRequest(`${to.url.replace(/\/$/, '')}/${key}`, body, signing);
  }
}

/** A JSON array with each event on a line of its own, so that collectors of lines can read it, too. */
function batchOf({ url, name }: HeldDestination, token: string, lines: readonly LogLine[]) {
  const headers = { 'content-type': 'application/json', [name]: token };
  return { url, method: 'POST' as const, headers, body: `[\n${lines.map(({ json }) => json).join(',\n')}\n]\n` };
}
