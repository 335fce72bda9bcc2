// `npm run bench:engine`: what a report of 100,000 lines, 200 rules and 50 categories takes, in seconds and memory of this
// process, which does nothing else. The lines are made while they are read, as they would come from the database.
import { computeReport } from '../../dist/src/modules/reports/engine/compute.js';

const LINES = Number(process.env.BENCH_LINES ?? 100_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CATEGORIES = 50;
const RULES_EACH = 4;
const STATEMENTS = 24;
const BATCH = 500;

const WORDS = 'payment hosting services number rail ticket berlin munich invoice card purchase lastschrift transfer coffee shop office depot marketplace order train hotel flight taxi lunch storage cloud licence subscription parking fuel postage insurance'.split(' ');
const OTHERS = ['Nordlicht Energie GmbH', 'Beispiel Bahn AG', 'Example Cloud Ltd', 'Musterhotel KG', 'PERSON-7Q2M4XKD9A', 'PERSON-K3V9T0B2YH', null];
const word = (chance) => WORDS[Math.floor(chance() * WORDS.length)];

const inputs = { project: null, configuration: null, categories: categories(), statements: statements() };
for (let round = 0; round < ROUNDS; round += 1) {
  const made = await timed(async () => { for await (const _ of lines()) continue; });
  let claimed = 0;
  const all = await timed(() => computeReport(inputs, lines(), { tokenOf, onLine: ({ category }) => (claimed += category === null ? 0 : 1) }));
  console.log(`report       ${(all.clock - made.clock).toFixed(2)} s, ${(all.processor - made.processor).toFixed(2)} s of the processor, for ${LINES} lines, ${CATEGORIES * RULES_EACH} rules, ${CATEGORIES} categories; ${claimed} lines claimed`);
}
console.log(`memory       ${Math.round(process.resourceUsage().maxRSS / 1024)} MB at most`);

/** Seconds by the clock, and of the processor: the latter say more where the machine does other work, too. */
async function timed(work) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { clock: (performance.now() - start) / 1000, processor: (user + system) / 1e6 };
}

function tokenOf(field, value) {
  return `${field === 'account' ? 'ACCOUNT' : 'PERSON'}-${Buffer.from(value).toString('hex').slice(0, 10).toUpperCase()}`;
}

/** The same numbers each time. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

function categories() {
  const chance = seeded(7);
  return Array.from({ length: CATEGORIES }, (_, category) => ({
    id: idOf(category), projectId: null, code: `CATEGORY-${category}`, name: `Category ${category}`, status: 'active',
    sourceMapping: { priority: category % 3, rules: Array.from({ length: RULES_EACH }, (_rule, rule) => ruleOf((category * RULES_EACH + rule) % 8, chance)) },
  }));
}

/** Texts, amounts and days, parties; and a quarter of them with patterns, which cost most: half of these with nothing beside. */
function ruleOf(kind, chance) {
  const [first, second] = [word(chance), word(chance)];
  const pattern = { field: 'description', op: 'matches', value: `\\b${first} (${second}|${word(chance)})\\b.*[0-9]{4}` };
  return [
    { claimablePercent: 100, all: [{ field: 'description', op: 'contains', value: `${first} ${second}` }], none: [{ field: 'direction', op: 'is', value: 'in' }] },
    { claimablePercent: 33.3333, all: [{ field: 'amount', op: 'between', value: [10, '99.99'] }, { field: 'date', op: 'gte', value: '2026-06-01' }], any: [{ field: 'description', op: 'startsWith', value: first }, { field: 'reference', op: 'endsWith', value: second }] },
    { claimablePercent: 50, all: [{ field: 'counterparty', op: 'oneOf', value: ['Example Cloud Ltd', 'Erika Mustermann'] }, { field: 'description', op: 'contains', value: second }, { field: 'account', op: 'endsWith', value: '3000' }] },
    { claimablePercent: 19, all: [pattern] },
    { claimablePercent: 100, any: [{ field: 'description', op: 'contains', value: first }, { field: 'counterparty', op: 'is', value: second }], none: [{ field: 'amount', op: 'lte', value: 350 }] },
    { claimablePercent: 70, all: [{ field: 'counterparty', op: 'endsWith', value: 'GmbH' }, { field: 'description', op: 'startsWith', value: first }] },
    { claimablePercent: 10, all: [{ field: 'reference', op: 'startsWith', value: `RF-${Math.floor(chance() * 1000)}` }, { field: 'currency', op: 'oneOf', value: ['EUR', 'USD'] }] },
    { claimablePercent: 12.5, all: [pattern, { field: 'amount', op: 'gte', value: 100 }] },
  ][kind];
}

function statements() {
  return Array.from({ length: STATEMENTS }, (_, index) => ({
    id: idOf(1000 + index), projectId: null, sha256: 'a'.repeat(64), redactionVersion: '1.0.0',
    ...monthOf(index), balances: [{ account: 'ACCOUNT-7Q2M4XKD9A (3000)', currency: 'EUR', opening: null, closing: null }],
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
    statementId: idOf(1000 + statement), lineNumber: index + 1, account: 'ACCOUNT-7Q2M4XKD9A (3000)', currency: chance() < 0.02 ? 'USD' : 'EUR', amount,
    bookedOn: `${monthOf(statement).periodStart.slice(0, 8)}${String(1 + Math.floor(chance() * 28)).padStart(2, '0')}`,
    description: `${Array.from({ length: 8 }, () => word(chance)).join(' ')} ${index}`,
    counterparty: OTHERS[Math.floor(chance() * OTHERS.length)], counterpartyAccount: `ACCOUNT-${Math.floor(chance() * 1e9).toString(36).toUpperCase()}`,
    reference: `RF-${Math.floor(chance() * 1e9)}`, fingerprint: Math.floor(chance() * 0xffffffff).toString(16).padStart(32, '0'),
  };
}

function idOf(number) {
  return `0199e9a4-7c1e-7b6a-9f0e-${String(number).padStart(12, '0')}`;
}
