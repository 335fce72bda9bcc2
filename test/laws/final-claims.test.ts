import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inputsHashOf } from '../../src/modules/reports/engine/compute.js';
import type { RunInputs } from '../../src/modules/reports/engine/inputs.js';
import { aKey, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { CLOSINGS } from '../support/closings.js';
import { named, startDocumentedApp, writesOf } from '../support/documented-app.js';
import { rowsOf } from '../support/database.js';
import { createRecord, type RecordIds, sendCall, validCall } from '../support/law-call.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

const REPORTS = '/v1/claim-reports';

/** A claim that is final by what Postgres knows: no worker makes packs here. */
let key: string;
let reportId: string;
let made: RecordIds;
beforeAll(async () => {
  const { organization, key: first } = await aTenant(app);
  key = first;
  const [api, other] = [new Client(app.url, key), new Client(app.url, (await aKey(app, organization.id)).key)];
  reportId = (await createRecord(app, REPORTS, key)).id;
  const ofClaim = await rowsOf<{ id: string }>(app.databaseUrl, 'SELECT project_id AS id FROM claim_reports WHERE id = $1', [reportId]);
  const { id: itemId } = await createRecord(app, '/v1/claim-items', key, new Map([['/v1/claim-projects', ofClaim[0]!.id]]));
  expect((await api.post(CLOSINGS, { reportId, state: 'reviewed' })).status).toBe(201);
  expect((await other.post(CLOSINGS, { reportId, state: 'approved' })).status).toBe(201);
  const columns = 'organization_id, environment, report_id, project_id, period_start, period_end';
  const rest = 'actor_type, actor_name, person, inputs_hash, created_at, updated_at';
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO claim_closings (id, ${columns}, ${rest}, state, version)
       SELECT gen_random_uuid(), ${columns}, ${rest}, 'final', 1 FROM claim_closings WHERE report_id = $1 AND state = 'reviewed'`,
    [reportId],
  );
  const [run] = await rowsOf<{ project: string; configuration: string }>(
    app.databaseUrl,
    'SELECT project_id AS project, report_configuration_id AS configuration FROM claim_reports WHERE id = $1',
    [reportId],
  );
  // What each call is about: the records of the claim.
  made = new Map([
    [REPORTS, reportId],
    ['/v1/claim-projects', run!.project],
    ['/v1/claim-items', itemId],
    ['/v1/report-configurations', run!.configuration],
  ]);
});

async function finalClaim() {
  const [row] = await rowsOf<{ inputs: RunInputs; result: { inputsHash: string; engineVersion: string } }>(
    app.databaseUrl,
    `SELECT inputs, result FROM claim_reports WHERE id = $1`,
    [reportId],
  );
  const whole = await rowsOf(
    app.databaseUrl,
    `SELECT r::text AS row FROM claim_reports r WHERE id = $1 UNION ALL SELECT f::text FROM claim_report_files f WHERE report_id = $1`,
    [reportId],
  );
  const { inputs, result } = row!;
  return { hash: inputsHashOf(inputs, result.engineVersion), stated: result.inputsHash, whole };
}

/** It deletes them, and nothing else can: `test/e2e/test-environment/reset.test.ts`. */
const RESET = 'test.reset';

describe.each(named(writesOf(app).filter(({ id }) => id !== RESET)))('%s', (_id, operation) => {
  it('changes nothing of a final claim of whose project, configuration and run it is, whether it succeeds or is refused', async () => {
    const before = await finalClaim();
    expect(before.hash).toBe(before.stated);
    const answer = await sendCall(app, await validCall(app, operation, key, new Map(made)), key);
    expect([operation.status, 409], answer.text).toContain(answer.status);
    expect(await finalClaim()).toEqual(before);
  });
});
