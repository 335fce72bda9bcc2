import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../kernel/context.js';
import { Database, prepared } from '../../store/database/database.js';
import { entityColumns, selectList } from '../../store/database/sql.js';
import type { Unit, WriteContext } from '../../store/database/unit-of-work.js';
import { acrossTenants, TENANT, tenantSql } from '../../store/tenant/tenant-sql.js';
import { ROWS_PER_DELETE } from '../../store/database/housekeeping.js';
import { type AgreedWay, Confirmation } from './confirmation.entity.js';

const SELECT = `SELECT ${selectList(entityColumns(Confirmation))} FROM confirmations`;
const OWN = 'What the credential itself has asked for.';
/** It is not over. Then it can be agreed to, or used once it is. */
const LASTS = 'used_at IS NULL AND expires_at > :now';
/** An application asks for each of its people apart. */
const IS_OF = 'credential_id = :credentialId AND user_id IS NOT DISTINCT FROM :userId AND digest = :digest AND rule = :rule';
const IS_OPEN = `${LASTS} AND agreed_at IS NULL AND refused_at IS NULL` as const;

const QUEUE_UP = prepared({ name: 'confirmations.queue_up', text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' });
const OF_CALL = tenantSql(
  'confirmations.of_call',
  `${SELECT} WHERE ${TENANT} AND ${IS_OF} AND ${LASTS}
    ORDER BY created_at DESC LIMIT 1`,
  OWN,
);
const COUNT_OPEN = tenantSql(
  'confirmations.count_open',
  `SELECT count(*)::int AS count FROM confirmations WHERE ${TENANT} AND credential_id = :credentialId AND ${IS_OPEN}`,
  OWN,
);
const INSERT = tenantSql(
  'confirmations.insert',
  `INSERT INTO confirmations (organization_id, environment, id, credential_id, user_id, asked_by, operation, digest, shown, rule,
      created_at, expires_at)
    VALUES (:organizationId, :environment, :id, :credentialId, :userId, :askedBy, :operation, :digest, :shown, :rule,
      :createdAt, :expiresAt)`,
  OWN,
);
const OPEN = tenantSql('confirmations.open', `${SELECT} WHERE ${TENANT} AND ${IS_OPEN} ORDER BY created_at DESC LIMIT :most`);
const BY_ID = tenantSql('confirmations.by_id', `${SELECT} WHERE ${TENANT} AND id = :id`);
const LOCK = tenantSql('confirmations.lock', `${SELECT} WHERE ${TENANT} AND id = :id AND ${IS_OPEN} FOR UPDATE`, OWN);
const AGREE_FIRST = tenantSql(
  'confirmations.agree_first',
  `UPDATE confirmations SET first_agreed_by = :userId WHERE ${TENANT} AND id = :id`,
);
const AGREE = tenantSql(
  'confirmations.agree',
  `UPDATE confirmations SET agreed_by = :userId, agreed_way = :way, agreed_at = :now, expires_at = :until WHERE ${TENANT} AND id = :id`,
  OWN,
);
const REFUSE = tenantSql('confirmations.refuse', `UPDATE confirmations SET refused_at = :now WHERE ${TENANT} AND id = :id`, OWN);
const USE = tenantSql(
  'confirmations.use',
  `UPDATE confirmations SET used_at = :now WHERE ${TENANT} AND id = :id AND ${IS_OF}
    AND agreed_at IS NOT NULL AND refused_at IS NULL AND ${LASTS} RETURNING id`,
  OWN,
);
const REMOVE = acrossTenants(
  'confirmations.remove',
  'A worker removes those of all tenants that ended a day ago.',
  `DELETE FROM confirmations WHERE (organization_id, id) IN (
      SELECT organization_id, id FROM confirmations WHERE expires_at < :before LIMIT ${ROWS_PER_DELETE}) RETURNING 1 AS gone`,
);

/** A call of a credential: an agreement is for nothing else. */
export type OfCall = Pick<Confirmation, 'credentialId' | 'userId' | 'digest'> & { readonly rule: string };

type Answered = 'firstAgreedBy' | 'agreedBy' | 'agreedWay' | 'agreedAt' | 'refusedAt' | 'usedAt';
type AgreedBy = Readonly<Record<'now' | 'until', string>> & { readonly userId: string | null; readonly way: AgreedWay };
export type NewConfirmation = Omit<Confirmation, Answered | 'organizationId' | 'environment'>;

@Injectable()
export class ConfirmationsRepository {
  constructor(readonly database: Database) {}

  async ofCall(ctx: Tenant & { readonly unit?: Unit }, call: OfCall, now: string): Promise<Confirmation | undefined> {
    return (await this.database.rows<Confirmation>(...OF_CALL.bind(ctx, { ...call, now }), ctx.unit))[0];
  }

  /** Those of a credential follow each other, so that it has no more than it may. Returns how many are open. */
  async countOpen(ctx: WriteContext, credentialId: string, now: string): Promise<number> {
    return (await this.database.rows<{ count: number }>(...COUNT_OPEN.bind(ctx, { credentialId, now }), ctx.unit))[0]!.count;
  }

  async queueUp({ unit }: WriteContext, credentialId: string): Promise<void> {
    await this.database.rows(QUEUE_UP, [`confirmations ${credentialId}`], unit);
  }

  async insert(ctx: WriteContext, row: NewConfirmation): Promise<void> {
    await this.database.rows(...INSERT.bind(ctx, row), ctx.unit);
  }

  open(tenant: Tenant, now: string, most: number): Promise<Confirmation[]> {
    return this.database.rows<Confirmation>(...OPEN.bind(tenant, { now, most }));
  }

  async byId(tenant: Tenant, id: string): Promise<Confirmation | undefined> {
    return (await this.database.rows<Confirmation>(...BY_ID.bind(tenant, { id })))[0];
  }

  /** undefined if it is not open any more. */
  async lockOpen(ctx: WriteContext, id: string, now: string): Promise<Confirmation | undefined> {
    return (await this.database.rows<Confirmation>(...LOCK.bind(ctx, { id, now }), ctx.unit))[0];
  }

  async agreeFirst(ctx: WriteContext, id: string, userId: string): Promise<void> {
    await this.database.rows(...AGREE_FIRST.bind(ctx, { id, userId }), ctx.unit);
  }

  async agree(ctx: WriteContext, id: string, by: AgreedBy): Promise<void> {
    await this.database.rows(...AGREE.bind(ctx, { id, ...by }), ctx.unit);
  }

  async refuse(ctx: WriteContext, id: string, now: string): Promise<void> {
    await this.database.rows(...REFUSE.bind(ctx, { id, now }), ctx.unit);
  }

  /** false if it was used, or is not agreed to. */
  async use(ctx: WriteContext, id: string, call: OfCall, now: string): Promise<boolean> {
    return (await this.database.rows(...USE.bind(ctx, { id, ...call, now }), ctx.unit)).length > 0;
  }
}

export const removal = (before: string) => REMOVE.bind({ before });
