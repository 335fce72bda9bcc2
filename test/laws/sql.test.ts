import { afterAll, beforeAll, expect, it } from 'vitest';
import { declaredSql, type Scope } from '../../src/store/database/prepared-statements.js';
import { ORGANIZATION, organizationSql, tenantSql } from '../../src/store/tenant/tenant-sql.js';
import { Registry } from '../../src/api/operation/registry.js';
import { startApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { openSession } from '../support/session.js';

const app = await startApp();
const client = await openSession(app.databaseUrl);
beforeAll(async () => {
  // The statement of a list is made when it is first asked for.
  const api = new Client(app.url, (await aTenant(app)).key);
  for (const { method, path, pathIds } of app.app.get(Registry).operations)
    if (method === 'GET' && pathIds.length === 0) expect((await api.get(path)).status).toBe(200);
});
afterAll(async () => {
  await client.end();
  await app.close();
});

const CAN_BE_PREPARED = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/i;

/** What Postgres says against a statement; undefined if it can run. */
async function faultOf(text: string): Promise<string | undefined> {
  try {
    await client.query(`PREPARE examined AS ${text}`);
    await client.query('DEALLOCATE examined');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

it('every statement fits the migrated tables: a column that was renamed is missed here', async () => {
  const statements = [...declaredSql()].filter(([, { text }]) => CAN_BE_PREPARED.test(text));
  expect(statements.length).toBeGreaterThan(200);
  const faults: Record<string, string> = {};
  for (const [name, { text }] of statements) {
    const fault = await faultOf(text);
    if (fault !== undefined) faults[name] = fault;
  }
  expect(faults).toEqual({});
  const one = statements.map(([, { text }]) => text).find((text) => text.includes('organization_id'))!;
  expect(await faultOf(one.replace('organization_id', 'organisation_id'))).toContain('organisation_id');
});

const HAS_ORGANIZATION = /\borganization_id"? = (?:ANY \(ARRAY\[)?\(?\$\d/;
const HAS_ENVIRONMENT = /\benvironment"? = \(?\$\d/;
/** The columns of an INSERT. */
const inserts = (text: string, column: string): boolean => new RegExp(`INSERT INTO [^(]*\\([^)]*\\b${column}\\b`).test(text);

/** The tables with rows of organizations, as a statement names them. */
async function tablesWithOrganization(): Promise<RegExp> {
  const sql = `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'organization_id'`;
  const { rows } = await client.query<{ name: string }>(sql);
  expect(rows.length).toBeGreaterThan(10);
  return new RegExp(`\\b(FROM|JOIN|INTO|UPDATE|USING|TABLE)\\s+(ONLY\\s+)?"?(${rows.map(({ name }) => name).join('|')})\\b`, 'i');
}

/** What is wrong with whose rows a statement reads and writes; undefined if nothing is. */
function leakIn(text: string, scope: Scope, named: RegExp): string | undefined {
  if (!named.test(text)) return undefined;
  if (scope === undefined) return 'has rows of organizations, and is declared by `prepared`';
  if (typeof scope === 'object') return scope.reason.length > 20 ? undefined : 'has no reason';
  if (!HAS_ORGANIZATION.test(text) && !inserts(text, 'organization_id')) return 'lacks the organization';
  const needsEnvironment = scope === 'tenant' && !HAS_ENVIRONMENT.test(text) && !inserts(text, 'environment');
  return needsEnvironment ? 'lacks the environment' : undefined;
}

it('every statement on rows of organizations says whose they are, or why it reads those of all', async () => {
  const ofOrganizations = await tablesWithOrganization();
  const leaks: Record<string, string> = {};
  for (const [name, { text, scope }] of declaredSql()) {
    const leak = leakIn(text, scope, ofOrganizations);
    if (leak !== undefined) leaks[name] = `${leak}: ${text}`;
  }
  expect(leaks).toEqual({});
  const byId = 'SELECT name FROM claim_projects WHERE id = $1';
  expect(leakIn(byId, undefined, ofOrganizations)).toContain('declared by `prepared`');
  expect(leakIn(byId, 'organization', ofOrganizations)).toBe('lacks the organization');
  expect(leakIn(`${byId} AND organization_id = $2`, 'tenant', ofOrganizations)).toBe('lacks the environment');
  expect(leakIn(`${byId} AND organization_id <> $2`, 'organization', ofOrganizations)).toBe('lacks the organization');
  expect(leakIn(byId, { reason: '' }, ofOrganizations)).toBe('has no reason');
  expect(leakIn('SELECT name FROM organizations WHERE id = $1', undefined, ofOrganizations)).toBeUndefined();
});

it('a statement without its tenant cannot be declared, nor run without a parameter', () => {
  const byId = 'SELECT name FROM claim_projects WHERE id = :id';
  expect(() => tenantSql('sample.by_id', byId)).toThrow('sample.by_id does not say whose rows: it lacks :organizationId.');
  expect(() => tenantSql('sample.by_id', `${byId} AND ${ORGANIZATION}`)).toThrow('it lacks :environment.');
  const declared = organizationSql('sample.by_id', `${byId} AND ${ORGANIZATION} OR id > :id::uuid`);
  const [statement, values] = declared.bind({ organizationId: 'o' }, { id: 'i' });
  expect(statement.text).toBe('SELECT name FROM claim_projects WHERE id = $1 AND organization_id = $2 OR id > $1::uuid');
  expect(values).toEqual(['i', 'o']);
  // @ts-expect-error Parameters are typed by their names.
  expect(() => declared.bind({ organizationId: 'o' }, { name: 'i' })).toThrow('sample.by_id was not given :id.');
  // @ts-expect-error The organization is not left out.
  expect(() => declared.bind({}, { id: 'i' })).toThrow('sample.by_id was not given :organizationId.');
});
