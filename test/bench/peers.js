// `npm run bench -- --only peers`: the same three calls of Strapi, which many build such an API with, in turns with those of the service. Both on
// one Postgres with fsync. Installs Strapi from the npm registry into .test-data, about 1 GB.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { loadOf, middle, posting, warmUp } from './load.js';
import { record } from './record.js';
import { openStage } from './stage.js';

const VERSION = '5.55.1';
const FOLDER = fileURLToPath(new URL(`../../.test-data/strapi-${VERSION}`, import.meta.url));
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const WARM_UP = 2000;
const RECORDS = 1000;
const TOKEN = join(FOLDER, 'token');

const ATTRIBUTES = {
  name: { type: 'string', required: true },
  clientReference: { type: 'string' },
  periodStart: { type: 'date', required: true },
  periodEnd: { type: 'date', required: true },
  status: { type: 'enumeration', enum: ['active', 'archived'], default: 'active' },
  metadata: { type: 'json' },
};
const factory = (of) => `module.exports = require('@strapi/strapi').factories.createCore${of}('api::claim-project.claim-project');\n`;
/** A project of Strapi as its generator makes one, with one content type, and a token of an application at its first start. */
const FILES = {
  'config/server.js': `module.exports = { host: '127.0.0.1', port: Number(process.env.PORT), app: { keys: ['a', 'b'] }, logger: { updates: { enabled: false } } };`,
  'config/admin.js': `module.exports = { serveAdminPanel: false, auth: { secret: 'a' }, apiToken: { salt: 'a' }, transfer: { token: { salt: 'a' } } };`,
  'config/database.js': `module.exports = { connection: { client: 'postgres', connection: { connectionString: process.env.STRAPI_DATABASE_URL }, pool: { min: 2, max: 10 } } };`,
  // Without its log of each request, which would go to the console.
  'config/middlewares.js': `module.exports = ['errors', 'security', 'cors', 'poweredBy', 'query', 'body', 'favicon', 'public'].map((name) => 'strapi::' + name);`,
  'src/index.js': `module.exports = {
  register() {},
  async bootstrap({ strapi }) {
    const { accessKey } = await strapi.service('admin::api-token').create({ name: 'Bench ' + Date.now(), type: 'full-access', lifespan: null });
    require('node:fs').writeFileSync(${JSON.stringify(TOKEN)}, accessKey);
  },
};`,
  'src/api/claim-project/content-types/claim-project/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'strapi_projects',
    info: { singularName: 'claim-project', pluralName: 'claim-projects', displayName: 'Claim project' },
    options: { draftAndPublish: false },
    attributes: ATTRIBUTES,
  }),
  'src/api/claim-project/controllers/claim-project.js': factory('Controller'),
  'src/api/claim-project/services/claim-project.js': factory('Service'),
  'src/api/claim-project/routes/claim-project.js': factory('Router'),
  'public/robots.txt': '',
  'public/uploads/.gitkeep': '',
  // Strapi's own start, without the command that builds its pages for people.
  'start.js': `require('@strapi/strapi').createStrapi({ appDir: __dirname, distDir: __dirname }).start();`,
};

function install() {
  if (!existsSync(join(FOLDER, 'node_modules/@strapi/strapi'))) {
    const packages = {
      '@strapi/strapi': VERSION,
      pg: '8',
      react: '18',
      'react-dom': '18',
      'react-router-dom': '6',
      'styled-components': '6',
    };
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(
      join(FOLDER, 'package.json'),
      JSON.stringify({ name: 'peer', version: '1.0.0', private: true, dependencies: packages, strapi: {} }),
    );
    console.log(`Installing Strapi ${VERSION}, about 1 GB, from the npm registry.`);
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: FOLDER, stdio: 'inherit' });
  }
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(FOLDER, name)), { recursive: true });
    writeFileSync(join(FOLDER, name), text);
  }
  rmSync(TOKEN, { force: true });
}

const json = (body, headers) => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function filled(url, headers) {
  let id;
  for (let count = 0; count < RECORDS; count += 1) {
    const data = {
      name: `Project ${count}`,
      clientReference: `CLIENT-${count}`,
      periodStart: '2026-01-01',
      periodEnd: '2026-12-31',
      status: 'active',
      metadata: { officeCode: 'BER-1' },
    };
    const answer = await fetch(`${url}/api/claim-projects`, json({ data }, headers));
    if (!answer.ok) throw new Error(await answer.text());
    id = (await answer.json()).data.documentId;
  }
  return id;
}

/** The same bodies in Strapi's form. */
function postingTo(headers) {
  const [{ setupRequest }] = posting('').requests;
  const wrapped = (request) => {
    const { body, ...rest } = setupRequest(request);
    return { ...rest, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify({ data: JSON.parse(body) }) };
  };
  return { requests: [{ method: 'POST', path: '/api/claim-projects', setupRequest: wrapped }] };
}

install();
const stage = await openStage();
try {
  const { key, projectId } = await stage.seed();
  const own = new pg.Client(stage.databaseUrl);
  await own.connect();
  await own.query('CREATE DATABASE peer');
  await own.end();
  const peerUrl = new URL(stage.databaseUrl);
  peerUrl.pathname = '/peer';
  const service = await stage.startServer('dist/bundle/main.js', 3851);
  const peer = await stage.startServer(join(FOLDER, 'start.js'), 3852, { STRAPI_DATABASE_URL: peerUrl.href, NODE_ENV: 'production' });
  while (!existsSync(TOKEN)) await new Promise((resolve) => setTimeout(resolve, 100));
  const [headers, ofPeer] = [{ 'x-api-key': key }, { authorization: `Bearer ${readFileSync(TOKEN, 'utf8')}` }];
  const documentId = await filled(peer, ofPeer);
  const calls = {
    'GET by id': [
      { path: `/v1/claim-projects/${projectId}`, headers },
      { path: `/api/claim-projects/${documentId}`, headers: ofPeer },
    ],
    'list of 50': [
      { path: '/v1/claim-projects', headers },
      { path: '/api/claim-projects?pagination[pageSize]=50&sort=createdAt:desc', headers: ofPeer },
    ],
    POST: [posting(key), postingTo(ofPeer)],
  };
  for (const [name, [ours, theirs]] of Object.entries(calls)) {
    await warmUp(service, ours, WARM_UP);
    await warmUp(peer, theirs, WARM_UP);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push([await loadOf(service, ours, SECONDS), await loadOf(peer, theirs, SECONDS)]);
    const median = (pick) => middle(rounds.map(pick));
    const pair = (what) => [0, 1].map((side) => Math.round(median((round) => round[side][what]))).join(' : ');
    const row = {
      ratio: median(([a, b]) => a.rate / b.rate).toFixed(1),
      'calls/s': pair('rate'),
      'p50 ms': pair('p50'),
      'p99 ms': pair('p99'),
    };
    console.log(
      `${name.padEnd(12)} ratio ${row.ratio}   calls a second ${row['calls/s']}   p50 ms ${row['p50 ms']}   p99 ms ${row['p99 ms']}`,
    );
    record('peers', { [`${name} : Strapi ${VERSION}`]: row });
  }
} finally {
  await stage.close();
}
