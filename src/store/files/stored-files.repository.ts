import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../kernel/context.js';
import { DatabaseClock } from '../database/database-clock.js';
import { Database, prepared } from '../database/database.js';
import type { Unit, WriteContext } from '../database/unit-of-work.js';
import { Implements } from '../discovery/ports.js';
import { COUNTED_ROWS, type Waiting, WaitingWork } from '../metrics/gauges.js';
import type { StoredFile } from './stored-file.entity.js';

/** Which file it is: of one kind, an owner has one of each name. */
export type FileOf = Pick<StoredFile, 'kind' | 'ownerId' | 'name'>;
/** Where a file is in its store. */
export type FilePlace = Tenant & Pick<StoredFile, 'kind' | 'id'>;
export type KeptFile = FilePlace & FileOf & Pick<StoredFile, 'dataKey'>;

const AT_ONCE = 20;
/** The delay after the first attempt to remove a file; it doubles with each further one, up to an hour. */
const FIRST_DELAY = '1 minute';
const LONGEST_DELAY = '1 hour';

const PLACE = 'organization_id AS "organizationId", environment, kind, id';
const KEPT = `${PLACE}, owner_id AS "ownerId", name, data_key AS "dataKey"`;
const OF_OWNER = 'organization_id = $1 AND environment = $2 AND kind = $3 AND owner_id = $4';
const COMING = prepared({
  name: 'stored_files.coming',
  text: `INSERT INTO stored_files (organization_id, environment, kind, owner_id, name, id, data_key, bytes, status, attempts, created_at,
      next_attempt_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'coming', 0, $9, $10)`,
});
const CLAIM = prepared({
  name: 'stored_files.claim',
  text: `UPDATE stored_files SET status = 'kept', next_attempt_at = NULL
    WHERE organization_id = $1 AND id = $2 AND status = 'coming' RETURNING id`,
});
const RELEASE = prepared({
  name: 'stored_files.release',
  text: `UPDATE stored_files SET next_attempt_at = $3 WHERE organization_id = $1 AND id = ANY($2::uuid[]) AND status = 'coming'`,
});
const FIND = prepared({
  name: 'stored_files.find',
  text: `SELECT ${KEPT} FROM stored_files WHERE ${OF_OWNER} AND name = $5 AND status = 'kept'`,
});
const HAS = prepared({
  name: 'stored_files.has',
  text: `SELECT EXISTS (SELECT 1 FROM stored_files WHERE ${OF_OWNER} AND status = ANY($5::text[])) AS found`,
});
const RETIRE = prepared({
  name: 'stored_files.retire',
  text: `UPDATE stored_files SET status = 'going', next_attempt_at = $5 WHERE ${OF_OWNER} AND status = 'kept' RETURNING id`,
});
const DUE = prepared({
  name: 'stored_files.due',
  text: `SELECT ${PLACE} FROM stored_files WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT ${AT_ONCE}`,
});
/** Finds nothing if another worker has taken it, or a transaction has claimed it. From now on none can. */
const TAKE = prepared({
  name: 'stored_files.take',
  text: `UPDATE stored_files SET status = 'going', attempts = attempts + 1, next_attempt_at = ($1::timestamptz AT TIME ZONE 'UTC'
      + least(interval '${LONGEST_DELAY}', interval '${FIRST_DELAY}' * power(2, least(attempts, 10)))) AT TIME ZONE 'UTC'
    WHERE id = $2 AND organization_id = $3 AND next_attempt_at <= $1 RETURNING id`,
});
const REMOVED = prepared({
  name: 'stored_files.removed',
  text: `DELETE FROM stored_files WHERE organization_id = $1 AND id = $2 AND status = 'going'`,
});
const RETIRE_ALL = prepared({
  name: 'stored_files.retire_all',
  text: `UPDATE stored_files SET status = 'going', next_attempt_at = $2
    WHERE organization_id = $1 AND (status = 'kept' OR status = 'coming' AND created_at < $3)`,
});
const NEXT_OF_ORGANIZATION = prepared({
  name: 'stored_files.next_of_organization',
  text: `SELECT ${PLACE} FROM stored_files WHERE organization_id = $1 AND status = 'going' ORDER BY id LIMIT ${AT_ONCE}`,
});
const ANY_OF_ORGANIZATION = prepared({
  name: 'stored_files.any_of_organization',
  text: 'SELECT EXISTS (SELECT 1 FROM stored_files WHERE organization_id = $1) AS found',
});
const COUNT_KEPT = prepared({
  name: 'stored_files.count_kept',
  text: `SELECT count(*)::int AS count FROM stored_files WHERE status = 'kept'`,
});
const NEWEST_KEPT = prepared({
  name: 'stored_files.newest_kept',
  text: `SELECT ${KEPT} FROM stored_files WHERE status = 'kept' ORDER BY created_at DESC LIMIT 1`,
});
const WAITING = prepared({
  name: 'stored_files.waiting',
  text: `SELECT count(*)::int AS length, min(next_attempt_at) AS since
    FROM (SELECT next_attempt_at FROM stored_files WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT ${COUNTED_ROWS}) first`,
});

