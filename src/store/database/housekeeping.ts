import { type Database, prepared, type Sql } from './database.js';
import type { UnitOfWork } from './unit-of-work.js';

/** How many rows a job deletes at once: a write that needs one of them must not wait for more than a tenth of a second. */
export const ROWS_PER_DELETE = 1000;
const LOCK = prepared({ name: 'housekeeping.queue_up', text: 'SELECT pg_advisory_xact_lock(hashtext($1))' });

/** Two processes that lock rows of many organizations in different orders could deadlock. All but the COMMIT leaves in one packet. */
export async function oneAtATime<Row extends object>(
  { database, unitOfWork }: { readonly database: Database; readonly unitOfWork: UnitOfWork },
  statement: Sql,
  values: readonly unknown[],
): Promise<Row[]> {
  return unitOfWork.transact(async (unit) => {
    const locked = database.rows(LOCK, [statement.name], unit);
    return (await Promise.all([database.rows<Row>(statement, values, unit), locked]))[0];
  });
}
