import { firstIdOf } from '../../kernel/ids.js';
import type { Statement } from '../database/database.js';

/** How long after it happened an event is settled, unless a transaction takes longer. */
export const SETTLED_AFTER_MS = 2000;

/**
 * Events with an earlier id than that of `at` are committed, or never will be. An event gets its id before it is committed. No
 * transaction that is still open can commit an event that is older than it, but for the difference between the clocks of the machines.
 * The statement's own transaction counts too, so the time is always past.
 */
export const SETTLED_EVENTS: Statement = {
  name: 'events.settled',
  text: `SELECT min(xact_start) - interval '${SETTLED_AFTER_MS} ms' AS at FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND backend_type = 'client backend'`,
};

/** The id that all settled events are before. `rows` are those of the statement. */
export function settledBefore([row]: readonly { readonly at: string | null }[]): string {
  if (!row?.at) throw new Error('Postgres does not tell when transactions began: its setting track_activities is off.');
  return firstIdOf(new Date(row.at));
}
