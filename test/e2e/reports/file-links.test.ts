import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { openReports, REPORTS } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

interface Link {
  readonly address: string;
  readonly expiresAt: string;
}

/** A run with a file, and what is done with links to it. */
async function withFile() {
  const open = await openReports(app);
  await open.taken();
  const run = await open.run();
  const link = async (wanted: object = {}): Promise<Link> => {
    const answer = await open.api.post(`${REPORTS}/${run.id}/links`, { format: 'json', ...wanted });
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Link;
  };
  const actions = async (): Promise<string[]> => {
    const wanted = `organization_id = $1 AND action IN ('claim_report.linked', 'claim_report.file_taken')`;
    const both = ['audit_entries', 'audit_events'].map((table) => `SELECT action FROM ${table} WHERE ${wanted}`).join(' UNION ALL ');
    return (await rowsOf<{ action: string }>(app.databaseUrl, both, [open.organizationId])).map(({ action }) => action).sort();
  };
  return { ...open, reportId: run.id, link, actions };
}

const take = (address: string, headers: Record<string, string> = {}) => fetch(address, { method: 'POST', headers });

describe('a link to a file', () => {
  it('opens one file for whoever has the address, and the audit log tells each time', async () => {
    const { link, api, reportId, actions } = await withFile();
    const { address } = await link();
    const page = await fetch(address);
    expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
    expect(await page.text()).toContain(`report-${reportId}.json`);
    expect(await actions()).toEqual(['claim_report.linked']);
    for (const _time of [1, 2]) {
      const file = await take(address);
      expect([file.status, file.headers.get('content-disposition')]).toEqual([200, expect.stringContaining('attachment')]);
      expect(await file.text()).toBe((await api.get(`${REPORTS}/${reportId}/outputs/json`)).text);
    }
    expect(await actions()).toEqual(['claim_report.file_taken', 'claim_report.file_taken', 'claim_report.linked']);
  });

  it('that opens once does so for one of many who try at the same time', async () => {
    const { link, actions } = await withFile();
    const { address } = await link({ isOnce: true });
    expect((await fetch(address)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 8 }, () => take(address)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 404)]);
    expect((await actions()).filter((action) => action === 'claim_report.file_taken')).toHaveLength(1);
  });

  it('ends after its minutes, and opens nothing once it was changed or belongs to another service', async () => {
    const { link } = await withFile();
    const { address, expiresAt } = await link({ minutes: 5 });
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 300_000)).toBeLessThan(20_000);
    const wrong = [address.slice(0, -4), `${address}AAAA`, address.replace('file_', ''), address.replace(/.{8}$/, 'AAAAAAAA')];
    for (const one of wrong) expect([(await fetch(one)).status, (await take(one)).status], one).toEqual([404, 404]);
    // From a form of another site, whoever has the address in the browser takes nothing.
    expect((await take(address, { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' })).status).not.toBe(200);
  });

  it('opens nothing of a suspended organization', async () => {
    const { link, organizationId } = await withFile();
    const { address } = await link();
    await rowsOf(app.databaseUrl, `UPDATE organizations SET status = 'suspended' WHERE id = $1`, [organizationId]);
    expect([(await fetch(address)).status, (await take(address)).status]).toEqual([404, 404]);
  });

  it('opens nothing of a run that is gone', async () => {
    const { link, reportId } = await withFile();
    const { address } = await link();
    await rowsOf(app.databaseUrl, 'DELETE FROM claim_report_files WHERE report_id = $1', [reportId]);
    await rowsOf(app.databaseUrl, 'DELETE FROM claim_reports WHERE id = $1', [reportId]);
    expect([(await fetch(address)).status, (await take(address)).status]).toEqual([404, 404]);
  });

  it('is refused for a file that the run does not have, and to a key without the scope', async () => {
    const { api, reportId } = await withFile();
    expect(await api.post(`${REPORTS}/${reportId}/links`, { format: 'pdf' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await api.post(`${REPORTS}/${reportId}/links`, { format: 'json', minutes: 1441 })).toMatchObject({ status: 400 });
  });
});
