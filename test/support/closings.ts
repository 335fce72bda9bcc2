import { expect } from 'vitest';
import type { ClaimClosingDto } from '../../src/modules/reports/index.js';
import type { TestApp } from './app.js';
import { aKey } from './builders.js';
import { Client } from './client.js';
import { openReports, rule } from './reports.js';

export const CLOSINGS = '/v1/claim-closings';

/** An organization whose claims two people close: each has a key. */
export async function openClosings(app: TestApp) {
  const reports = await openReports(app);
  const other = new Client(app.url, (await aKey(app, reports.organizationId)).key);
  const { api, project, configuration, category, taken, run } = reports;
  /** A run of a project with a statement, and with an evidence pack. */
  const claim = async (formats: readonly string[] = ['evidence']) => {
    const { id: projectId } = await project();
    const statement = await taken({ projectId });
    await category('TRAVEL', [rule('ticket')], { projectId });
    const { id: reportConfigurationId } = await configuration({ projectId, outputOptions: { formats } });
    const report = await run({ projectId, reportConfigurationId });
    expect(report).toMatchObject({ status: 'succeeded' });
    return { projectId, statement, reportConfigurationId, report };
  };
  const take = (reportId: string, state: string, wanted: object = {}, by = api) => by.post(CLOSINGS, { reportId, state, ...wanted });
  const taking = async (...wanted: Parameters<typeof take>): Promise<ClaimClosingDto> => {
    const { status, text, body } = await take(...wanted);
    expect(status, text).toBe(201);
    return body as ClaimClosingDto;
  };
  /** Reviews, approves and closes the claim of a run. */
  const close = async (reportId: string, wanted: object = {}): Promise<ClaimClosingDto> => {
    await taking(reportId, 'reviewed');
    await taking(reportId, 'approved', {}, other);
    return taking(reportId, 'final', wanted);
  };
  return { ...reports, other, claim, take, taking, close };
}
