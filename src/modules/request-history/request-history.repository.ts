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
const listed = <Condition extends string>(name: string, condition: Condition) =>
  tenantSql(
    `api_requests.${name}`,
    `SELECT ${selectList(SQL)} FROM api_requests WHERE ${TENANT} AND id > :after AND id < :before ${condition}
      ORDER BY id DESC LIMIT :limit`,
  );
const WANTED = `(:failed::boolean IS NULL OR (status >= 400) = :failed) AND (:operation::text IS NULL OR operation = :operation)
      AND (:credentialId::text IS NULL OR credential_id = :credentialId)`;
const ALL = listed('newest', '');
const FAILED = listed('failed', 'AND status >= 400');
const BY_REQUEST = listed('by_request', `AND request_id = :requestId AND ${WANTED}`);
const SEARCHED = tenantSql(
  'api_requests.searched',
  // Of a rare operation or key there may be few among millions. What is looked at is bounded.
  `SELECT ${selectList(SQL)} FROM (
      SELECT * FROM api_requests WHERE ${TENANT} AND id > :after AND id < :before ORDER BY id DESC LIMIT ${SEARCHED_MAX}
    ) newest
    WHERE ${WANTED} ORDER BY id DESC LIMIT :limit`,
);
const SEARCHED_TO = tenantSql(
  'api_requests.searched_to',
  `SELECT id FROM api_requests WHERE ${TENANT} AND id > :after AND id < :before ORDER BY id DESC LIMIT 1 OFFSET ${SEARCHED_MAX - 1}`,
);

export interface HistoryFilter {
  /** What their caller or the service chose. */
  readonly requestId?: string | undefined;
  readonly failed?: boolean | undefined;
  readonly operation?: string | undefined;
  readonly credentialId?: string | undefined;
}

/** Between which ids calls are looked for: ids begin with their time. */
type Between = Readonly<Record<'after' | 'before', string>>;

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

  list(tenant: Tenant, filter: HistoryFilter, { after, before }: Between, limit: number): Promise<ApiRequest[]> {
    const { requestId, failed, operation, credentialId } = filter;
    const values = { after, before, limit };
    const wanted = { ...values, failed: failed ?? null, operation: operation ?? null, credentialId: credentialId ?? null };
    if (requestId !== undefined) return this.database.rows<ApiRequest>(...BY_REQUEST.bind(tenant, { ...wanted, requestId }));
    if (isSearched(filter)) return this.database.rows<ApiRequest>(...SEARCHED.bind(tenant, wanted));
    return this.database.rows<ApiRequest>(...(failed ? FAILED : ALL).bind(tenant, values));
  }

  /** The last call that such a list has looked at; undefined if it has looked at all. */
  async searchedTo(tenant: Tenant, filter: HistoryFilter, between: Between): Promise<string | undefined> {
    if (!isSearched(filter)) return undefined;
    return (await this.database.rows<{ id: string }>(...SEARCHED_TO.bind(tenant, { ...between })))[0]?.id;
  }
}

const isSearched = ({ requestId, failed, operation, credentialId }: HistoryFilter): boolean =>
  requestId === undefined && (operation !== undefined || credentialId !== undefined || failed === false);
