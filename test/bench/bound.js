// `npm run bench -- --only bound`: lists by a key for one of 1,000 projects beside the same list by a key for all that asks for the project,
// and lists by a key for 50 of them (BENCH_PROJECTS) beside those of an organization that has no others. Each project has 200 records of
// each kind. The calls alternate, so that the ratio does not depend on the machine.
import { Agent, get } from 'node:http';
import { ApiKeysService } from '../../dist/src/modules/api-keys/index.js';
import { record } from './record.js';
import { openStage } from './stage.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 200);
const PROJECTS = 1000;
const EACH = 200;
const SOME = Number(process.env.BENCH_PROJECTS ?? 50);

const DATES = { period_start: "DATE '2026-01-01'", period_end: "DATE '2026-12-31'" };
const JSON_TEXT = `'{"officeCode":"BER","contact":{"name":"Erika Mustermann","open":true}}'::json`;
const LISTS = [
  {
    path: '/v1/claim-projects',
    table: 'claim_projects',
    each: 1,
    columns: { ...DATES, status: "'active'", metadata: JSON_TEXT, unique_key: 'n::text' },
  },
  {
    path: '/v1/expense-categories',
    table: 'expense_categories',
    columns: {
      ...{ code: "'EXP-' || n", source_provider: "'manual'", source_mapping: JSON_TEXT, status: "'active'", unique_key: 'n::text' },
    },
  },
  {
    path: '/v1/report-configurations',
    table: 'report_configurations',
    columns: { accounting_provider: "'manual'", ...DATES, category_filter: JSON_TEXT, output_options: "'{}'::json", status: "'ready'" },
  },
];
const KINDS = [
  ['first page', ''],
  ['page 3', 'page=3'],
  ['by status', 'status='],
  ['search, in every name', 'search=Client'],
  ['search, no match', 'search=Nowhere'],
];

/** Ids in time order, like those of the service; records of all projects in turn. */
const idOf = (start) =>
  `(lpad(to_hex(${start} + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid`;

async function fill(sql, { organizationId, projects }, { table, columns, each = EACH }, start) {
  const own = { ...columns, ...(table === 'claim_projects' ? {} : { project_id: '(SELECT ids[1 + n % $2] FROM projects)' }) };
  const names = Object.keys(own);
  await sql(
    `WITH projects AS (SELECT array_agg(id ORDER BY id) AS ids FROM claim_projects WHERE organization_id = $1)
      INSERT INTO ${table} (id, organization_id, environment, created_at, updated_at, name, search_key, ${names.join(', ')})
      SELECT ${idOf(start)}, $1::uuid, 'test', now(), now(), 'Client ' || n, upper('Client ' || n), ${names.map((name) => own[name]).join(', ')}
        FROM generate_series(1, $2::int * ${each}) n`,
    [organizationId, projects],
  );
}

async function seed({ sql, tenant, app }) {
  const [large, small] = [await tenant('bound'), await tenant('small')];
  for (const [at, list] of LISTS.entries()) {
    await fill(sql, { organizationId: large.id, projects: PROJECTS }, list, 1.76e12 + at * 1e9);
    await fill(sql, { organizationId: small.id, projects: SOME }, list, 1.77e12 + at * 1e9);
    await sql(`VACUUM ANALYZE ${list.table}`);
  }
  const projects = (await sql('SELECT id FROM claim_projects WHERE organization_id = $1 ORDER BY id', [large.id])).map(({ id }) => id);
  const keyFor = async (projectIds) => {
    const wanted = { organizationId: large.id, environment: 'test', name: 'Bound', scopes: 'all', projectIds };
    return (await app.get(ApiKeysService).create({ type: 'system', id: null, name: 'bench' }, wanted)).key;
  };
  const some = projects.filter((_id, at) => at % (PROJECTS / SOME) === 0);
  const [ofOne, ofSome] = [await keyFor([projects[500]]), await keyFor(some)];
  return { all: large.key, ofOne, ofSome, same: small.key, projectId: projects[500] };
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
function call(url, key) {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    get(url, { agent, headers: { 'x-api-key': key } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}.`));
      answer.on('end', () => resolve(performance.now() - begun)).resume();
    }).on('error', reject);
  });
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

const stage = await openStage();
try {
  const { all, ofOne, ofSome, same, projectId } = await stage.seedWith(seed);
  const url = await stage.startServer('dist/src/main.js', 3836);
  for (const { path, table } of LISTS) {
    console.log(`\n${path}`);
    for (const [kind, query] of KINDS) {
      const asked = query === 'status=' ? `status=${table === 'report_configurations' ? 'ready' : 'active'}` : query;
      const callers = {
        ...(table !== 'claim_projects' && { asking: [all, `${asked}&project_id=${projectId}`], one: [ofOne, asked] }),
        ...{ same: [same, asked], some: [ofSome, asked] },
      };
      const times = Object.fromEntries(Object.keys(callers).map((name) => [name, []]));
      for (let round = -20; round < ROUNDS; round += 1)
        for (const [name, [key, search]] of Object.entries(callers)) {
          const ms = await call(`${url}${path}?${search}`, key);
          if (round >= 0) times[name].push(ms);
        }
      const {
        asking,
        one,
        same: ofSmall,
        some,
      } = Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
      const compared = (ms, to) => ({ ms: ms.toFixed(2), ratio: (ms / to).toFixed(2) });
      const found = { ...(one && { 'one project': compared(one, asking) }), [`${SOME} projects`]: compared(some, ofSmall) };
      record(`lists of some projects, ${path.replace('/v1/', '')}`, { [kind]: found });
      console.log(`  ${kind.padEnd(24)} ${JSON.stringify(found)}`);
    }
  }
} finally {
  agent.destroy();
  await stage.close();
}
