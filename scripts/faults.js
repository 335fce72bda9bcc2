/**
 * `npm run faults` runs the fault tests; its arguments go to Vitest. With `--ha` it runs those of high availability only, for longer, and
 * then prints a table of what each fault cost those who called meanwhile.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HIGH_AVAILABILITY = ['pgbouncer', 'failover', 'redis-engines', 'rolling-restart', 'read-replica'];
const LONG = { TEST_RESTARTS: '20', TEST_CALLS_PER_SECOND: '200', TEST_WRITES: '2000' };
const HEADINGS = ['Fault under load', 'Calls', 'Failed', 'Lost', 'Doubled', 'First write after'];

const given = process.argv.slice(2);
process.exitCode = given.includes('--ha')
  ? highAvailability(given.filter((argument) => argument !== '--ha'))
  : vitest(['--project', 'faults', '--project', 'measured', ...given]);

function vitest(options, env = {}) {
  return spawnSync('vitest', ['run', ...options], { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;
}

/** One test after the other, because they measure how long callers wait. What is set already stays. */
function highAvailability(options) {
  const folder = mkdtempSync(join(tmpdir(), 'claims-figures-'));
  const file = join(folder, 'figures');
  const files = HIGH_AVAILABILITY.map((name) => `test/faults/${name}.test.ts`);
  const env = { ...LONG, ...process.env, TEST_FIGURES: file };
  const status = vitest(['--project', 'faults', '--maxWorkers', '1', ...files, ...options], env);
  if (existsSync(file)) printTable(readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse));
  rmSync(folder, { recursive: true });
  return status;
}

function printTable(figures) {
  const rows = figures.map(({ fault, calls, failed, lost, doubled, firstWriteMs }) => [
    fault,
    ...[calls, failed, lost, doubled].map((count) => count.toLocaleString('en')),
    firstWriteMs === undefined ? 'never stopped' : `${Math.round(firstWriteMs)} ms`,
  ]);
  for (const row of [HEADINGS, HEADINGS.map((_, index) => (index === 0 ? '---' : '--:')), ...rows]) console.log(`| ${row.join(' | ')} |`);
}
