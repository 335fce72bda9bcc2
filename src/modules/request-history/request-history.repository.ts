import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../kernel/context.js';
import { Database } from '../../store/database/database.js';
import { entityColumns, selectList } from '../../store/database/sql.js';
import { acrossTenants, TENANT, tenantSql } from '../../store/tenant/tenant-sql.js';
import { ApiRequest, SEARCHED_MAX } from './api-request.entity.js';

const SQL = entityColumns(ApiRequest);
const TYPED = SQL.written.map(({ column, type }) => `${column} ${type}`).join(', ');
const NAMES = SQL.written.map(({ column }) => column).join(', ');

const INSERT = acrossTenants(
  'api_requests.insert',
  'Writes down the calls of many organizations at once.',
  // Another attempt after a lost answer writes nothing twice.
  `INSERT INTO api_requests (${NAMES}) SELECT ${NAMES} FROM json_to_recordset(:requests) AS noted (${TYPED}) ON CONFLICT DO NOTHING`,
);
const GET = tenantSql('api_requests.get', `SELECT ${selectList(SQL)} FROM api_requests WHERE ${TENANT} AND id = :id`);
const BY_REQUEST = tenantSql(
  'api_requests.by_request',
  `SELECT ${selectList(SQL)} FROM api_requests WHERE ${TENANT} AND request_id = :requestId AND id > :after ORDER BY id DESC LIMIT :limit`,
);
const listed = (name: string, condition: string) =>
  tenantSql(
    `api_requests.${name}`,
    `SELECT ${selectList(SQL)} FROM api_requests WHERE ${TENANT} AND id > :after AND id < :before ${condition}
      ORDER BY id DESC LIMIT :limit`,
  );
const ALL = listed('newest', '');
const FAILED = listed('failed', 'AND status >= 400');
const SEARCHED = tenantSql(
  'api_requests.searched',
  // Of a rare operation or key there may be few among millions. What is looked at is bounded.
  `SELECT ${selectList(SQL)} FROM (
      SELECT * FROM api_requests WHERE ${TENANT} AND id > :after AND id < :before ORDER BY id DESC LIMIT ${SEARCHED_MAX}
    ) newest
    WHERE (:failed::boolean IS NULL OR (status >= 400) = :failed) AND (:operation::text IS NULL OR operation = :operation)
      AND (:credentialId::text IS NULL OR credential_id = :credentialId) ORDER BY id DESC LIMIT :limit`,
);

export interface HistoryFilter {
  readonly failed?: boolean | undefined;
  readonly operation?: string | undefined;
  readonly credentialId?: string | undefined;
}

/** Between which ids calls are looked for: ids begin with their time. */
export interface Between {
  readonly after: string;
  readonly before: string;
}

@Injectable()
export class RequestHistoryRepository {
  constructor(private readonly database: Database) {}

  async insert(requests: readonly ApiRequest[]): Promise<void> {
    const rows = requests.map((request) =>
      Object.fromEntries(SQL.written.map(({ property, column }) => [column.slice(1, -1), request[property as keyof ApiRequest]])),
    );
    await this.database.rows(...INSERT.bind({ requests: JSON.stringify(rows) }));
  }

  async get(tenant: Tenant, id: string): Promise<ApiRequest | undefined> {
    return (await this.database.rows<ApiRequest>(...GET.bind(tenant, { id })))[0];
  }

  /** The calls with an id that their caller or the service chose, the newest first. */
  byRequest(tenant: Tenant, requestId: string, after: string, limit: number): Promise<ApiRequest[]> {
    return this.database.rows<ApiRequest>(...BY_REQUEST.bind(tenant, { requestId, after, limit }));
  }

  list(tenant: Tenant, filter: HistoryFilter, { after, before }: Between, limit: number): Promise<ApiRequest[]> {
    const { failed, operation, credentialId } = filter;
    const values = { after, before, limit };
    if (operation === undefined && credentialId === undefined && failed !== false)
      return this.database.rows<ApiRequest>(...(failed ? FAILED : ALL).bind(tenant, values));
    const wanted = { failed: failed ?? null, operation: operation ?? null, credentialId: credentialId ?? null };
    return this.database.rows<ApiRequest>(...SEARCHED.bind(tenant, { ...values, ...wanted }));
  }
}
