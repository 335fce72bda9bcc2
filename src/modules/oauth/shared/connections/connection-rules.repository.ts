import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../../../store/database/database.js';
import { entityColumns, selectList } from '../../../../store/database/sql.js';
import type { Unit } from '../../../../store/database/unit-of-work.js';
import { ClientDecision, type ConnectionRule } from './connection-rule.entity.js';

/** What an organization has decided about a shared application. null: nothing. */
export interface Decided {
  readonly rule: ConnectionRule | null;
  readonly isAllowed: boolean | null;
}

const DECIDED = prepared({
  name: 'oauth_connection_rules.decided',
  text: `SELECT (SELECT rule FROM oauth_connection_rules WHERE organization_id = $1) AS rule,
    (SELECT is_allowed FROM oauth_client_decisions WHERE organization_id = $1 AND client_id = $2) AS "isAllowed"`,
});
const SET_RULE = prepared({
  name: 'oauth_connection_rules.set',
  text: `INSERT INTO oauth_connection_rules (organization_id, rule, updated_at) VALUES ($1, $2, $3)
    ON CONFLICT (organization_id) DO UPDATE SET rule = $2, updated_at = $3`,
});
const DECIDE = prepared({
  name: 'oauth_client_decisions.set',
  text: `INSERT INTO oauth_client_decisions (organization_id, client_id, is_allowed, updated_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (organization_id, client_id) DO UPDATE SET is_allowed = $3, updated_at = $4`,
});
const OF_ORGANIZATION = prepared({
  name: 'oauth_client_decisions.of_organization',
  text: `SELECT ${selectList(entityColumns(ClientDecision))} FROM oauth_client_decisions WHERE organization_id = $1 ORDER BY client_id`,
});

@Injectable()
export class ConnectionRulesRepository {
  constructor(private readonly database: Database) {}

  /** Within a transaction, or at once. */
  async decided(organizationId: string, clientId: string, unit?: Unit): Promise<Decided> {
    const values = [organizationId, clientId];
    const [row] = unit ? await this.database.rows<Decided>(DECIDED, values, unit) : await this.database.shortRead<Decided>(DECIDED, values);
    return row!;
  }

  async setRule(organizationId: string, rule: ConnectionRule, now: string, unit: Unit): Promise<void> {
    await this.database.rows(SET_RULE, [organizationId, rule, now], unit);
  }

  async decide({ organizationId, clientId, isAllowed, updatedAt }: ClientDecision, unit: Unit): Promise<void> {
    await this.database.rows(DECIDE, [organizationId, clientId, isAllowed, updatedAt], unit);
  }

  ofOrganization(organizationId: string): Promise<ClientDecision[]> {
    return this.database.rows<ClientDecision>(OF_ORGANIZATION, [organizationId]);
  }
}
