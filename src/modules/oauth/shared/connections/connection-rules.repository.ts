import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../../../store/database/database.js';
import { entityColumns, selectList } from '../../../../store/database/sql.js';
import type { Unit } from '../../../../store/database/unit-of-work.js';
import { ORGANIZATION, organizationSql, tenantOf, tenantSql } from '../../../../store/tenant/tenant-sql.js';
import type { projectsIn } from '../../provider/asked-projects.js';
import type { Application } from '../../applications/application.entity.js';
import { ClientDecision, type ConnectionRule } from './connection-rule.entity.js';
import type { Environment, Tenant } from '../../../../kernel/context.js';
import type { PageOf, PageRequest } from '../../../../store/tenant/page.js';

/** What an organization has decided about a shared application. null: nothing. */
type Decided = { readonly rule: ConnectionRule | null; readonly isAllowed: boolean | null };

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

export interface Granted {
  readonly resources: Readonly<Record<string, string>> | null;
  readonly rejected: { readonly resources?: Readonly<Record<string, string>> } | null;
  readonly details: Parameters<typeof projectsIn>[0];
}

export interface ConnectionRow {
  readonly userId: string;
  readonly applicationId: string;
  readonly applicationName: string;
  readonly environment: Environment;
  /** Unix seconds. */
  readonly since: number;
  /** When the last token was issued that is still stored. */
  readonly lastToken: number | null;
  readonly grants: readonly Granted[];
}

// A page past the end is one row with nothing but the count.
const OF_USERS = tenantSql(
  'oauth_records.connections_of_users',
  `WITH found AS (
      SELECT application.id AS "applicationId", application.name AS "applicationName", application.environment, record.user_id AS "userId",
        json_agg(json_build_object('resources', record.payload->'resources', 'rejected', record.payload->'rejected',
          'details', record.payload->'rar')) AS grants,
        array_agg(record.id_hash) AS hashes, min((record.payload->>'iat')::float8) AS since
      FROM oauth_records record JOIN oauth_applications application USING (client_id)
      WHERE record.kind = 'Grant' AND record.user_id = ANY (:userIds) AND ${tenantOf('application')}
        AND record.expires_at > :now
      GROUP BY application.id, application.name, application.environment, record.user_id
    )
    SELECT counted.total, page.*, (SELECT max((token.payload->>'iat')::float8) FROM oauth_records token
        WHERE token.grant_hash = ANY (page.hashes) AND token.kind IN ('AccessToken', 'RefreshToken')) AS "lastToken"
    FROM (SELECT count(*)::int AS total FROM found) counted
      LEFT JOIN LATERAL (SELECT * FROM found ORDER BY since DESC, "applicationId", "userId" LIMIT :limit OFFSET :offset) page ON true
    ORDER BY since DESC, "applicationId", "userId"`,
);
// Grants first: a refresh that is in progress holds its grant, and its tokens are there to be deleted when it has ended.
const DELETE_GRANTS = organizationSql(
  'oauth_records.delete_grants_of_user',
  `DELETE FROM oauth_records record USING oauth_applications application
    WHERE application.client_id = record.client_id AND application.id = :applicationId AND application.organization_id = :organizationId
      AND record.kind = 'Grant' AND record.user_id = :userId
    RETURNING record.id_hash AS hash, application.name, application.environment`,
);
// A refresh that begins now has locked its refresh token and waits for the grant, which it will not find. To wait for it would be a
// deadlock. Its refresh token is left, and of no use without a grant.
const DELETE_TOKENS = prepared({
  name: 'oauth_records.delete_of_grants',
  text: `DELETE FROM oauth_records
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM oauth_records WHERE grant_hash = ANY ($1) FOR UPDATE SKIP LOCKED))`,
});

type DeletedGrant = Readonly<Pick<Application, 'name' | 'environment'>> & { readonly hash: Buffer };

@Injectable()
export class ConnectionsPageRepository {
  constructor(private readonly database: Database) {}

  async ofUsers(tenant: Tenant, userIds: readonly string[], now: string, request: PageRequest) {
    const { page, page_size: size } = request;
    const values = { userIds, now, limit: size, offset: (page - 1) * size };
    const found = await this.database.rows<ConnectionRow & { total: number }>(...OF_USERS.bind(tenant, values));
    const { total } = found[0]!;
    const rows = found.filter(({ applicationId }) => applicationId !== null);
    return { rows, total, totalRelation: 'exact', hasMore: page * size < total } satisfies PageOf<ConnectionRow>;
  }

  /** Deletes the grants of a user for an application, with all their tokens and codes. Returns the application, if there were any. */
  async end(userId: string, applicationId: string, organizationId: string, unit: Unit): Promise<DeletedGrant | undefined> {
    const grants = await this.database.rows<DeletedGrant>(...DELETE_GRANTS.bind({ organizationId }, { userId, applicationId }), unit);
    if (grants.length > 0) await this.database.rows(DELETE_TOKENS, [grants.map(({ hash }) => hash)], unit);
    return grants[0];
  }
}
