import type { DataSource } from 'typeorm';
import { IDENTITY } from './read-replica.js';

const ASKED = `SELECT ${IDENTITY} AS identity, pg_is_in_recovery() AS follows`;

interface Server {
  readonly identity: string;
  readonly follows: boolean;
}

/** Throws if `replica` is no copy of the primary: nothing would be read from it. Returns whether it follows the primary now. */
export async function requireReplica(primary: DataSource, replica: DataSource): Promise<boolean> {
  const [[one], [other]] = await Promise.all([primary.query<[Server]>(ASKED), replica.query<[Server]>(ASKED)]);
  if (one.identity !== other.identity)
    throw new Error('DATABASE_READ_URL leads to another database or schema than DATABASE_URL, so it is not used.');
  return other.follows;
}
