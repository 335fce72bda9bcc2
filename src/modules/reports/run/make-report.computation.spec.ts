import { describe, expect, it } from 'vitest';
import { DEFAULT_REPORT_LIMITS } from '../../../kernel/report-limits.js';
import { categoryOf, claiming, configurationOf, idOf, inputsOf, lineOf, statementOf } from '../engine/fixtures/run.js';
import type { RunInputs } from '../engine/inputs.js';
import { textsOfPdf } from '../outputs/fixtures/pdf-text.js';
import { sheetsOf } from '../outputs/fixtures/workbook.js';
import makeReport, { type LineBatch } from './make-report.computation.js';
import { unpacked } from '../outputs/fixtures/files.js';

const run = { id: idOf(700), startedAt: '2026-07-03T09:41:27.518Z' };
const statements = [statementOf(1, { fileName: 'january.csv', accountLabel: '•••• 3000' }), statementOf(2)];

async function* batches(): AsyncGenerator<LineBatch> {
  yield await Promise.resolve({ statementId: idOf(1), lines: [lineOf(1, '-10.00'), lineOf(1, '-5.00', { description: 'Lunch' })] });
  yield { statementId: idOf(2), lines: [lineOf(2, '-2.50')] };
}

async function filesOf(outputOptions: Record<string, unknown>, more: Partial<RunInputs> = {}): Promise<Map<string, Buffer>> {
  const inputs = inputsOf({
    organization: { name: 'Example Accountants' },
    configuration: configurationOf({ outputOptions }),
    categories: [categoryOf('RAIL', [claiming('rail')])],
    statements,
    ...more,
  });
  const files = new Map<string, Buffer>();
  for await (const { format, gzip } of makeReport({ run, inputs, tokenKey: Buffer.alloc(32), limits: DEFAULT_REPORT_LIMITS }, batches()))
    files.set(format, unpacked({ gzip }));
  return files;
}

describe('the files of a run', () => {
  it('list all lines in JSON and CSV only if the options ask for them, and the claimed ones in the PDF in any case', async () => {
    const formats = ['json', 'csv', 'xlsx', 'pdf'];
    const [short, long] = [await filesOf({ formats, detail: 'none' }), await filesOf({ formats, detail: 'lines' })];
    expect(JSON.parse(short.get('json')!.toString())).not.toHaveProperty('lines');
    expect(short.get('csv')!.toString()).not.toContain('Rail ticket');
    for (const files of [short, long]) {
      const words = textsOfPdf(files.get('pdf')!).flatMap((page) => page.map(({ text }) => text));
      expect(words).toEqual(expect.arrayContaining(['Rail ticket', 'january.csv', '10.00', '2.50']));
      expect(words).not.toContain('Lunch');
    }
    expect(JSON.parse(long.get('json')!.toString())).toMatchObject({ lines: [{}, { description: 'Lunch', category: null }, {}] });
  });

  it('name organization, project, configuration and run, and can do without for a run of an earlier release', async () => {
    const project = { id: idOf(901), name: 'Harbour & Finch Ltd', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
    const aboutOf = async (more: Partial<RunInputs>) =>
      Object.values(sheetsOf((await filesOf({ formats: ['xlsx'] }, more)).get('xlsx')!).get('Summary')!).map(({ value }) => value);
    expect(await aboutOf({ project: { ...project, clientReference: 'HF-2026' } })).toEqual(
      expect.arrayContaining(['Example Accountants', 'Harbour & Finch Ltd', 'HF-2026', 'Claims of 2026', run.id, '46206.403791']),
    );
    expect(await aboutOf({ project, organization: undefined })).toEqual(expect.arrayContaining(['Harbour & Finch Ltd', run.id]));
  });
});
