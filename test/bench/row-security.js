// `npm run bench -- --only locks`: what row security costs. Servers on one database take turns: one with the role of the service, which it
// binds, and one with that of an administrator, which it does not. `-- FOLDER…` compares with builds of other checkouts instead, such as one
// without it.
import { join } from 'node:path';
import { loadOf, middle, posting, warmUp } from './load.js';
import { openStage } from './stage.js';

const STARTS = Number(process.env.BENCH_STARTS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const WARM_UP = { 'GET by id': 40_000, 'list of 50': 10_000, POST: 5000, 'audit log': 2000 };
const PEOPLE = 60;
const FIRST_PORT = 3871;
const ROLE = `bench_${process.pid}`;
const GRANTS = `CREATE ROLE ${ROLE}; GRANT USAGE ON SCHEMA public TO ${ROLE};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${ROLE};
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${ROLE}; SELECT protect_audit_log()`;

async function measured(what, call, sides) {
  for (const { server } of sides) await warmUp(server.url, call, WARM_UP[what]);
  const rounds = { bound: [], other: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { name, server } of round % 2 === 0 ? sides : sides.toReversed()) {
      const before = server.processorSeconds();
      const { rate, requests } = await loadOf(server.url, call, SECONDS);
      rounds[name === 'bound' ? name : 'other'].push({ rate, cost: (server.processorSeconds() - before) / requests });
    }
  const ratio = (of) => middle(rounds.bound.map((one, round) => one[of] / rounds.other[round][of]));
  return { rate: ratio('rate'), cost: ratio('cost') };
}

const stage = await openStage();
try {
  const { organizationId, key, projectId } = await stage.seed();
  const liveKey = await stage.seedWith(async ({ app, sql }) => {
    const { UsersService } = await import('../../dist/src/modules/users/index.js');
    const { ApiKeysService } = await import('../../dist/src/modules/api-keys/index.js');
    const actor = { type: 'system', id: null, name: 'bench' };
    // Rows about people have values in a table that is locked.
    for (let count = 0; count < PEOPLE; count += 1) {
      const user = { organizationId, email: `bench-${count}@example.com`, name: `Person ${count}`, role: 'member' };
      await app.get(UsersService).create(actor, { ...user, password: 'quiet harbour 7 lanterns' });
    }
    await sql(GRANTS);
    const wanted = { organizationId, environment: 'live', name: 'Bench', scopes: 'all' };
    return (await app.get(ApiKeysService).create(actor, wanted)).key;
  });
  const calls = {
    'GET by id': { path: `/v1/claim-projects/${projectId}`, headers: { 'x-api-key': key } },
    'list of 50': { path: '/v1/claim-projects', headers: { 'x-api-key': key } },
    POST: posting(key),
    'audit log': { path: '/v1/audit/events?limit=50', headers: { 'x-api-key': liveKey } },
  };
  const bound = Object.assign(new URL(stage.databaseUrl), { search: `options=${encodeURIComponent(`-c role=${ROLE}`)}` }).href;
  const folders = process.argv.slice(2).map((folder) => [folder, { script: join(folder, 'dist/bundle/main.js') }]);
  const others = folders.length > 0 ? folders : [['not bound', {}]];
  for (const other of others) {
    const ratios = Object.fromEntries(Object.keys(calls).map((what) => [what, []]));
    // V8 optimizes the same program in different ways, so each server is started several times.
    for (let start = 0; start < STARTS; start += 1) {
      const sides = [];
      // The one that starts first is slower or faster for as long as it runs, by more than what is measured: each is first as often.
      const pair = [['bound', { env: { DATABASE_URL: bound } }], other];
      for (const [index, [name, { script = 'dist/bundle/main.js', env = {} }]] of (start % 2 === 0 ? pair : pair.toReversed()).entries())
        sides.push({ name, server: await stage.openServer(script, FIRST_PORT + index, env) });
      for (const [what, call] of Object.entries(calls)) ratios[what].push(await measured(what, call, sides));
      await stage.closeServers();
    }
    for (const [what, found] of Object.entries(ratios)) {
      // Of the ratios of two orders, the geometric mean has nothing of the order.
      const ratio = (of) => Math.exp(found.reduce((sum, one) => sum + Math.log(one[of]), 0) / found.length).toFixed(3);
      const each = found.map(({ cost }) => cost.toFixed(2)).join(' ');
      console.log(`${what.padEnd(10)} bound : ${other[0]} = ${ratio('rate')} requests a second, ${ratio('cost')} processor (${each})`);
    }
  }
} finally {
  await stage.closeServers();
  await stage.seedWith(({ sql }) => sql(`DROP OWNED BY ${ROLE}; DROP ROLE IF EXISTS ${ROLE}`)).catch(() => undefined);
  await stage.close();
}
