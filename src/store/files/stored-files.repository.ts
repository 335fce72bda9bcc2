import type { Tenant } from '../../kernel/context.js';
import { DatabaseClock } from '../database/database-clock.js';
import { Database } from '../database/database.js';
import type { Unit, WriteContext } from '../database/unit-of-work.js';
import { acrossTenants, ORGANIZATION, organizationSql, TENANT, tenantSql } from '../tenant/tenant-sql.js';
import { Implements } from '../discovery/ports.js';
import { COUNTED_ROWS, type Waiting, WaitingWork } from '../metrics/gauges.js';
import type { StoredFile } from './stored-file.entity.js';

/** Which file it is: of one kind, an owner has one of each name. */
export type FileOf = Pick<StoredFile, 'kind' | 'ownerId' | 'name'>;
export type FilePlace = Tenant & Pick<StoredFile, 'kind' | 'id'>;
export type KeptFile = FilePlace & FileOf & Pick<StoredFile, 'dataKey'>;

const AT_ONCE = 20;
/** The delay after the first attempt to remove a file; it doubles with each further one, up to an hour. */
const FIRST_DELAY = '1 minute';
const LONGEST_DELAY = '1 hour';
const PLACE = 'organization_id AS "organizationId", environment, kind, id';
const KEPT = `${PLACE}, owner_id AS "ownerId", name, data_key AS "dataKey"`;
const OF_OWNER = `${TENANT} AND kind = :kind AND owner_id = :ownerId` as const;
const OF_RECORD = 'Of a record that was read before.';
const COMING = tenantSql(
  'stored_files.coming',
  `INSERT INTO stored_files (organization_id, environment, kind, owner_id, name, id, data_key, bytes, status, attempts, created_at,
      next_attempt_at) VALUES (:organizationId, :environment, :kind, :ownerId, :name, :id, :dataKey, :bytes, 'coming', 0, :now, :until)`,
  OF_RECORD,
);
const CLAIM = organizationSql(
  'stored_files.claim',
  `UPDATE stored_files SET status = 'kept', next_attempt_at = NULL
    WHERE ${ORGANIZATION} AND id = :id AND status = 'coming' RETURNING id`,
);
const RELEASE = organizationSql(
  'stored_files.release',
  `UPDATE stored_files SET next_attempt_at = :now WHERE ${ORGANIZATION} AND id = ANY(:ids::uuid[]) AND status = 'coming'`,
);
const FIND = tenantSql(
  'stored_files.find',
  `SELECT ${KEPT} FROM stored_files WHERE ${OF_OWNER} AND name = :name AND status = 'kept'`,
  OF_RECORD,
);
const HAS = tenantSql(
  'stored_files.has',
  `SELECT EXISTS (SELECT 1 FROM stored_files WHERE ${OF_OWNER} AND status = ANY(:statuses::text[])) AS found`,
  OF_RECORD,
);
const GOES = `UPDATE stored_files SET status = 'going', next_attempt_at = :now WHERE`;
const RETIRE = tenantSql('stored_files.retire', `${GOES} ${OF_OWNER} AND status = 'kept' RETURNING id`, OF_RECORD);
const RETIRE_ONE = tenantSql('stored_files.retire_one', `${GOES} ${OF_OWNER} AND name = :name AND status = 'kept' RETURNING id`, OF_RECORD);
const RETIRE_ENVIRONMENT = tenantSql('stored_files.retire_environment', `${GOES} ${TENANT} AND status = 'kept' RETURNING id`);
const DUE = acrossTenants(
  'stored_files.due',
  'A worker finds the files of all tenants that are to be removed.',
  `SELECT ${PLACE} FROM stored_files WHERE next_attempt_at <= :now ORDER BY next_attempt_at LIMIT ${AT_ONCE}`,
);
/** Finds nothing if another worker has taken it, or a transaction has claimed it. From now on none can. */
const TAKE = organizationSql(
  'stored_files.take',
  `UPDATE stored_files SET status = 'going', attempts = attempts + 1, next_attempt_at = (:now::timestamptz AT TIME ZONE 'UTC'
      + least(interval '${LONGEST_DELAY}', interval '${FIRST_DELAY}' * power(2, least(attempts, 10)))) AT TIME ZONE 'UTC'
    WHERE id = :id AND ${ORGANIZATION} AND next_attempt_at <= :now RETURNING id`,
);
const REMOVED = organizationSql('stored_files.removed', `DELETE FROM stored_files WHERE ${ORGANIZATION} AND id = :id AND status = 'going'`);
const RETIRE_ALL = organizationSql(
  'stored_files.retire_all',
  `${GOES} ${ORGANIZATION} AND (status = 'kept' OR status = 'coming' AND created_at < :putBefore)`,
);
const NEXT_OF_ORGANIZATION = organizationSql(
  'stored_files.next_of_organization',
  `SELECT ${PLACE} FROM stored_files WHERE ${ORGANIZATION} AND status = 'going' ORDER BY id LIMIT ${AT_ONCE}`,
);
const ANY_OF_ORGANIZATION = organizationSql(
  'stored_files.any_of_organization',
  `SELECT EXISTS (SELECT 1 FROM stored_files WHERE ${ORGANIZATION}) AS found`,
);
const COUNT_KEPT = acrossTenants(
  'stored_files.count_kept',
  'An operator is told whether files can be read.',
  `SELECT count(*)::int AS count FROM stored_files WHERE status = 'kept'`,
);
const NEWEST_KEPT = acrossTenants(
  'stored_files.newest_kept',
  'An operator is told whether files can be read.',
  `SELECT ${KEPT} FROM stored_files WHERE status = 'kept' ORDER BY created_at DESC LIMIT 1`,
);
const WAITING = acrossTenants(
  'stored_files.waiting',
  'A worker counts the files of all tenants that are to be removed.',
  `SELECT count(*)::int AS length, min(next_attempt_at) AS since
    FROM (SELECT next_attempt_at FROM stored_files WHERE next_attempt_at <= :now ORDER BY next_attempt_at LIMIT ${COUNTED_ROWS}) first`,
);

