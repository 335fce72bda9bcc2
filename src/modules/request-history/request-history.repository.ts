import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../kernel/context.js';
import { Database, prepared, type Sql } from '../../store/database/database.js';
import { entityColumns, selectList } from '../../store/database/sql.js';
import { ApiRequest, SEARCHED_MAX } from './api-request.entity.js';

const SQL = entityColumns(ApiRequest);
const TYPED = SQL.written.map(({ column, type }) => `${column} ${type}`).join(', ');
const NAMES = SQL.written.map(({ column }) => column).join(', ');
const OF_TENANT = 'organization_id = $1 AND environment = $2';

const INSERT = prepared({
  name: 'api_requests.insert',
  // Another attempt after a lost answer writes nothing twice.
  text: `INSERT INTO api_requests (${NAMES}) SELECT ${NAMES} FROM json_to_recordset($1) AS noted (${TYPED}) ON CONFLICT DO NOTHING`,
});
const GET = prepared({ name: 'api_requests.get', text: `SELECT ${selectList(SQL)} FROM api_requests WHERE ${OF_TENANT} AND id = $3` });
const BY_REQUEST = prepared({
  name: 'api_requests.by_request',
  text: `SELECT ${selectList(SQL)} FROM api_requests WHERE ${OF_TENANT} AND request_id = $3 AND id > $4 ORDER BY id DESC LIMIT $5`,
});
const listed = (name: string, condition: string): Sql =>
  prepared({
    name: `api_requests.${name}`,
    text: `SELECT ${selectList(SQL)} FROM api_requests WHERE ${OF_TENANT} AND id > $3 AND id < $4 ${condition} ORDER BY id DESC LIMIT $5`,
  });
const ALL = listed('newest', '');
const FAILED = listed('failed', 'AND status >= 400');
const SEARCHED = prepared({
  name: 'api_requests.searched',
  // Of a rare operation or key there may be few among millions. What is looked at is bounded.
  text: `SELECT ${selectList(SQL)} FROM (
      SELECT * FROM api_requests WHERE ${OF_TENANT} AND id > $3 AND id < $4 ORDER BY id DESC LIMIT ${SEARCHED_MAX}
    ) newest
    WHERE ($6::boolean IS NULL OR (status >= 400) = $6) AND ($7::text IS NULL OR operation = $7)
      AND ($8::text IS NULL OR credential_id = $8) ORDER BY id DESC LIMIT $5`,
});

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
    await this.database.rows(INSERT, [JSON.stringify(rows)]);
  }

  async get({ organizationId, environment }: Tenant, id: string): Promise<ApiRequest | undefined> {
    return (await this.database.rows<ApiRequest>(GET, [organizationId, environment, id]))[0];
  }

  /** The calls with an id that their caller or the service chose, the newest first. */
  byRequest({ organizationId, environment }: Tenant, requestId: string, after: string, limit: number): Promise<ApiRequest[]> {
    return this.database.rows<ApiRequest>(BY_REQUEST, [organizationId, environment, requestId, after, limit]);
  }

  list({ organizationId, environment }: Tenant, filter: HistoryFilter, { after, before }: Between, limit: number): Promise<ApiRequest[]> {
    const { failed, operation, credentialId } = filter;
    const params = [organizationId, environment, after, before, limit];
    if (operation === undefined && credentialId === undefined && failed !== false)
      return this.database.rows<ApiRequest>(failed ? FAILED : ALL, params);
    return this.database.rows<ApiRequest>(SEARCHED, [...params, failed ?? null, operation ?? null, credentialId ?? null]);
  }
}
