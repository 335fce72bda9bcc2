import { expect } from 'vitest';
import type { TestApp } from './app.js';
import { openReports } from './reports.js';

const DAYS = { periodStart: '2026-01-01', periodEnd: '2026-01-31' };
const YEAR = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

/** An archived project that has a record of each kind, and a project that is not. */
export async function anArchive(app: TestApp) {
  const { api, key } = await openReports(app);
  const made = async (path: string, body: object) => {
    const answer = await api.post(path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.id as string;
  };
  const [projectId, open] = [
    await made('/v1/claim-projects', { name: 'Berlin office', ...YEAR }),
    await made('/v1/claim-projects', { name: 'Open', ...YEAR }),
  ];
  const category = await made('/v1/expense-categories', { code: 'RAIL', name: 'Rail', projectId });
  const configuration = await made('/v1/report-configurations', { name: 'January', ...DAYS, projectId });
  const writes = {
    'expense-categories': { code: 'HOTEL', name: 'Hotels', projectId },
    'report-configurations': { name: 'February', ...DAYS, projectId },
    'claim-reports': { reportConfigurationId: configuration },
    'bank-statements': { projectId, currency: 'EUR', lines: [{ bookedOn: '2026-01-05', description: 'Ticket', amount: '-89.90' }] },
    'claim-items': { name: 'Hours', projectId, categoryId: category, incurredOn: '2026-01-05', rate: '36.00', currency: 'EUR' },
  };
  expect((await api.patch(`/v1/claim-projects/${projectId}`, { status: 'archived' })).status).toBe(200);
  return { api, key, projectId, open, category, writes };
}
