// A record of speed: what the benchmarks of one run found, by table, with the machine and the day. `npm run bench -- --record` keeps it in
// record.json, from which the tables of docs/performance.md are made.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('record.json', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const GIB = 2 ** 30;
/** Between these, a table of the document is made from the record. */
const PLACE = /(<!-- record: ([\w, -]+) -->\n)[^]*?(<!-- \/record -->)/g;

/** Notes rows of a table, each an object of columns with its name as the key. Only where they are asked for. */
export function record(table, rows) {
  if (process.env.BENCH_RECORD) appendFileSync(process.env.BENCH_RECORD, `${JSON.stringify({ table, rows })}\n`);
}

/** The record with what was noted since: a table that was measured again is replaced, the others stay. */
export function keep(noted) {
  const lines = existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n').filter(Boolean) : [];
  const known = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
  const measured = { on: new Date().toISOString().slice(0, 10), commit: commit(), machine: machine() };
  const again = new Set();
  for (const { table, rows } of lines.map(JSON.parse)) {
    known[table] = again.has(table) ? { ...known[table], rows: { ...known[table].rows, ...rows } } : { ...measured, rows };
    again.add(table);
  }
  writeFileSync(FILE, `${JSON.stringify(known, null, 2)}\n`);
  writeFileSync(DOCUMENT, documentOf(readFileSync(DOCUMENT, 'utf8'), known));
}

const commit = () => execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim();

function machine() {
  const [{ model }] = cpus();
  return `${availableParallelism()} × ${model.trim()}, ${Math.round(totalmem() / GIB)} GiB, Node ${process.versions.node.split('.')[0]}`;
}

/** The document with the tables of a record in their places. */
export const documentOf = (text, known) =>
  text.replace(
    PLACE,
    (_all, start, names, end) =>
      start +
      names
        .split(', ')
        .map((name) => tableOf(name, known[name]))
        .join('\n') +
      end,
  );

function tableOf(name, table) {
  if (!table) return `\nNot measured yet: \`${name}\`.\n\n`;
  const rows = Object.entries(table.rows);
  const columns = [...new Set(rows.flatMap(([, figures]) => Object.keys(figures)))];
  const line = (cells) => `| ${cells.join(' | ')} |\n`;
  const text = [
    ['', ...columns],
    ['---', ...columns.map(() => '--:')],
    ...rows.map(([row, figures]) => [row, ...columns.map((at) => figures[at] ?? '–')]),
  ];
  return `\n${table.on}, ${table.machine}:\n\n${text.map(line).join('')}\n`;
}