const paramsOf = ({ organizationId, environment }: Tenant, kind: string, ownerId: string): unknown[] => [
  organizationId,
  environment,
  kind,
  ownerId,
];

/** Which files are in a foreign store. What waits are those that it has still to remove. */
@Implements(WaitingWork)
@Injectable()
export class StoredFilesRepository implements WaitingWork {
  readonly table = 'stored_files';

  constructor(
    private readonly database: Database,
    private readonly clock: DatabaseClock,
  ) {}

  /** In a transaction of its own, so that a file that nobody claims is found. */
  async coming(file: KeptFile, bytes: number, until: string): Promise<void> {
    const { name, id, dataKey } = file;
    const values = [...paramsOf(file, file.kind, file.ownerId), name, id, dataKey, bytes, this.clock.timestamp(), until];
    await this.database.rows(COMING, values);
  }

  /** Whether the file is still there to be claimed. */
  async claim({ organizationId, unit }: WriteContext, id: string): Promise<boolean> {
    return (await this.database.rows(CLAIM, [organizationId, id], unit)).length > 0;
  }

  async release({ organizationId }: Tenant, ids: readonly string[]): Promise<void> {
    await this.database.rows(RELEASE, [organizationId, ids, this.clock.timestamp()]);
  }

  async find(tenant: Tenant, { kind, ownerId, name }: FileOf): Promise<KeptFile | undefined> {
    return (await this.database.rows<KeptFile>(FIND, [...paramsOf(tenant, kind, ownerId), name]))[0];
  }

  /** Whether an owner has files: kept ones, or also those that are being removed. */
  async has(tenant: Tenant, kind: string, ownerId: string, { unit, going }: { unit?: Unit; going: boolean }): Promise<boolean> {
    const statuses = going ? ['kept', 'going'] : ['kept'];
    return (await this.database.rows<{ found: boolean }>(HAS, [...paramsOf(tenant, kind, ownerId), statuses], unit))[0]!.found;
  }

  /** Returns how many there were. */
  async retire(tenant: Tenant & { readonly unit?: Unit }, kind: string, ownerId: string): Promise<number> {
    return (await this.database.rows(RETIRE, [...paramsOf(tenant, kind, ownerId), this.clock.timestamp()], tenant.unit)).length;
  }

  due(): Promise<FilePlace[]> {
    return this.database.rows<FilePlace>(DUE, [this.clock.timestamp()]);
  }

  async take({ id, organizationId }: FilePlace): Promise<boolean> {
    return (await this.database.rows(TAKE, [this.clock.timestamp(), id, organizationId])).length > 0;
  }

  async removed({ id, organizationId }: FilePlace): Promise<void> {
    await this.database.rows(REMOVED, [organizationId, id]);
  }

  /** Those that are being put at this moment come later: a file must not arrive after it was removed. */
  async retireAll(organizationId: string, putBefore: string): Promise<void> {
    await this.database.rows(RETIRE_ALL, [organizationId, this.clock.timestamp(), putBefore]);
  }

  nextOf(organizationId: string): Promise<FilePlace[]> {
    return this.database.rows<FilePlace>(NEXT_OF_ORGANIZATION, [organizationId]);
  }

  async hasAny(organizationId: string): Promise<boolean> {
    return (await this.database.rows<{ found: boolean }>(ANY_OF_ORGANIZATION, [organizationId]))[0]!.found;
  }

  /** Of all organizations, for operators. */
  async countKept(): Promise<number> {
    return (await this.database.rows<{ count: number }>(COUNT_KEPT, []))[0]!.count;
  }

  async newestKept(): Promise<KeptFile | undefined> {
    return (await this.database.rows<KeptFile>(NEWEST_KEPT, []))[0];
  }

  async waiting(): Promise<Waiting> {
    return (await this.database.rows<Waiting>(WAITING, [this.clock.timestamp()]))[0]!;
  }
}
