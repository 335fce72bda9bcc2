import { afterAll, describe, expect, it } from 'vitest';
import { leftOutOnCitus } from '../support/citus.js';
import { aTenant } from '../support/builders.js';
import { factsOfExtensions } from '../support/extension-facts.js';
import { listsOf, named, startDocumentedApp } from '../support/documented-app.js';
import { createRecord, sendCall, validCall, type RecordIds } from '../support/law-call.js';
import { queriesFor } from '../support/law-filters.js';
import { collectStatements, Plans } from '../support/plans.js';

const app = await startDocumentedApp();
const statements = collectStatements(app);
const plans = await Plans.create();
afterAll(async () => {
  await plans.close();
  await app.close();
});

/** Tables that statements may read whole, each with the reason why they stay small. */
const SMALL: Readonly<Record<string, string>> = {
  audit_keys: 'A key signs for 90 days.',
  pg_database: 'One row for each database of the server.',
  usage_writers: 'One row for each process of the last week.',
  ...factsOfExtensions('smallTables'),
};

/** Statements beside the calls, each with the reason why the plan for an empty list of values says nothing of it. */
const BESIDE: Readonly<Record<string, string>> = {
  'api_keys.touch': 'It joins the keys that were used in the last seconds, which the planner does not see before it runs.',
  ...factsOfExtensions('unplannedStatements'),
};

/** What the statements since the last call read without an index. */
async function takeReadWhole(): Promise<string[]> {
  const found: string[] = [];
  for (const [text, name] of statements) {
    if (name in BESIDE) continue;
    const tables = (await plans.readWhole(text)).filter((table) => !(table in SMALL));
    if (tables.length > 0) found.push(`${name || '(without a name)'} reads all of ${tables.join(', ')}: ${text}`);
  }
  statements.clear();
  return found;
}

const isLeftOut = leftOutOnCitus('The plan of the coordinator does not show the indexes that a worker uses.');

it.skipIf(isLeftOut)('tells a statement that an index serves from one that reads the whole table', async () => {
  expect(await plans.readWhole('SELECT id FROM claim_projects WHERE id = $1')).toEqual([]);
  expect(await plans.readWhole('SELECT id FROM claim_projects WHERE metadata::text = $1')).toEqual(['claim_projects']);
  const unconditional = 'SELECT id FROM claim_projects ORDER BY organization_id, environment, id LIMIT 1';
  expect(await plans.readWhole(unconditional)).toEqual(['claim_projects']);
});

describe.skipIf(isLeftOut).each(named(app.operations))('%s', (_id, operation) => {
  it('finds its rows by indexes, with every filter, however many records there are', async () => {
    const { key } = await aTenant(app);
    const parents: RecordIds = new Map();
    const call = await validCall(app, operation, key, parents);
    await sendCall(app, call, key);
    if (listsOf(app).includes(operation)) {
      const record = await createRecord(app, operation.path, key, new Map(parents));
      for (const query of await queriesFor(app, operation, { path: call.path, key, record }))
        await sendCall(app, { operation, path: `${call.path}?${new URLSearchParams({ ...query, page: '9' }).toString()}` }, key);
    }
    expect(statements.size).toBeGreaterThan(0);
    expect(await takeReadWhole()).toEqual([]);
  });
});
