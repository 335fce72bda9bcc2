import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Database, prepared } from '../../../store/database/database.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { CounterpartyDecision } from './counterparty-decision.entity.js';

/** A statement is redacted with all of them in memory. */
export const MAX_DECISIONS = 10_000;

const SELECTED = selectList(entityColumns(CounterpartyDecision));
const OF_TENANT = 'organization_id = $1 AND environment = $2';
const ALL = prepared({
  name: 'counterparty_decisions.all',
  text: `SELECT ${SELECTED} FROM counterparty_decisions WHERE ${OF_TENANT} ORDER BY decided_at, id LIMIT ${MAX_DECISIONS}`,
});
const COUNT = prepared({
  name: 'counterparty_decisions.count',
  text: `SELECT count(*)::int AS count FROM counterparty_decisions WHERE ${OF_TENANT}`,
});
const LOCK = prepared({
  name: 'counterparty_decisions.lock',
  text: `SELECT ${SELECTED} FROM counterparty_decisions WHERE ${OF_TENANT} AND digest = $3 FOR UPDATE`,
});
const SAVE = prepared({
  name: 'counterparty_decisions.save',
  text: `INSERT INTO counterparty_decisions (organization_id, environment, digest, id, decided_as, decided_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (organization_id, environment, digest) DO UPDATE SET decided_as = $5, decided_at = $6`,
});
const REMOVE = prepared({
  name: 'counterparty_decisions.remove',
  text: `DELETE FROM counterparty_decisions WHERE ${OF_TENANT} AND digest = $3`,
});

/** What organizations have said that counterparties are. */
@Injectable()
export class CounterpartyDecisionsRepository {
  constructor(private readonly database: Database) {}

  /** The oldest first. */
  of({ organizationId, environment }: Tenant): Promise<CounterpartyDecision[]> {
    return this.database.rows<CounterpartyDecision>(ALL, [organizationId, environment]);
  }

  async count({ organizationId, environment, unit }: WriteContext): Promise<number> {
    return (await this.database.rows<{ count: number }>(COUNT, [organizationId, environment], unit))[0]!.count;
  }

  /** The decision on a counterparty, locked until the transaction ends. */
  async lock({ organizationId, environment, unit }: WriteContext, digest: string): Promise<CounterpartyDecision | undefined> {
    return (await this.database.rows<CounterpartyDecision>(LOCK, [organizationId, environment, digest], unit))[0];
  }

  async save(
    { unit }: WriteContext,
    { organizationId, environment, digest, id, decidedAs, decidedAt }: CounterpartyDecision,
  ): Promise<void> {
    await this.database.rows(SAVE, [organizationId, environment, digest, id, decidedAs, decidedAt], unit);
  }

  async remove({ organizationId, environment, unit }: WriteContext, digest: string): Promise<void> {
    await this.database.rows(REMOVE, [organizationId, environment, digest], unit);
  }
}
