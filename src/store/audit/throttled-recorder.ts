import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ChangeContext } from '../../kernel/context.js';
import { Log } from '../../kernel/log.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { AuditRecorder, type NewAuditEntry } from './audit-recorder.js';

const WINDOW_MS = 60_000;
const MAX_BUDGETS = 10_000;

/** An audit entry that somebody outside can cause as often as they like. */
export interface ThrottledEntry {
  readonly ctx: ChangeContext;
  readonly entry: NewAuditEntry;
  /** Whose budget it counts against, such as a credential or an organization. */
  readonly budget: string;
  /** How many entries of the budget are written in a minute. */
  readonly maxPerMinute: number;
  /** Entries of a budget with the same key are written once a minute. */
  readonly key: string;
}

/**
 * Writes audit entries about refused callers. Repeats are left out, so that nobody can fill the log of an organization.
 * Callers do not wait for the write: the time it takes would tell them that the credential or the user exists.
 */
@Injectable()
export class ThrottledRecorder implements BeforeApplicationShutdown {
  /** The keys written in the current minute, by budget. */
  private readonly written = new LRUCache<string, Set<string>>({ max: MAX_BUDGETS, ttl: WINDOW_MS, ttlResolution: 0 });
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    @Inject(Log) private readonly log: Log,
  ) {}

  record({ ctx, entry, budget, maxPerMinute, key }: ThrottledEntry): void {
    const written = this.writtenOf(budget);
    if (written.has(key) || written.size >= maxPerMinute) return;
    written.add(key);
    const write = this.write(ctx, entry).catch((error: unknown) => {
      written.delete(key);
      this.log.warn({ err: error, action: entry.action }, 'audit entry lost');
    });
    this.pending.add(write);
    void write.finally(() => this.pending.delete(write));
  }

  /** Resolves when all entries so far are written. */
  async settled(): Promise<void> {
    await Promise.all(this.pending);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.settled();
  }

  private writtenOf(budget: string): Set<string> {
    const known = this.written.get(budget);
    if (known) return known;
    const keys = new Set<string>();
    this.written.set(budget, keys);
    return keys;
  }

  private write(ctx: ChangeContext, entry: NewAuditEntry): Promise<void> {
    return this.unitOfWork.run(ctx, (inner) => {
      this.audit.record(inner, entry);
      return Promise.resolve();
    });
  }
}
