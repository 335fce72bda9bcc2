import { afterAll, expect, it } from 'vitest';
import { Database } from '../../src/store/database/database.js';
import { newId } from '../../src/kernel/ids.js';
import { takeUnscoped } from '../support/tenant-statements.js';
import { startDocumentedApp } from '../support/documented-app.js';

// That every statement of every test asks whose the rows are is seen to after each test; here, that this would be seen.
const app = await startDocumentedApp();
afterAll(() => app.close());

const database = app.app.get(Database);

/** What is noticed when a statement runs, and as what it should be. */
async function run(text: string, values: readonly unknown[]) {
  const name = `planted.${newId()}`;
  await database.rows({ name, text }, values);
  return { noticed: takeUnscoped(), itself: [`${name}: ${text}`] };
}

it.each([
  'SELECT id, organization_id AS "organizationId" FROM expense_categories WHERE project_id = $1',
  'SELECT id FROM expense_categories WHERE project_id = $1 ORDER BY organization_id DESC, id DESC',
  'SELECT category.id FROM claim_projects JOIN expense_categories category ON project_id = claim_projects.id WHERE claim_projects.id = $1',
  'UPDATE "claim_projects" SET name = name WHERE id = $1 RETURNING organization_id',
  'DELETE FROM statement_lines WHERE statement_id = $1',
])('%s is noticed, with its name', async (text) => {
  const { noticed, itself } = await run(text, [newId()]);
  expect(noticed).toEqual(itself);
});

it.each([
  'SELECT id FROM expense_categories WHERE project_id = $1 AND organization_id = $2 AND environment = $3',
  'SELECT id FROM "expense_categories" category WHERE project_id = $1 AND category."organization_id" = $2 AND environment = $3',
])('%s is not', async (text) => {
  expect((await run(text, [newId(), newId(), 'test'])).noticed).toEqual([]);
});

it('a statement on no tenant’s rows is not', async () => {
  expect((await run('SELECT id FROM organizations WHERE id = $1', [newId()])).noticed).toEqual([]);
});
