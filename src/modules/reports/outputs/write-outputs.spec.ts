import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OutputFormat } from '../../rules/index.js';
import { someLine, someReport } from './fixtures/report.js';
import { writeOutputs } from './write-outputs.js';
import { unpacked } from './fixtures/files.js';

const BEGINNINGS: Record<OutputFormat, string> = {
  json: '{\n',
  csv: '\xef\xbb\xbf',
  xlsx: 'PK',
  pdf: '%PDF-',
  journal: '\xef\xbb\xbf',
  datev: '"EXTF"',
  form: '\xef\xbb\xbf',
  evidence: 'PK',
};

async function filesOf(...args: Parameters<typeof someReport>): Promise<Map<OutputFormat, Buffer>> {
  const files = new Map<OutputFormat, Buffer>();
  for await (const { format, gzip } of writeOutputs(someReport(...args))) files.set(format, unpacked({ gzip }));
  return files;
}

const hashesOf = async (...args: Parameters<typeof someReport>) =>
  [...(await filesOf(...args))].map(([format, content]) => `${format} ${createHash('sha256').update(content).digest('hex')}`);

afterEach(() => void vi.useRealTimers());

describe('the files of a report', () => {
  it('are those that the options name, always in the same order', async () => {
    const files = await filesOf({ options: { formats: ['pdf', 'csv', 'json', 'xlsx', 'csv'] } });
    expect([...files.keys()]).toEqual(['json', 'csv', 'xlsx', 'pdf']);
    for (const [format, content] of files) expect(content.toString('latin1').startsWith(BEGINNINGS[format])).toBe(true);
    expect([...(await filesOf({ options: { formats: ['csv'] } })).keys()]).toEqual(['csv']);
  });

  it('are the same bytes whenever they are written', async () => {
    const lines = Array.from({ length: 2_000 }, (_value, index) => ({ ...someLine, lineNumber: index + 1 }));
    const first = await hashesOf({ lines, options: { detail: 'lines' } });
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-08-07T21:43:12Z') });
    expect(await hashesOf({ lines, options: { detail: 'lines' } })).toEqual(first);
    expect(first).toHaveLength(4);
  });

  it('are different bytes for another report', async () => {
    const [some, others] = [
      await hashesOf(),
      await hashesOf({
        result: { ...someReport().result, totals: { ...someReport().result.totals, net: '1.00' } },
        options: { groupBy: [] },
      }),
    ];
    expect(some.filter((hash) => others.includes(hash))).toEqual([]);
  });

  it('do not block the event loop', async () => {
    const lines = Array.from({ length: 20_000 }, (_value, index) => ({ ...someLine, lineNumber: index + 1 }));
    for (const format of ['json', 'csv', 'xlsx'] as const) {
      let turns = 0;
      const count = () => {
        turns += 1;
        pending = setImmediate(count);
      };
      let pending = setImmediate(count);
      await filesOf({ lines, options: { formats: [format], detail: 'lines' } });
      clearImmediate(pending);
      expect(turns, format).toBeGreaterThan(10);
    }
  });
});
