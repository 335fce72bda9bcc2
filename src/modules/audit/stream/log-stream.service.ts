import { Injectable } from '@nestjs/common';
import { reasonOfNoAnswer } from '../../../api/outbound/stranger-client.js';
import { Problem } from '../../../kernel/problems.js';
import { later } from '../../../kernel/time.js';
import { DatabaseClock } from '../../../store/database/database-clock.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { AuditBrowsing } from '../audit.service.js';
import { DestinationsRepository, type DueDestination, type HeldDestination } from './destinations.repository.js';
import { type LogLine, LogSender } from './log-sender.js';

/** Two workers ask, each as often. */
const EVERY_MS = 10_000;
const BATCH_ROWS = 500;
const BATCH_BYTES = 1 << 20;
const DUE_AT_ONCE = 200;
const LANES = 16;
/** Longer than a batch can take: a call of a stranger ends after five seconds. */
const LEASE_MS = 60_000;
/** An object for every second would cost more than it is worth. */
const PAUSE_MS = { https: 0, s3: 60_000 };
const LONGEST_WAIT_MS = 600_000;

interface Batch {
  readonly lines: readonly LogLine[];
  /** Whether more events may follow at once. */
  readonly isFull: boolean;
}

/** At least once and in order: what a destination has taken is noted after its answer, and the next batch begins behind it. */
@Injectable()
export class LogStream {
  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly browsing: AuditBrowsing,
    private readonly sender: LogSender,
    private readonly clock: DatabaseClock,
  ) {}

  @Job({ id: 'audit.stream', summary: 'Sends audit logs to the destinations that organizations have named.', everyMs: EVERY_MS })
  async sendAll(): Promise<void> {
    const failures: unknown[] = [];
    let taken: number;
    do {
      taken = 0;
      const due = await this.destinations.due(this.clock.timestamp(), DUE_AT_ONCE);
      // One that hangs holds a lane for five seconds, and then waits longer each time.
      const drain = async (): Promise<void> => {
        for (let next = due.shift(); next; next = due.shift()) {
          // What fails for one by a fault of ours delays no other. It is tried again when its lease has ended.
          const failure = await this.sendBatch(next).catch((error: unknown) => void failures.push(error));
          if (failure === null) taken += 1;
        }
      };
      await Promise.all(Array.from({ length: LANES }, drain));
    } while (taken > 0);
    if (failures.length > 0) throw failures[0];
  }

  /** A batch now, however long a destination that failed would still be left alone. Throws if it is not taken. */
  async sendNow(organizationId: string, id: string): Promise<void> {
    const due = await this.destinations.hurry(organizationId, id, this.clock.timestamp());
    const failure = due && (await this.sendBatch(due));
    if (failure) throw Problem.invalidField('url', 'not_allowed', `has not taken the events: ${failure}`);
  }

  /** null: it was taken. undefined: another worker sends, or has sent. Else why it was not taken. */
  private async sendBatch(due: DueDestination): Promise<string | null | undefined> {
    const held = await this.destinations.take(due, this.clock.timestamp(), later(this.clock, LEASE_MS));
    if (!held) return undefined;
    const { lines, isFull } = await this.nextBatch(held);
    const last = lines.at(-1);
    if (last) await this.destinations.begun(held, last.sequence);
    const failure = last ? await this.sendLines(held, lines) : 'no_events';
    const now = this.clock.timestamp();
    // As long as it has been failing, so twice as long each time.
    const failing = held.failingSince === null ? 0 : Date.parse(now) - Date.parse(held.failingSince);
    const wait = Math.min(Math.max(failing, EVERY_MS), LONGEST_WAIT_MS);
    if (failure !== null) await this.destinations.failed(held, failure, now, later(this.clock, wait));
    else await this.destinations.sent(held, last!, now, later(this.clock, isFull ? 0 : PAUSE_MS[held.kind]));
    return failure;
  }

  private async sendLines(held: HeldDestination, lines: readonly LogLine[]): Promise<string | null> {
    const batch = await this.sender.prepare(held, lines);
    const answer = await this.sender.send(batch).catch(reasonOfNoAnswer);
    if (typeof answer === 'string') return answer;
    return answer >= 200 && answer < 300 ? null : `status ${answer}`;
  }

  /** As many as a batch may have, or those of the batch that was begun. */
  private async nextBatch({ organizationId, lastCreatedAt, lastId, batchEnd }: HeldDestination): Promise<Batch> {
    const after = lastCreatedAt !== null && lastId !== null ? { createdAt: lastCreatedAt, id: lastId } : undefined;
    for await (const events of this.browsing.all({ organizationId, environment: 'live' }, {}, { after, limit: BATCH_ROWS })) {
      const lines = events.map((event) => ({ ...event, json: JSON.stringify(event) }));
      let bytes = 0;
      const end = lines.findIndex(({ sequence, json }, at) => {
        bytes += Buffer.byteLength(json);
        return at > 0 && (bytes > BATCH_BYTES || sequence > (batchEnd ?? sequence));
      });
      return end === -1 ? { lines, isFull: lines.length === BATCH_ROWS } : { lines: lines.slice(0, end), isFull: true };
    }
    return { lines: [], isFull: false };
  }
}
