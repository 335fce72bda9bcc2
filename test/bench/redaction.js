// `npm run bench -- --only redaction [-- --samples DIR --show]`: how much of the personal data a redaction finds (recall), and how much
// of what it masks is personal data (precision), per kind, on invented lines and on the lines of the statements in a folder;
// and how long 100,000 lines take. `--labels FILE` measures people and firms by language on lines that somebody has labelled. Fails if it misses more than one in a hundred of a kind with check digits.
import { createReadStream } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Redactor } from '../../dist/tools/personal-data/index.js';
import { makeLines } from './redaction-lines.js';

const CHECKED = ['iban', 'card', 'us_routing', 'national_id'];
const LEAST_RECALL = 0.99;
const KEY = Buffer.alloc(32, 1);
const PER_KIND = Number(process.env.BENCH_LINES ?? 1000);
const TIMED = 100_000;
/** Shorter parts of a name tell nobody. */
const SHORTEST_PART = 3;

const { values: options } = parseArgs({
  options: { samples: { type: 'string' }, labels: { type: 'string' }, show: { type: 'boolean', default: false } },
});

const compact = (text) =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
/** The text that is kept of a line, without its tokens, since those may contain any letters. */
const keptOf = ({ description, counterparty, reference }) =>
  compact([description, counterparty, reference].join(' | ').replace(/(?:PERSON|ACCOUNT)-\w+/g, '|'));

function measure(cases) {
  const rows = new Map();
  const rowOf = (name) => rows.get(name) ?? rows.set(name, { labelled: 0, found: 0, wrong: 0 }).get(name);
  for (const { row, kind, secrets, line } of cases) {
    const redactor = new Redactor(KEY);
    const kept = redactor.redact(line);
    const text = keptOf(kept);
    const { [kind]: masked = 0, ...others } = redactor.counts;
    if (row) {
      rowOf(row).labelled += secrets.length;
      const found = secrets.filter((secret) => !text.includes(compact(secret))).length;
      rowOf(row).found += Math.min(found, masked);
      rowOf(row).wrong += Math.max(0, masked - secrets.length);
      if (options.show && Math.min(found, masked) < secrets.length)
        console.log(`missed ${row}: ${line.description} -> ${kept.description}`);
    }
    for (const [other, count] of Object.entries(others)) {
      rowOf(other).wrong += count;
      if (options.show) console.log(`wrong ${other}: ${line.description} -> ${kept.description}`);
    }
  }
  return rows;
}

function print(rows) {
  console.log(`${'kind'.padEnd(24)} ${'labelled'.padStart(9)} ${'found'.padStart(9)} ${'precision'.padStart(10)} ${'recall'.padStart(8)}`);
  for (const [name, { labelled, found, wrong }] of [...rows].sort()) {
    console.log(
      `${name.padEnd(24)} ${String(labelled).padStart(9)} ${String(found).padStart(9)} ${(found / (found + wrong) || 0).toFixed(4).padStart(10)} ${(found / labelled || 0).toFixed(4).padStart(8)}`,
    );
  }
}

/** Samples need no labels: the names and accounts in their fields must not be in the text that is kept. */
async function measureSamples(folder) {
  const { readStatement } = await import('../../dist/src/modules/statements/formats/read-statement.js');
  const totals = { lines: 0, labelled: 0, found: 0, unread: 0 };
  for (const name of await readdir(folder)) {
    const redactor = new Redactor(KEY);
    try {
      const { lines } = await readStatement(createReadStream(join(folder, name)), name);
      for await (const batch of lines) for (const line of batch) measureSample(redactor.redact(line), line, totals);
    } catch (error) {
      totals.unread += 1;
      console.log(`${name}: not read (${error.code ?? error.name})`);
    }
  }
  console.log(
    `samples: ${totals.lines} lines, ${totals.labelled} accounts and names of people in fields, ${totals.labelled - totals.found} of them still in a text, ${totals.unread} files not read`,
  );
  return totals.found === totals.labelled;
}

function measureSample(kept, { counterparty, counterpartyAccount }, totals) {
  totals.lines += 1;
  const text = keptOf(kept);
  const secrets = [counterpartyAccount, kept.counterparty?.startsWith('PERSON-') ? counterparty : null]
    .map((secret) => compact(secret ?? ''))
    .filter((secret) => secret.length > 3);
  totals.labelled += secrets.length;
  totals.found += secrets.filter((secret) => !text.includes(secret)).length;
}

/**
 * A line of the file: language, counterparty, description, people, firms, and, if known, the amount and `card`, separated by tabs;
 * several people or firms by semicolons. No part of a person's name must stay in the line (recall), firms must (readable).
 */
async function measureLabels(path) {
  const rows = new Map();
  for (const written of (await readFile(path, 'utf8')).split('\n').filter((row) => row.includes('\t'))) {
    const [language, counterparty, description, people = '', firms = '', amount = '', kind = ''] = written
      .split('\t')
      .map((field) => field.trim());
    const row = rows.get(language) ?? rows.set(language, { people: 0, masked: 0, firms: 0, readable: 0 }).get(language);
    const [{ line }] = cases;
    const isCardPayment = kind === 'card' || undefined;
    const known = { counterparty: counterparty || null, amount: amount || line.amount, isCardPayment };
    const kept = new Redactor(KEY).redact({ ...line, description, ...known });
    const text = keptOf(kept);
    const parts = (names) => names.split(';').map(compact).filter(Boolean);
    const words = new Set(`${kept.description} ${kept.counterparty}`.split(/[^\p{L}]+/u).map(compact));
    const left = people
      .split(';')
      .filter((name) => name.split(/[^\p{L}]+/u).some((part) => part.length >= SHORTEST_PART && words.has(compact(part))));
    const lost = parts(firms).filter((name) => !text.includes(name));
    row.people += parts(people).length;
    row.masked += parts(people).length - left.length;
    row.firms += parts(firms).length;
    row.readable += parts(firms).length - lost.length;
    if (options.show && left.length + lost.length > 0)
      console.log(`${language}: left ${left}, lost ${lost}: ${written} -> ${kept.counterparty} | ${kept.description}`);
  }
  console.log(
    `\n${'language'.padEnd(10)} ${'people'.padStart(7)} ${'masked'.padStart(7)} ${'firms'.padStart(7)} ${'readable'.padStart(9)}`,
  );
  for (const [language, { people, masked, firms, readable }] of [...rows].sort())
    console.log(
      [language.padEnd(10), ...[people, masked, firms].map((n) => String(n).padStart(7)), String(readable).padStart(9)].join(' '),
    );
}

function time(cases) {
  const redactor = new Redactor(KEY);
  const begin = process.cpuUsage();
  for (let index = 0; index < TIMED; index += 1) redactor.redact(cases[index % cases.length].line);
  const { user, system } = process.cpuUsage(begin);
  console.log(`\n${TIMED.toLocaleString('en')} lines: ${((user + system) / 1e6).toFixed(1)} s of one core`);
}

const cases = makeLines(20260312, PER_KIND);
const rows = measure(cases);
print(rows);
time(cases);
if (options.labels) await measureLabels(options.labels);
const samplesAreClean = options.samples === undefined || (await measureSamples(options.samples));
const missed = CHECKED.filter((kind) => rows.get(kind).found < rows.get(kind).labelled * LEAST_RECALL);
if (missed.length > 0) console.error(`Recall is below ${LEAST_RECALL} for ${missed.join(', ')}.`);
if (missed.length > 0 || !samplesAreClean) process.exitCode = 1;
