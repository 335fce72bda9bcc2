// Compares requests in pairs, such as a GET of the service with that of a bare server. Both sides of a pair take turns on one
// database, so that other load on the machine affects both. Real Postgres with fsync, 32 connections. The load comes from this
// process, so that the figures of a server are its own.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { aVisitor, pageComparisons, signIn } from './console-pages.js';
import { loadOf, middle, posting, warmUp } from './load.js';
import { forgetPeak, memoryOf, postgresSeconds } from './processes.js';
import { anApplication, askingForToken } from './oauth-calls.js';
import { record } from './record.js';
import { openStage } from './stage.js';
import { openStrapi } from './strapi.js';
import { toolComparisons } from './tool-calls.js';
import { WireCounter } from './wire-counter.js';

// As in production.
const SERVICE = 'dist/bundle/main.js';
/** As the image starts it. */
const IMAGE_ARGS = ['--max-semi-space-size=16'];
const BARE = 'test/bench/bare-server.js';
/** The most CPU time of the server that a tool call may take. */
const TOOL_MAX_US = 3000;
/** The last release's processor time, divided by ours. Two copies of one version differ by up to 8 % here. */
const RELEASE_LEAST_RATIO = 0.9;
/** A process looks every five seconds whether it is quiet, and the second look sees nothing of the start. */
const QUIET_MS = 12_000;

export async function benchRequests(groups, { quick = false, profile } = {}) {
  const plan = {
    rounds: Number(process.env.BENCH_ROUNDS ?? (quick ? 3 : 7)),
    seconds: Number(process.env.BENCH_SECONDS ?? (quick ? 2 : 5)),
    // In requests and not in seconds: a busy machine must not measure what V8 has not optimized yet.
    warmUpRequests: quick ? 3000 : 10_000,
  };
  const stage = await openStage({ ENCRYPTION_KEY: Buffer.alloc(32, 'bench').toString('base64') });
  try {
    const { rows, rest } = await compareAll(stage, groups, plan, profile && folderOf(profile));
    console.table(byName(rows));
    console.table(rest);
    for (const group of groups) record(group, byName(rows.filter((row) => row.group === group)));
    if (groups.includes('projects')) record('memory', rest);
    const dear = rows.filter((row) => row.name.startsWith('tool') && row['server µs'] > TOOL_MAX_US).map(({ name }) => name);
    if (dear.length > 0) {
      console.error(`More than ${TOOL_MAX_US} µs of processor time: ${dear.join('; ')}.`);
      process.exitCode = 1;
    }
    const slower = rows.filter((row) => row.group === 'release' && row['server ratio'] < RELEASE_LEAST_RATIO).map(({ name }) => name);
    if (slower.length > 0) {
      console.error(`More processor time than in the last release: ${slower.join('; ')}.`);
      process.exitCode = 1;
    }
  } finally {
    await stage.close();
  }
}

const byName = (rows) => Object.fromEntries(rows.map(({ name, group: _group, ...figures }) => [name, figures]));

