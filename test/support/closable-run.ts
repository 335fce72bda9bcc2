import { inputsHashOf } from '../../src/modules/reports/engine/compute.js';
import { someResult } from '../../src/modules/reports/outputs/fixtures/report.js';
import type { Client } from './client.js';
import { newId } from '../../src/kernel/ids.js';
import { rowsOf } from './database.js';

/** A run of a project as a worker leaves it, whose claim can be closed. */
export async function aClosableRun(databaseUrl: string, api: Client, own: object = {}): Promise<{ id: string }> {
  const made = async (path: string, body: object) => (await api.post(path, body)).body as { id: string };
  const period = { periodStart: '2026-01-01', periodEnd: '2026-06-30' };
  const project = { ...(await made('/v1/claim-projects', { name: newId(), ...period })), name: 'Berlin office', ...period };
  const configuration = await made('/v1/report-configurations', { name: newId(), ...period, projectId: project.id });
  const report = await made('/v1/claim-reports', { projectId: project.id, reportConfigurationId: configuration.id, ...own });
  const { id, name, periodStart, periodEnd } = project;
  const inputs = { project: { id, name, periodStart, periodEnd }, configuration: null, categories: [], statements: [] };
  const result = {
    ...someResult,
    inputsHash: inputsHashOf(inputs, someResult.engineVersion),
    controls: someResult.controls.map((control) => ({ ...control, actual: control.expected, ok: true })),
    outputs: [{ format: 'json', bytes: 2, sha256: '' }],
  };
  const now = new Date().toISOString();
  await rowsOf(
    databaseUrl,
    `UPDATE claim_reports SET status = 'succeeded', started_at = $2, finished_at = $2, inputs = $3, result = $4 WHERE id = $1`,
    [report.id, now, JSON.stringify(inputs), JSON.stringify(result)],
  );
  await rowsOf(
    databaseUrl,
    `INSERT INTO claim_report_files (report_id, organization_id, environment, format, content)
       SELECT id, organization_id, environment, 'json', '{}' FROM claim_reports WHERE id = $1
       ON CONFLICT DO NOTHING`,
    [report.id],
  );
  return (await api.get(`/v1/claim-reports/${report.id}`)).body as { id: string };
}
