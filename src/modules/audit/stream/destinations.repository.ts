import { Injectable } from '@nestjs/common';
import { Settings } from '../../../kernel/settings/settings.js';
import { Database } from '../../../store/database/database.js';
import { entityColumns, namedInsertSql, namedValuesOf, selectList } from '../../../store/database/sql.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns } from '../../../store/secrets/secrets.js';
import { acrossTenants, type BoundSql, ORGANIZATION, organizationSql } from '../../../store/tenant/tenant-sql.js';
import { entitledSql, keptSql } from '../../organization/index.js';
import { AUDIT_PLAN } from '../audit.dto.js';
import type { AuditPosition } from '../audit.repository.js';
import { AuditDestination } from './destination.entity.js';

const SQL = entityColumns(AuditDestination);
const ONE = `${ORGANIZATION} AND id = :id`;
const HELD = `${ONE} AND leased_until = :leasedUntil`;
const LENGTH = '(SELECT chain.sequence FROM audit_chains chain WHERE chain.organization_id = destination.organization_id)';
const ALL = organizationSql(
  'audit_destinations.all',
  `SELECT ${selectList(SQL)}, coalesce(${LENGTH} - sequence, 0) AS behind FROM audit_destinations destination
    WHERE ${ORGANIZATION} ORDER BY created_at, id`,
);
// Of the organization: a destination that is not there yet cannot be locked.
const LOCK = organizationSql('audit_destinations.lock', `SELECT 1 FROM audit_chains WHERE ${ORGANIZATION} FOR UPDATE`);
const INSERT = organizationSql('audit_destinations.insert', namedInsertSql(SQL));
const DELETE = organizationSql('audit_destinations.delete', `DELETE FROM audit_destinations WHERE ${ONE} RETURNING url`);
const HURRY = organizationSql(
  'audit_destinations.hurry',
  `UPDATE audit_destinations destination SET due_at = :now WHERE ${ONE} AND sequence < ${LENGTH}
    RETURNING organization_id AS "organizationId", id, sequence`,
);
const TAKE = organizationSql(
  'audit_destinations.take',
  // Not if another worker has sent or failed since the row was read.
  `UPDATE audit_destinations SET leased_until = :until WHERE ${ONE} AND sequence = :sequence AND due_at <= :now
    AND (leased_until IS NULL OR leased_until < :now) RETURNING ${selectList(SQL)}, secret`,
);
const BEGUN = organizationSql('audit_destinations.begun', `UPDATE audit_destinations SET batch_end = :end WHERE ${HELD}`);
const SENT = organizationSql(
  'audit_destinations.sent',
  `UPDATE audit_destinations SET sequence = :sequence, last_created_at = :createdAt, last_id = :lastId, batch_end = NULL, sent_at = :now,
    failure = NULL, failing_since = NULL, due_at = :dueAt, leased_until = NULL WHERE ${HELD}`,
);
const FAILED = organizationSql(
  'audit_destinations.failed',
  `UPDATE audit_destinations SET failure = :failure, failing_since = coalesce(failing_since, :now),
    due_at = :dueAt, leased_until = NULL WHERE ${HELD}`,
);

export const boundTo = (id: string): string => `audit destination ${id}`;
type Last = AuditPosition & { readonly sequence: number };
export type DueDestination = Pick<AuditDestination, 'organizationId' | 'id' | 'sequence'>;
export type HeldDestination = AuditDestination & { readonly secret: Buffer };
export type ListedDestination = AuditDestination & { /** Events that it has not taken yet. */ readonly behind: number };

@Injectable()
@Implements(EncryptedColumns)
export class DestinationsRepository implements EncryptedColumns {
  readonly encrypted = [{ table: 'audit_destinations', column: 'secret', key: ['id', 'organization_id'], owner: boundTo }];
  private readonly dueSql;

  constructor(
    private readonly database: Database,
    { plans }: Settings,
  ) {
    this.dueSql = acrossTenants(
      'audit_destinations.due',
      'A worker sends the logs of any organization.',
      `SELECT organization_id AS "organizationId", id, sequence FROM audit_destinations destination
        WHERE due_at <= :now AND (leased_until IS NULL OR leased_until < :now) AND sequence < ${LENGTH}
          AND ${keptSql('destination')} AND ${entitledSql('destination.organization_id', plans, AUDIT_PLAN)} ORDER BY due_at LIMIT :limit`,
    );
  }

  ofOrganization(organizationId: string, unit?: Unit): Promise<ListedDestination[]> {
    return this.database.rows<ListedDestination>(...ALL.bind({ organizationId }), unit);
  }

  /** No other is added until the transaction ends. */
  async lock(organizationId: string, unit: Unit): Promise<ListedDestination[]> {
    await this.database.rows(...LOCK.bind({ organizationId }), unit);
    return this.ofOrganization(organizationId, unit);
  }

  async insert(destination: AuditDestination, unit: Unit): Promise<void> {
    await this.database.rows(...INSERT.bind(destination, namedValuesOf(SQL, destination)), unit);
  }

  async remove(organizationId: string, id: string, unit: Unit): Promise<string | undefined> {
    return (await this.database.rows<AuditDestination>(...DELETE.bind({ organizationId }, { id }), unit))[0]?.url;
  }

  due(now: string, limit: number): Promise<DueDestination[]> {
    return this.database.rows<DueDestination>(...this.dueSql.bind({ now, limit }));
  }

  /** Due at once, if there is something that it has not taken yet. */
  hurry(organizationId: string, id: string, now: string): Promise<DueDestination | undefined> {
    return this.first(HURRY.bind({ organizationId }, { id, now }));
  }

  /** Nobody else sends to it until the time. undefined: another worker does, or has done. */
  take(due: DueDestination, now: string, until: string): Promise<HeldDestination | undefined> {
    return this.first(TAKE.bind(due, { ...due, now, until }));
  }

  async begun(held: HeldDestination, end: number): Promise<void> {
    await this.first(BEGUN.bind(held, { ...held, end }));
  }

  async sent(held: HeldDestination, { id: lastId, sequence, createdAt }: Last, now: string, dueAt: string): Promise<void> {
    await this.first(SENT.bind(held, { ...held, sequence, createdAt, lastId, now, dueAt }));
  }

  async failed(held: HeldDestination, failure: string, now: string, dueAt: string): Promise<void> {
    await this.first(FAILED.bind(held, { ...held, failure, now, dueAt }));
  }

  private async first<Row extends object>(bound: BoundSql): Promise<Row | undefined> {
    return (await this.database.rows<Row>(...bound))[0];
  }
}
