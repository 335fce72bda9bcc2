import { afterAll, expect, it } from 'vitest';
import { Database, type Sql } from '../../src/store/database/database.js';
import { newId } from '../../src/kernel/ids.js';
import { takeUnscoped } from '../support/tenant-statements.js';
import { startDocumentedApp } from '../support/documented-app.js';

// test/support/setup.ts checks every statement of every test for a condition on the tenant. This tests that check.
const app = await startDocumentedApp();
afterAll(() => app.close());

const database = app.app.get(Database);

/** Executes a statement. Returns what was reported, and how the statement would be reported. */
async function execute(text: string, values: readonly unknown[]) {
  const name = `planted.${newId()}`;
  // Citus refuses to join like this. That it was sent is reported all the same.
  // Not declared: the law of declared statements would find it.
  await database.rows({ name, text } as Sql, values).catch((error: unknown) => {
    if (!process.env.TEST_CITUS_URL) throw error;
  });
  return { reported: takeUnscoped(), asReported: [`${name}: ${text}`] };
}

it.each([
  'SELECT id, organization_id AS "organizationId" FROM expense_categories WHERE project_id = $1',
  'SELECT id FROM expense_categories WHERE project_id = $1 ORDER BY organization_id DESC, id DESC',
  'SELECT category.id FROM claim_projects JOIN expense_categories category ON project_id = claim_projects.id WHERE claim_projects.id = $1',
  'UPDATE "claim_projects" SET name = name WHERE id = $1 RETURNING organization_id',
  'DELETE FROM statement_lines WHERE statement_id = $1',
  'SELECT e.id FROM events e JOIN webhook_deliveries delivery ON e.organization_id = delivery.organization_id WHERE e.id = $1',
])('reports with its name: %s', async (text) => {
  const { reported, asReported } = await execute(text, [newId()]);
  expect(reported).toEqual(asReported);
});

it.each([
  'SELECT id FROM expense_categories WHERE project_id = $1 AND organization_id = $2 AND environment = $3',
  'SELECT id FROM "expense_categories" category WHERE project_id = $1 AND category."organization_id" = $2 AND environment = $3',
])('does not report: %s', async (text) => {
  expect((await execute(text, [newId(), newId(), 'test'])).reported).toEqual([]);
});

it('does not report a statement on a table without tenants', async () => {
  expect((await execute('SELECT id FROM organizations WHERE id = $1', [newId()])).reported).toEqual([]);
});
