// `npm run bench -- --only lists` compares lists of an organization with 1,000,000 records and of one with 1,000 in the
// same table, in which 200 other organizations have newer records. Calls of both alternate, so that the ratio does not depend on
// the machine.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { record } from './record.js';
import { openStage } from './stage.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 200);
const LARGE = Number(process.env.BENCH_ROWS ?? 1_000_000);
const SMALL = 1000;
const OTHERS = 200;
const PORT = 3803;

const CITIES = ['Berlin', 'Hamburg', 'München', 'Köln', 'Frankfurt', 'Stuttgart', 'Düsseldorf', 'Leipzig', 'Dortmund', 'Essen'];
const PREMISES = ['office', 'warehouse', 'plant', 'headquarters', 'laboratory', 'depot', 'shop'];
const CLIENTS = [
  'Meyer',
  'Schmidt',
  'Weber',
  'Wagner',
  'Becker',
  'Schulz',
  'Hoffmann',
  'Koch',
  'Richter',
  'Klein',
  'Wolf',
  'Neumann',
  'Braun',
];
/** Each word is in three names of every organization, spread over the years. */
const RARE = ['Xanadu', 'Quetzal', 'Zypern', 'Kyjiw', 'Jaxartes', 'Uxbridge', 'Vilnius', 'Phoenix'];

/** More word parts than there are rounds. Each is in about a tenth of the records. */
const FREQUENT = [
  ...new Set(
    [...CITIES, ...PREMISES].flatMap((word) =>
      [...word].flatMap((_, from) => [...word].slice(from + 3).map((_letter, more) => word.slice(from, from + 4 + more))),
    ),
  ),
];

const oneOf = (words, by) => `(ARRAY['${words.join("','")}'])[1 + (${by}) % ${words.length}]`;
/** Pseudo-random, so that the properties of a record do not correlate. */
const chance = (salt) => `(hashint4(n * 64 + ${salt}) & 2147483647)`;
const NAME = `${oneOf(CITIES, chance(1))} || ' ' || ${oneOf(PREMISES, chance(2))}
  || ' ' || (2015 + n * 11 / rows) || ' ' || ${oneOf(CLIENTS, chance(3))} || ' ' || n
  || CASE WHEN (n + rows / 7) % (rows / 3) < ${RARE.length} THEN ' ' || ${oneOf(RARE, '(n + rows / 7) % (rows / 3)')} ELSE '' END`;
const PROJECT = "(SELECT id FROM claim_projects p WHERE p.organization_id = tenant AND p.environment = 'test' ORDER BY id LIMIT 1)";
const DATES = { period_start: "DATE '2026-01-01'", period_end: "DATE '2026-12-31'" };
const JSON_TEXT = `'{"officeCode":"BER-' || n % 97 || '","floors":[1,2,3],"contact":{"name":"Erika Mustermann","open":true}}'`;

/** The measured lists: path, SQL for their records, and filters. Lists without a search index are skipped. */
const LISTS = [
  {
    path: '/v1/claim-projects',
    table: 'claim_projects',
    change: (round) => ({ metadata: { round } }),
    filters: ['status=active'],
    texts: ['name', 'client_reference'],
    columns: {
      client_reference: `'CLIENT-' || ${chance(4)} % 1000000`,
      ...DATES,
      status: `CASE WHEN ${chance(5)} % 10 < 6 THEN 'active' ELSE 'archived' END`,
      metadata: `(${JSON_TEXT})::json`,
      unique_key: UNIQUE(),
    },
  },
  {
    path: '/v1/expense-categories',
    table: 'expense_categories',
    change: (round) => ({ sourceMapping: { round } }),
    filters: ['status=active', 'project_id='],
    texts: ['code', 'name'],
    columns: {
      code: `'EXP-' || ${chance(4)} % 1000000`,
      project_id: `CASE WHEN ${chance(6)} % 2 = 0 THEN ${PROJECT} END`,
      source_provider: "'manual'",
      source_mapping: `(${JSON_TEXT})::json`,
      status: `CASE WHEN ${chance(5)} % 10 < 6 THEN 'active' ELSE 'archived' END`,
      unique_key: UNIQUE(),
    },
  },
  {
    path: '/v1/report-configurations',
    table: 'report_configurations',
    change: (round) => ({ outputOptions: { round } }),
    filters: ['status=ready', 'project_id='],
    texts: ['name'],
    columns: {
      project_id: `CASE WHEN ${chance(6)} % 2 = 0 THEN ${PROJECT} END`,
      accounting_provider: "'manual'",
      ...DATES,
      category_filter: `(${JSON_TEXT})::json`,
      output_options: "'{}'::json",
      status: `CASE WHEN ${chance(5)} % 10 < 6 THEN 'ready' ELSE 'archived' END`,
    },
  },
];

/** A digest with the length of the service's digests. */
function UNIQUE() {
  return "rtrim(translate(encode(sha256((tenant::text || n)::bytea), 'base64'), '+/', '-_'), '=')";
}