function folderOf(profile) {
  const folder = resolve(profile);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function compareAll(stage, groups, plan, folder) {
  // Pages are compared with more records.
  const { organizationId, key, projectId } = await stage.seed(groups.includes('console') ? 10_000 : undefined);
  const sizes = groups.includes('sizes') ? [await stage.seed(10_000), await stage.seed(1_000_000)] : [];
  const oauth = groups.includes('oauth') ? await stage.seedWith((tools) => anApplication(tools, organizationId)) : undefined;
  const link = groups.includes('console') ? await stage.seedWith((tools) => aVisitor(tools, organizationId)) : undefined;
  const strapi = groups.includes('peers') ? await openStrapi(stage, 3807) : undefined;
  const wire = await WireCounter.to(stage.databaseUrl);
  const profiled = { args: [...IMAGE_ARGS, ...(folder ? ['--import', './test/bench/profile.js'] : [])] };
  const servers = {
    service: await stage.openServer(SERVICE, 3801, {}, profiled),
    bare: await stage.openServer(BARE, 3802),
    // The same once more behind a proxy that counts statements.
    countedService: await stage.openServer(SERVICE, 3803, { DATABASE_URL: wire.url }, { args: IMAGE_ARGS }),
    countedBare: await stage.openServer(BARE, 3804, { DATABASE_URL: wire.url }),
    ...(groups.includes('release') && { release: await stage.openServer(join(await lastRelease(), SERVICE), 3806) }),
    ...(strapi && { strapi: strapi.server }),
    ...(oauth && {
      bareOAuth: await stage.openServer('test/bench/oauth-bare.js', 3805, { CLIENT_ID: oauth.clientId, CLIENT_SECRET: oauth.clientSecret }),
    }),
  };
  // What the start took is given back by then.
  await delay(QUIET_MS);
  const rest = { service: restOf(servers.service), bare: restOf(servers.bare) };
  const postgres = await postgresSeconds(stage.databaseUrl);
  const rows = [];
  for (const comparison of await comparisons(groups, { stage, key, projectId, sizes, oauth, link, servers, strapi })) {
    const sides = [comparison.ours, comparison.theirs];
    const { rounds, file } = await measure(sides, plan, { postgres, folder, name: comparison.name, profiled: servers.service });
    const counts = [];
    for (const { counted, call } of sides) counts.push(counted ? await wire.perCall(counted.url, call) : undefined);
    rows.push({ group: comparison.group, ...rowOf(comparison.name, rounds, counts) });
    console.log(
      `${comparison.name}: ratio ${rows.at(-1).ratio}, by round ${rounds.map(([a, b]) => (a.rate / b.rate).toFixed(2)).join(' ')}${file}`,
    );
  }
  if (strapi) rest.strapi = { 'MiB at rest': strapi.atRest };
  for (const name of Object.keys(rest)) rest[name]['MiB at the peak'] = memoryOf(servers[name].pid).peak;
  wire.close();
  strapi?.remove();
  return { rows, rest };
}

/** The peak counts from here: it is that of the load, not that of the start. */
function restOf({ pid }) {
  forgetPeak(pid);
  return { 'MiB at rest': memoryOf(pid).now };
}

/** Where the last release was built, or another version. Its sources, like those of this script, are read by Node 22.18 and later only. */
async function lastRelease() {
  if (process.env.BENCH_RELEASE) return resolve(process.env.BENCH_RELEASE);
  const { builtRelease, COMMITS } = await import('../support/releases.ts');
  return builtRelease(Object.keys(COMMITS).at(-1));
}

/** Each: what is compared with what. `counted` is the same server behind the proxy that counts statements. */
async function comparisons(groups, { stage, key, projectId, sizes, oauth, link, servers, strapi }) {
  const headers = { 'x-api-key': key };
  const { service, bare, countedService, countedBare, bareOAuth } = servers;
  const get = { path: `/v1/claim-projects/${projectId}`, headers };
  const list = { path: '/v1/claim-projects', headers };
  const withBare = (name, call) => ({
    name,
    ours: { server: service, counted: countedService, call },
    theirs: { server: bare, counted: countedBare, call },
  });
  const found = [];
  const add = (group, ...some) => found.push(...some.map((one) => ({ group, ...one })));
  if (groups.includes('release'))
    for (const [name, call] of Object.entries({ 'GET by id': get, 'list of 50': list, POST: posting(key) }))
      add('release', { name: `${name} : last release`, ours: { server: service, call }, theirs: { server: servers.release, call } });
  if (strapi)
    for (const [name, call, theirs] of [
      ['GET by id', get, 'get'],
      ['list of 50', list, 'list'],
      ['POST', posting(key), 'post'],
    ])
      add('peers', {
        name: `${name} : Strapi`,
        ours: { server: service, call },
        theirs: { server: strapi.server, call: strapi.calls[theirs] },
      });
  if (groups.includes('projects'))
    add('projects', withBare('GET by id : bare', get), withBare('list of 50 : bare', list), withBare('POST : bare', posting(key)));
  for (const [index, size] of ['10,000', '1,000,000'].slice(0, sizes.length).entries())
    add('sizes', withBare(`list of 50 of ${size} : bare`, { path: list.path, headers: { 'x-api-key': sizes[index].key } }));
  if (oauth) {
    const asking = askingForToken(oauth);
    const { access_token: token } = await (await fetch(`${service.url}/oauth/token`, asking)).json();
    const withToken = { path: get.path, headers: { authorization: `Bearer ${token}` } };
    add(
      'oauth',
      {
        name: 'GET with token : with key',
        // Not counted: a token is good for the address that issued it only.
        ours: { server: service, call: withToken },
        theirs: { server: service, call: get },
      },
      { name: 'token : bare library', ours: { server: service, call: asking }, theirs: { server: bareOAuth, call: asking } },
    );
  }
  if (link) add('console', ...(await pageComparisons(await signIn(service.url, link), key, { get, list }, servers, stage)));
  if (groups.includes('tools')) add('tools', ...(await toolComparisons(key, projectId, { get, list, post: posting(key) }, service)));
  return found;
}

async function measure(sides, plan, { postgres, folder, name, profiled }) {
  for (const { server, call } of sides) await warmUp(server.url, call, plan.warmUpRequests);
  const rounds = [];
  // The first rounds do not count: a server that was quiet while the other one was warmed up is slower at first.
  for (let round = -2; round < plan.rounds; round += 1) {
    const found = [];
    // Each side is first in every other round.
    for (const side of round % 2 ? [1, 0] : [0, 1]) found[side] = await costs(sides[side], plan.seconds, postgres);
    if (round >= 0) rounds.push(found);
  }
  return { rounds, file: folder ? await writeProfile(sides[0], join(folder, `${name.replace(/\W+/g, '-')}.cpuprofile`), profiled) : '' };
}

/** After the rounds, because profiling costs time. */
async function writeProfile({ server, call }, file, profiled) {
  if (server !== profiled) return '';
  await server.profile(file, () => loadOf(server.url, call, 5));
  return `, profile ${file}`;
}

/** `calls`: how many of them do what one call of the other side does. */
async function costs({ server, call, calls = 1 }, seconds, postgres) {
  const [before, beforeOfPostgres] = [server.processorSeconds(), postgres()];
  const { rate, requests, p50, p99 } = await loadOf(server.url, call, seconds);
  const perRequest = (spent) => (spent / requests) * calls * 1e6;
  return {
    rate: rate / calls,
    p50,
    p99,
    serverUs: perRequest(server.processorSeconds() - before),
    postgresUs: perRequest(postgres() - beforeOfPostgres),
  };
}

/** Medians of the rounds. A ratio above 1 is good: more calls per second, or less processor time, than the other side. */
function rowOf(name, rounds, [ours, theirs]) {
  const median = (pick) => middle(rounds.map(pick));
  const pair = (what, digits = 0) => rounds[0].map((_, side) => median((round) => round[side][what]).toFixed(digits)).join(' : ');
  const of = (counts, what) => (counts ? counts[what] : '–');
  return {
    name,
    ratio: median(([a, b]) => a.rate / b.rate).toFixed(2),
    'calls/s': pair('rate'),
    'p50 ms': pair('p50'),
    'p99 ms': pair('p99'),
    'server ratio': median(([a, b]) => b.serverUs / a.serverUs).toFixed(2),
    'server µs': Math.round(median(([a]) => a.serverUs)),
    'other µs': Math.round(median(([, b]) => b.serverUs)),
    'Postgres µs': pair('postgresUs'),
    statements: `${of(ours, 'statements')} : ${of(theirs, 'statements')}`,
    'round trips': `${of(ours, 'roundTrips')} : ${of(theirs, 'roundTrips')}`,
  };
}