/** Which files are in a foreign store. What waits are those that it has still to remove. */
@Implements(WaitingWork)
export class StoredFilesRepository implements WaitingWork {
  readonly table = 'stored_files';

  constructor(
    private readonly database: Database,
    private readonly clock: DatabaseClock,
  ) {}

  /** In a transaction of its own, so that a file that nobody claims is found. */
  async coming(file: KeptFile, bytes: number, until: string): Promise<void> {
    const { kind, ownerId, name, id, dataKey } = file;
    const values = { kind, ownerId, name, id, dataKey, bytes, now: this.clock.timestamp(), until };
    await this.database.rows(...COMING.bind(file, values));
  }

  async claim(ctx: WriteContext, id: string): Promise<boolean> {
    return (await this.database.rows(...CLAIM.bind(ctx, { id }), ctx.unit)).length > 0;
  }

  async release(tenant: Tenant, ids: readonly string[]): Promise<void> {
    await this.database.rows(...RELEASE.bind(tenant, { ids, now: this.clock.timestamp() }));
  }

  async find(tenant: Tenant, { kind, ownerId, name }: FileOf): Promise<KeptFile | undefined> {
    return (await this.database.rows<KeptFile>(...FIND.bind(tenant, { kind, ownerId, name })))[0];
  }

  /** Whether an owner has files: kept ones, or also those that are being removed. */
  async has(tenant: Tenant, kind: string, ownerId: string, { unit, going }: { unit?: Unit; going: boolean }): Promise<boolean> {
    const statuses = going ? ['kept', 'going'] : ['kept'];
    return (await this.database.rows<{ found: boolean }>(...HAS.bind(tenant, { kind, ownerId, statuses }), unit))[0]!.found;
  }

  async retire(tenant: Tenant & { readonly unit?: Unit }, kind: string, ownerId: string): Promise<number> {
    return (await this.database.rows(...RETIRE.bind(tenant, { kind, ownerId, now: this.clock.timestamp() }), tenant.unit)).length;
  }

  async retireOne(ctx: WriteContext, { kind, ownerId, name }: FileOf): Promise<number> {
    return (await this.database.rows(...RETIRE_ONE.bind(ctx, { kind, ownerId, name, now: this.clock.timestamp() }), ctx.unit)).length;
  }

  async retireEnvironment(ctx: WriteContext): Promise<number> {
    return (await this.database.rows(...RETIRE_ENVIRONMENT.bind(ctx, { now: this.clock.timestamp() }), ctx.unit)).length;
  }

  due(): Promise<FilePlace[]> {
    return this.database.rows<FilePlace>(...DUE.bind({ now: this.clock.timestamp() }));
  }

  async take({ id, organizationId }: FilePlace): Promise<boolean> {
    return (await this.database.rows(...TAKE.bind({ organizationId }, { now: this.clock.timestamp(), id }))).length > 0;
  }

  async removed({ id, organizationId }: FilePlace): Promise<void> {
    await this.database.rows(...REMOVED.bind({ organizationId }, { id }));
  }

  /** Those that are being put at this moment come later: a file must not arrive after it was removed. */
  async retireAll(organizationId: string, putBefore: string): Promise<void> {
    await this.database.rows(...RETIRE_ALL.bind({ organizationId }, { now: this.clock.timestamp(), putBefore }));
  }

  findNext(organizationId: string): Promise<FilePlace[]> {
    return this.database.rows<FilePlace>(...NEXT_OF_ORGANIZATION.bind({ organizationId }));
  }

  async hasAny(organizationId: string): Promise<boolean> {
    return (await this.database.rows<{ found: boolean }>(...ANY_OF_ORGANIZATION.bind({ organizationId })))[0]!.found;
  }

  /** Of all organizations, for operators. */
  async countKept(): Promise<number> {
    return (await this.database.rows<{ count: number }>(...COUNT_KEPT.bind()))[0]!.count;
  }

  async newestKept(): Promise<KeptFile | undefined> {
    return (await this.database.rows<KeptFile>(...NEWEST_KEPT.bind()))[0];
  }

  async waiting(): Promise<Waiting> {
    return (await this.database.rows<Waiting>(...WAITING.bind({ now: this.clock.timestamp() })))[0]!;
  }
}
