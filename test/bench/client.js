// What a call costs in the client library, compared with openapi-fetch: the same call of the same document, to the same answer.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import createClient from 'openapi-fetch';
import { build } from 'vite';
import { record } from './record.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const CALLS = 4000;
const OVER_NETWORK = 2000;
const RECORD = {
  id: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21',
  environment: 'test',
  createdAt: '2026-03-01T09:30:00.000Z',
  updatedAt: '2026-03-01T09:30:00.000Z',
  name: 'Berlin office 2026',
  clientReference: 'CLIENT-1042',
  periodStart: '2026-01-01',
  periodEnd: '2026-12-31',
  status: 'active',
  metadata: { officeCode: 'BER-1' },
};
const TEXT = JSON.stringify(RECORD);
const BODY = { name: RECORD.name, periodStart: RECORD.periodStart, periodEnd: RECORD.periodEnd };
const PAGE = JSON.stringify({ data: [RECORD], pagination: { page: 1, pageSize: 50, total: 1, totalRelation: 'exact', hasMore: false } });

const answer = (url, method) => (method === 'GET' && url.includes('?') ? PAGE : TEXT);

/** The library as it is shipped. */
async function shipped() {
  const folder = await mkdtemp(join(tmpdir(), 'claims-client-bench-'));
  const entry = fileURLToPath(new URL('../../client/src/index.ts', import.meta.url));
  await build({
    configFile: false,
    logLevel: 'silent',
    build: { lib: { entry, formats: ['es'], fileName: () => 'client.mjs' }, outDir: folder, target: 'es2022', minify: false },
  });
  const { Claims } = await import(pathToFileURL(join(folder, 'client.mjs')).href);
  await rm(folder, { recursive: true });
  return Claims;
}

/** The same three calls by both. openapi-fetch has no retries, time limits or keys: whoever uses it adds a key by hand. */
function sidesOf(Claims, baseUrl, fetch) {
  const claims = new Claims({ apiKey: 'pk_test_x', baseUrl, fetch });
  const plain = createClient({
    baseUrl,
    fetch: fetch && ((request) => fetch(request.url, request)),
    headers: { 'X-API-Key': 'pk_test_x' },
  });
  const params = { path: { project_id: RECORD.id } };
  const key = () => ({ 'Idempotency-Key': crypto.randomUUID() });
  return {
    GET: [() => claims.projects.get(RECORD.id), async () => (await plain.GET('/v1/claim-projects/{project_id}', { params })).data],
    list: [
      () => claims.projects.list({ status: 'active' }).page(),
      async () => (await plain.GET('/v1/claim-projects', { params: { query: { status: 'active' } } })).data,
    ],
    POST: [() => claims.projects.create(BODY), async () => (await plain.POST('/v1/claim-projects', { body: BODY, headers: key() })).data],
  };
}

async function microsecondsPer(call, count) {
  const start = process.cpuUsage();
  for (let done = 0; done < count; done += 1) if (!(await call())) throw new Error('There was no answer.');
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function compare(title, sides, count) {
  for (const [name, calls] of Object.entries(sides)) {
    const rounds = [];
    for (const call of calls) await microsecondsPer(call, count);
    for (let round = 0; round < ROUNDS; round += 1) {
      // Each side is first in every other round.
      const [first, second] = round % 2 ? [1, 0] : [0, 1];
      const found = [];
      found[first] = await microsecondsPer(calls[first], count);
      found[second] = await microsecondsPer(calls[second], count);
      rounds.push(found);
    }
    const [ours, theirs] = [0, 1].map((side) => median(rounds.map((found) => found[side])));
    const ratio = median(rounds.map(([mine, other]) => mine / other));
    record('client', { [`${name}, ${title.trim()}`]: { ratio: ratio.toFixed(2), µs: `${ours.toFixed(1)} : ${theirs.toFixed(1)}` } });
    console.log(`${title} ${name.padEnd(5)} ${ratio.toFixed(2).padStart(5)}   µs ${ours.toFixed(1)} : ${theirs.toFixed(1)}`);
  }
}

const Claims = await shipped();
console.log('                   ratio (below 1 is less work), processor time of a call, client library : openapi-fetch');
const inProcess = (url, { method }) =>
  Promise.resolve(new Response(answer(url, method), { headers: { 'content-type': 'application/json' } }));
await compare('in process ', sidesOf(Claims, 'https://api.claims.example', inProcess), CALLS);

const server = createServer((request, response) => {
  request.resume().once('end', () => response.setHeader('content-type', 'application/json').end(answer(request.url, request.method)));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
await compare('over HTTP  ', sidesOf(Claims, `http://127.0.0.1:${server.address().port}`, undefined), OVER_NETWORK);
server.close();
