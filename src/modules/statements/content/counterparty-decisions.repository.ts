import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Database } from '../../../store/database/database.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import { CounterpartyDecision } from './statement-content.entity.js';

/** A statement is redacted with all of them in memory. */
export const MAX_DECISIONS = 10_000;
const SELECTED = selectList(entityColumns(CounterpartyDecision));
const ALL = tenantSql(
  'counterparty_decisions.all',
  `SELECT ${SELECTED} FROM counterparty_decisions WHERE ${TENANT} ORDER BY decided_at, id LIMIT ${MAX_DECISIONS}`,
);
const COUNT = tenantSql('counterparty_decisions.count', `SELECT count(*)::int AS count FROM counterparty_decisions WHERE ${TENANT}`);
const LOCK = tenantSql(
  'counterparty_decisions.lock',
  `SELECT ${SELECTED} FROM counterparty_decisions WHERE ${TENANT} AND digest = :digest FOR UPDATE`,
);
const SAVE = tenantSql(
  'counterparty_decisions.save',
  `INSERT INTO counterparty_decisions (organization_id, environment, digest, id, decided_as, decided_at)
    VALUES (:organizationId, :environment, :digest, :id, :decidedAs, :decidedAt)
    ON CONFLICT (organization_id, environment, digest) DO UPDATE SET decided_as = :decidedAs, decided_at = :decidedAt`,
);
const REMOVE = tenantSql('counterparty_decisions.remove', `DELETE FROM counterparty_decisions WHERE ${TENANT} AND digest = :digest`);

@Injectable()
export class CounterpartyDecisionsRepository {
  constructor(private readonly database: Database) {}

  /** The oldest first. */
  list(tenant: Tenant): Promise<CounterpartyDecision[]> {
    return this.database.rows<CounterpartyDecision>(...ALL.bind(tenant));
  }

  async count(ctx: WriteContext): Promise<number> {
    return (await this.database.rows<{ count: number }>(...COUNT.bind(ctx), ctx.unit))[0]!.count;
  }

  /** The decision on a counterparty, locked until the transaction ends. */
  async lock(ctx: WriteContext, digest: string): Promise<CounterpartyDecision | undefined> {
    return (await this.database.rows<CounterpartyDecision>(...LOCK.bind(ctx, { digest }), ctx.unit))[0];
  }

  async save(ctx: WriteContext, { digest, id, decidedAs, decidedAt }: CounterpartyDecision): Promise<void> {
    await this.database.rows(...SAVE.bind(ctx, { digest, id, decidedAs, decidedAt }), ctx.unit);
  }

  async remove(ctx: WriteContext, digest: string): Promise<void> {
    await this.database.rows(...REMOVE.bind(ctx, { digest }), ctx.unit);
  }
}
