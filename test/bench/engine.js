// `npm run bench -- --only engine`: the seconds and memory that a report of 100,000 lines, 200 rules and 50 categories takes in a process
// that does nothing else. The lines are generated while they are read, as they would come from the database.
import { computeReport } from '../../dist/src/modules/reports/engine/compute.js';
import { CATEGORIES, OTHERS, RULES_EACH, categories, descriptionOf, idOf, seeded } from './report-rules.js';

const LINES = Number(process.env.BENCH_LINES ?? 100_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const STATEMENTS = 24;
const BATCH = 500;

const inputs = { project: null, configuration: null, categories: categories(), statements: statements() };
for (let round = 0; round < ROUNDS; round += 1) {
  const made = await timed(async () => {
    for await (const _ of lines()) continue;
  });
  let claimed = 0;
  const all = await timed(() =>
    computeReport(inputs, lines(), { tokenOf, onLine: ({ category }) => (claimed += category === null ? 0 : 1) }),
  );
  console.log(
    `report       ${(all.clock - made.clock).toFixed(2)} s, ${(all.processor - made.processor).toFixed(2)} s of the processor, for ${LINES} lines, ${CATEGORIES * RULES_EACH} rules, ${CATEGORIES} categories; ${claimed} lines claimed`,
  );
}
console.log(`memory       ${Math.round(process.resourceUsage().maxRSS / 1024)} MB at most`);

/** Wall time and CPU time in seconds. CPU time is more reliable on a busy machine. */
async function timed(work) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { clock: (performance.now() - start) / 1000, processor: (user + system) / 1e6 };
}

function tokenOf(field, value) {
  return `${field === 'account' ? 'ACCOUNT' : 'PERSON'}-${Buffer.from(value).toString('hex').slice(0, 10).toUpperCase()}`;
}

function statements() {
  return Array.from({ length: STATEMENTS }, (_, index) => ({
    id: idOf(1000 + index),
    projectId: null,
    sha256: 'a'.repeat(64),
    redactionVersion: '1.0.0',
    ...monthOf(index),
    balances: [{ account: 'ACCOUNT-7Q2M4XKD9A (3000)', currency: 'EUR', opening: null, closing: null }],
  }));
}

function monthOf(index) {
  const month = String((index % 12) + 1).padStart(2, '0');
  return { periodStart: `2026-${month}-01`, periodEnd: `2026-${month}-28` };
}

async function* lines() {
  const chance = seeded(42);
  for (let from = 0; from < LINES; from += BATCH) {
    yield Array.from({ length: Math.min(BATCH, LINES - from) }, (_, index) => lineOf(from + index, chance));
  }
}

function lineOf(index, chance) {
  const statement = Math.floor((index * STATEMENTS) / LINES);
  const amount = `${chance() < 0.1 ? '' : '-'}${Math.floor(chance() * 400)}.${String(Math.floor(chance() * 100)).padStart(2, '0')}`;
  return {
    statementId: idOf(1000 + statement),
    lineNumber: index + 1,
    account: 'ACCOUNT-7Q2M4XKD9A (3000)',
    currency: chance() < 0.02 ? 'USD' : 'EUR',
    amount,
    bookedOn: `${monthOf(statement).periodStart.slice(0, 8)}${String(1 + Math.floor(chance() * 28)).padStart(2, '0')}`,
    description: descriptionOf(index, chance),
    counterparty: OTHERS[Math.floor(chance() * OTHERS.length)],
    counterpartyAccount: `ACCOUNT-${Math.floor(chance() * 1e9)
      .toString(36)
      .toUpperCase()}`,
    reference: `RF-${Math.floor(chance() * 1e9)}`,
    fingerprint: Math.floor(chance() * 0xffffffff)
      .toString(16)
      .padStart(32, '0'),
  };
}
