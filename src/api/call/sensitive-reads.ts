import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../kernel/bounded.js';
import { changesBetween, given } from '../../kernel/changes.js';
import type { ChangeContext, Tenant } from '../../kernel/context.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { DatabaseClock } from '../../store/database/database-clock.js';
import { Idempotency } from '../idempotency/idempotency.js';
import type { SensitiveRead } from '../operation/operation.js';

/** Who reads what, and the file that was opened for them. */
interface Reading {
  readonly userId: string;
  readonly reads: SensitiveRead;
  readonly params: Readonly<Record<string, string>>;
  readonly opened: Readable | undefined;
}

const MAX_NOTED = 10_000;
const NOTE = { id: 'sensitive_reads.note', status: 200, returnsSecret: false } as const;

/**
 * Notes in the audit log what people read, before they are given it: once for each person, record and hour, so that the log does not grow
 * with each page that they turn. A read whose entry cannot be written is refused. What programs read for themselves is not noted.
 *
 * That it is once on all replicas is known by an idempotency key: its index is unique, a second replica waits for the first, and a job
 * deletes it. The tables of the log have no index by which an entry could be found, and every change would pay for one.
 */
@Injectable()
export class SensitiveReads {
  /** What this process has noted, or is about to: further reads cost nothing. */
  private readonly noted = new LRUCache<string, Promise<unknown>>(atMost(MAX_NOTED));

  constructor(
    private readonly idempotency: Idempotency,
    private readonly audit: AuditRecorder,
    private readonly clock: DatabaseClock,
  ) {}

  async note(ctx: ChangeContext & Tenant, { userId, reads: { action, of }, params, opened }: Reading): Promise<void> {
    const resourceId = of === undefined ? ctx.organizationId : params[of]!;
    const { format } = params;
    const hour = this.clock.timestamp().slice(0, 'yyyy-mm-ddThh'.length);
    // No client can send a tab in a key.
    const key = ['read', userId, action, resourceId, format, hour].join('\t');
    const inProcess = `${ctx.environment} ${key}`;
    const write = (): Promise<unknown> => {
      // An application that acts for a person is the actor, under its name and theirs.
      const [actor, user] = ctx.actor.id === userId ? [ctx.actor] : [{ ...ctx.actor, person: userId }, userId];
      const changes = changesBetween(null, given({ format, user }));
      return this.idempotency.run({ ...ctx, actor, operation: NOTE }, { key, params: null, body: null, isClaimedFirst: true }, (inner) => {
        this.audit.record(inner, { action, resourceId, changes });
        return Promise.resolve(null);
      });
    };
    const noting = this.noted.get(inProcess) ?? write();
    this.noted.set(inProcess, noting);
    try {
      await noting;
    } catch (error) {
      this.noted.delete(inProcess);
      opened?.destroy();
      throw error;
    }
  }
}
