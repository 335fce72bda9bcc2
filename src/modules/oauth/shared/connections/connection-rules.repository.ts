import { Injectable } from '@nestjs/common';
import { Database } from '../../../../store/database/database.js';
import { entityColumns, selectList } from '../../../../store/database/sql.js';
import type { Unit } from '../../../../store/database/unit-of-work.js';
import { ORGANIZATION, organizationSql } from '../../../../store/tenant/tenant-sql.js';
import { ClientDecision, type ConnectionRule } from './connection-rule.entity.js';

/** What an organization has decided about a shared application. null: nothing. */
export interface Decided {
  readonly rule: ConnectionRule | null;
  readonly isAllowed: boolean | null;
}

const DECIDED = organizationSql(
  'oauth_connection_rules.decided',
  `SELECT (SELECT rule FROM oauth_connection_rules WHERE ${ORGANIZATION}) AS rule,
    (SELECT is_allowed FROM oauth_client_decisions WHERE ${ORGANIZATION} AND client_id = :clientId) AS "isAllowed"`,
);
const SET_RULE = organizationSql(
  'oauth_connection_rules.set',
  `INSERT INTO oauth_connection_rules (organization_id, rule, updated_at) VALUES (:organizationId, :rule, :now)
    ON CONFLICT (organization_id) DO UPDATE SET rule = :rule, updated_at = :now`,
);
const DECIDE = organizationSql(
  'oauth_client_decisions.set',
  `INSERT INTO oauth_client_decisions (organization_id, client_id, is_allowed, updated_at)
    VALUES (:organizationId, :clientId, :isAllowed, :updatedAt)
    ON CONFLICT (organization_id, client_id) DO UPDATE SET is_allowed = :isAllowed, updated_at = :updatedAt`,
);
const OF_ORGANIZATION = organizationSql(
  'oauth_client_decisions.of_organization',
  `SELECT ${selectList(entityColumns(ClientDecision))} FROM oauth_client_decisions WHERE ${ORGANIZATION} ORDER BY client_id`,
);

@Injectable()
export class ConnectionRulesRepository {
  constructor(private readonly database: Database) {}

  async decided(organizationId: string, clientId: string, unit?: Unit): Promise<Decided> {
    const asked = DECIDED.bind({ organizationId }, { clientId });
    const [row] = unit ? await this.database.rows<Decided>(...asked, unit) : await this.database.shortRead<Decided>(...asked);
    return row!;
  }

  async setRule(organizationId: string, rule: ConnectionRule, now: string, unit: Unit): Promise<void> {
    await this.database.rows(...SET_RULE.bind({ organizationId }, { rule, now }), unit);
  }

  async decide({ organizationId, clientId, isAllowed, updatedAt }: ClientDecision, unit: Unit): Promise<void> {
    await this.database.rows(...DECIDE.bind({ organizationId }, { clientId, isAllowed, updatedAt }), unit);
  }

  ofOrganization(organizationId: string): Promise<ClientDecision[]> {
    return this.database.rows<ClientDecision>(...OF_ORGANIZATION.bind({ organizationId }));
  }
}