const kinds = ({ filters, projectId, change }) => [
  ['first page', () => ''],
  // A change clears the service's cached count.
  ['first page, right after a change', () => '', change],
  ['filtered by status, right after a change', () => filters[0], change],
  ...filters.map((filter) => [
    `filtered by ${filter.split('=')[0]}`,
    (tenant) => (filter === 'project_id=' ? filter + projectId(tenant) : filter),
  ]),
  ['search, in 3 records', (_tenant, round) => `search=${RARE[round % RARE.length]}`],
  ['search, a number that is in one name', (_tenant, round) => `search=${123456 + 3571 * round}`],
  ['search, no match', (_tenant, round) => `search=Nowhere${round % 10}`],
  ['search, in 1 of 10, never asked before', (_tenant, round) => `search=${encodeURIComponent(FREQUENT[round % FREQUENT.length])}`],
  ['search, in 1 of 10, pages 1 to 5 of it', (_tenant, round) => `search=office&page=${1 + (round % 5)}`],
  ['search, in every record', () => 'search=2'],
  ['search and status', (_tenant, round) => `${filters[0]}&search=${RARE[round % RARE.length]}`],
  ['page 1,000', () => 'page=1000'],
];

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
function call(url, key, change) {
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const headers = { 'x-api-key': key, ...(change && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }) };
    request(url, { agent, headers, method: change ? 'PATCH' : 'GET' }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const ms = performance.now() - begin;
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 200) resolve({ ms, body: JSON.parse(text) });
        else reject(new Error(`${url} answered ${answer.statusCode}: ${text}`));
      });
    })
      .on('error', reject)
      .end(change && JSON.stringify(change));
  });
}

async function fill(sql, { table, columns, texts }, tenant, rows, start) {
  const given = { organization_id: 'tenant', environment: "'test'", created_at: 'now()', updated_at: 'now()', name: NAME, ...columns };
  // Ids in time order, like those of the service.
  const random = "'7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(tenant::text || n), 1, 15)";
  const id = `(lpad(to_hex(${start} + n), 12, '0') || ${random})::uuid`;
  const names = Object.keys(given);
  await sql(
    `INSERT INTO ${table} (id, ${names.join(', ')}, search_key)
    SELECT ${id}, ${names.join(', ')}, upper(concat_ws(U&'\\FFFF', ${texts.join(', ')}))
    FROM (SELECT tenant, n, ${names
      .filter((name) => name !== 'organization_id')
      .map((name) => `${given[name]} AS ${name}`)
      .join(', ')}, tenant AS organization_id
      FROM (SELECT $1::uuid AS tenant, ${rows} AS rows, n FROM generate_series(1, ${rows}) n) numbers) made`,
    [tenant],
  );
}

async function seed({ sql, tenant }) {
  const large = await tenant('large');
  const small = await tenant('small');
  const found = [];
  for (const list of LISTS) {
    const [search] = await sql('SELECT to_regclass($1) AS name', [`${list.table}_search`]);
    if (!search.name) continue;
    const begin = performance.now();
    const indexes = await sql("SELECT indexdef, indexname FROM pg_indexes WHERE tablename = $1 AND indexname NOT LIKE '%pkey'", [
      list.table,
    ]);
    // Drops the indexes and creates them afterwards, which is much faster than inserting into them.
    for (const { indexname } of indexes) await sql(`DROP INDEX ${indexname}`);
    await fill(sql, list, large.id, LARGE, 1.76e12);
    await fill(sql, list, small.id, SMALL, 1.77e12);
    for (let other = 0; other < OTHERS; other += 1) {
      const [{ id }] = await sql('SELECT gen_random_uuid() AS id');
      await fill(sql, list, id, SMALL, 1.771e12 + other * SMALL);
    }
    await sql("SET maintenance_work_mem = '512MB'");
    for (const { indexdef } of indexes) await sql(indexdef);
    await sql(`VACUUM ANALYZE ${list.table}`);
    const projects = new Map();
    for (const { id } of [large, small])
      projects.set(id, (await sql('SELECT id FROM claim_projects WHERE organization_id = $1 ORDER BY id LIMIT 1', [id]))[0].id);
    found.push({ ...list, projectId: ({ id }) => projects.get(id) });
    console.log(`${list.table}: filled in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
  }
  return { large, small, lists: found };
}

const printRow = (kind, small, large, ratio, total) =>
  console.log(`  ${kind.padEnd(40)} ${small.padStart(9)} ${large.padStart(13)} ${ratio.padStart(7)}   ${total.padStart(8)}`);

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function measure(url, { large, small }, path, [kind, queryOf, change]) {
  const times = { small: [], large: [] };
  let total;
  for (let round = -20; round < ROUNDS; round += 1) {
    for (const [size, tenant] of [
      ['small', small],
      ['large', large],
    ]) {
      if (change) await call(`${url}${path}/${tenant.recordId}`, tenant.key, change(round));
      const { ms, body } = await call(`${url}${path}?${queryOf(tenant, round + 20)}`, tenant.key);
      if (round >= 0) times[size].push(ms);
      const { pagination } = body;
      total = pagination.totalRelation === 'exact' ? `${pagination.total}` : `> ${pagination.total}`;
    }
  }
  const [at, of] = [median(times.small), median(times.large)];
  record(`lists of ${path.replace('/v1/', '')}`, {
    [kind]: { [`ms at ${SMALL}`]: at.toFixed(2), [`ms at ${LARGE}`]: of.toFixed(2), ratio: (of / at).toFixed(2) },
  });
  printRow(kind, at.toFixed(2), of.toFixed(2), (of / at).toFixed(2), total);
}

const stage = await openStage();
try {
  const seeded = await stage.seedWith(seed);
  const url = await stage.startServer('dist/src/main.js', PORT);
  for (const list of seeded.lists) {
    console.log(`\n${list.path}`);
    printRow('kind', 'ms at', 'ms at', 'ratio', 'found at');
    printRow('', SMALL.toLocaleString('en'), LARGE.toLocaleString('en'), '', 'the large');
    for (const tenant of [seeded.large, seeded.small]) tenant.recordId = (await call(`${url}${list.path}`, tenant.key)).body.data[0].id;
    for (const kind of kinds(list)) await measure(url, seeded, list.path, kind);
  }
} finally {
  agent.destroy();
  await stage.close();
}
