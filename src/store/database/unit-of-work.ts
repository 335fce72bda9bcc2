import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { ChangeContext } from '../../kernel/context.js';
import type { InTransaction, Unit } from './transaction.js';
import { Problem } from '../../kernel/problems.js';
import { Database, isLockTimeout, readError } from './database.js';
import { sendTogether } from './borrowed.js';
import { lastStatement } from './last-writes.js';

/**
 * The transaction of a change. Events, audit rows and the remembered answer are collected while the work runs and written
 * by one statement at its end, which travels together with the COMMIT.
 */
@Injectable()
export class UnitOfWork {
  constructor(private readonly database: Database) {}

  run<C extends ChangeContext, T>(ctx: C, work: (ctx: InTransaction<C>) => Promise<T>): Promise<T> {
    return this.transact((unit) => work({ ...ctx, unit }));
  }

  /** A transaction without a context: for the service's own housekeeping. */
  async transact<T>(work: (unit: Unit) => Promise<T>): Promise<T> {
    const unit: Unit = { client: await this.database.connect(), lastWrites: [], afterCommit: [] };
    try {
      sendTogether(unit.client);
      // Not awaited: it leaves together with the first statement of the work, and fails with it.
      unit.client.query('BEGIN').catch(() => undefined);
      const result = await work(unit);
      await this.commit(unit);
      unit.client.release();
      return result;
    } catch (error) {
      await rollBack(unit.client);
      throw isLockTimeout(error) ? lockedByAnother(error) : error;
    }
  }

  private async commit(unit: Unit): Promise<void> {
    const flush = lastStatement(unit.lastWrites);
    sendTogether(unit.client);
    const flushed = flush ? unit.client.query<object>(flush) : Promise.resolve({ rows: [] });
    const committed = unit.client.query('COMMIT');
    // Both are sent. If the first fails, the server answers the COMMIT with a rollback.
    const [first, second] = await Promise.allSettled([flushed, committed]);
    if (first.status === 'rejected') throw readError(first.reason);
    if (second.status === 'rejected') throw readError(second.reason);
    // A transaction in which a statement failed can only be rolled back, and the server says so without an error.
    if (second.value.command === 'ROLLBACK') throw new Error('A statement of the transaction failed, but the work continued.');
    for (const { onReturned } of unit.lastWrites) onReturned?.(first.value.rows);
    for (const next of unit.afterCommit) next();
  }
}

/** A connection whose rollback fails is closed; the server then rolls back by itself. */
async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch (error) {
    client.release(error as Error);
  }
}

/** Another change of the record takes too long for this one to wait. The caller may repeat it later. */
function lockedByAnother(cause: unknown): Problem {
  return new Problem('unavailable', {
    detail: 'Another change of the same record is still running.',
    headers: { 'Retry-After': '1' },
    cause,
  });
}
