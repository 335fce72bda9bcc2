/**
 * `npm run faults` runs the fault tests, and prints a table of what each fault cost those who called meanwhile. Of its arguments,
 * - `--cycles 500 --calls-per-second 200 --seed 7` runs that many faults of a whole deployment; the seed decides their order and moments;
 * - `--minutes 25 --seed 7` runs a deployment for so long under a mix of calls, with a fault each minute and a Prometheus that reads it;
 * - `--ha` runs the faults of high availability only, for longer;
 * - others go to Vitest.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const HIGH_AVAILABILITY = [
  'pgbouncer',
  'pgbouncer-restart',
  'failover',
  'redis-engines',
  'rolling-restart',
  'upgrade',
  'load-balancers',
  'read-replica',
];
const LONG = { TEST_RESTARTS: '20', TEST_CALLS_PER_SECOND: '200', TEST_WRITES: '2000' };
const COLUMNS = {
  Times: ({ times }) => times,
  Calls: ({ calls }) => calls,
  Failed: ({ failed }) => failed,
  Lost: ({ lost }) => lost,
  Doubled: ({ doubled }) => doubled,
  'Sent again': ({ sentAgain }) => sentAgain,
  'First write after': ({ firstWriteMs }) => (firstWriteMs === undefined ? 'never stopped' : `${Math.round(firstWriteMs)} ms`),
  'Longest pause': ({ longestPauseMs }) => (longestPauseMs === undefined ? undefined : `${Math.round(longestPauseMs)} ms`),
};

/** Those measure how long callers wait. */
const alone = (names) => [
  '--project',
  'faults',
  '--project',
  'measured',
  '--maxWorkers',
  '1',
  ...names.map((name) => `test/faults/${name}.test.ts`),
];
const text = { type: 'string' };
const options = { ha: { type: 'boolean' }, cycles: text, minutes: text, 'calls-per-second': text, seed: text };
const { values, tokens } = parseArgs({ options, strict: false, tokens: true });
const rest = process.argv.slice(2).filter((_, index) => !tokens.some((token) => isOurs(token, index)));
process.exitCode = withTable((env) => vitest(chosen(env)));

/** Whether an argument, or the value behind it, is for us. */
function isOurs(token, index) {
  if (token.kind !== 'option' || !(token.name in options)) return false;
  const hasValueBehind = options[token.name].type === 'string' && !token.inlineValue;
  return index === token.index || (hasValueBehind && index === token.index + 1);
}

/** What is set already stays. */
function chosen(env) {
  if (values.ha) return { env: { ...LONG, ...env }, arguments: alone(HIGH_AVAILABILITY) };
  if (!values.cycles && !values.minutes) return { env, arguments: ['--project', 'faults', '--project', 'measured'] };
  const seed = values.seed ?? String(randomInt(2 ** 31));
  if (values.minutes) {
    console.log(`To repeat: npm run faults -- --minutes ${values.minutes} --seed ${seed}`);
    return { env: { ...env, TEST_MINUTES: values.minutes, TEST_SEED: seed }, arguments: alone(['endurance']) };
  }
  const asked = { TEST_CYCLES: values.cycles, TEST_CALLS_PER_SECOND: values['calls-per-second'] ?? '50', TEST_SEED: seed };
  const rate = asked.TEST_CALLS_PER_SECOND;
  console.log(`To repeat: npm run faults -- --cycles ${values.cycles} --calls-per-second ${rate} --seed ${seed}`);
  return { env: { ...env, ...asked }, arguments: [...alone(['losses']), '--bail', '1'] };
}

function vitest({ env, arguments: given }) {
  return spawnSync('vitest', ['run', ...given, ...rest], { stdio: 'inherit', env }).status ?? 1;
}

function withTable(run) {
  const folder = mkdtempSync(join(tmpdir(), 'claims-figures-'));
  const file = join(folder, 'figures');
  const status = run({ ...process.env, TEST_FIGURES: file });
  if (existsSync(file)) printTable(readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse));
  rmSync(folder, { recursive: true });
  return status;
}

/** A line for each fault, of all times that it came: sums, and the longest times. */
function printTable(figures) {
  const headings = ['Fault under load', ...Object.keys(COLUMNS)];
  const rows = [...new Set(figures.map(({ fault }) => fault))].map((fault) => {
    const whole = summed(figures.filter((each) => each.fault === fault));
    return [fault, ...Object.values(COLUMNS).map((column) => column(whole)?.toLocaleString('en') ?? '–')];
  });
  for (const row of [headings, headings.map((_, index) => (index === 0 ? '---' : '--:')), ...rows]) console.log(`| ${row.join(' | ')} |`);
}

function summed(times) {
  const of = (name) => times.map((each) => each[name]).filter((value) => value !== undefined);
  const sum = (name) => (of(name).length > 0 ? of(name).reduce((before, value) => before + value) : undefined);
  const longest = (name) => (of(name).length > 0 ? Math.max(...of(name)) : undefined);
  const counts = Object.fromEntries(['calls', 'failed', 'lost', 'doubled', 'sentAgain'].map((name) => [name, sum(name)]));
  return { times: times.length, ...counts, firstWriteMs: longest('firstWriteMs'), longestPauseMs: longest('longestPauseMs') };
}
