import type { DataSource } from 'typeorm';
import { IDENTITY } from './read-replica.js';

const ASKED = `SELECT ${IDENTITY} AS identity, pg_is_in_recovery() AS follows`;

interface Server {
  readonly identity: string;
  readonly follows: boolean;
}

/** Throws unless `replica` is a server that follows the primary. From any other, nothing would be read. */
export async function requireReplica(primary: DataSource, replica: DataSource): Promise<void> {
  const [[one], [other]] = await Promise.all([primary.query<[Server]>(ASKED), replica.query<[Server]>(ASKED)]);
  if (one.identity !== other.identity)
    throw new Error('DATABASE_READ_URL leads to another database or schema than DATABASE_URL, so it is not used.');
  if (!other.follows) throw new Error('DATABASE_READ_URL leads to a server that follows no other one, so it is not used.');
}
