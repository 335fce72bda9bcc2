// `npm run bench -- --only feed`: a program that keeps a copy of 1,000,000 projects while others write: first the lists, then the events.
// At the end its copy is compared with the database: what is missing, and what is twice.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openStage } from './stage.js';

const RECORDS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const WRITERS = 4;
const WRITES_A_SECOND = 40;
const PAGE = 200;
/** How long others write after the lists were read, and how often the program looks. */
const FOLLOWED_SECONDS = 30;
const LOOK_EVERY_MS = 5000;

const stage = await openStage();
try {
  const { key } = await stage.seed(RECORDS);
  const api = await stage.startServer('dist/src/main.js', 3834);
  let requests = 0;
  const call = async (method, path, body) => {
    const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }) };
    const answer = await fetch(api + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer.json();
  };
  const read = (path) => {
    requests += 1;
    return call('GET', path);
  };

  const copy = new Map();
  let [after, twice, events] = [(await read('/v1/events')).nextCursor.after, 0, 0];
  const seen = new Set();
  const follow = async () => {
    for (;;) {
      const page = await read(`/v1/events?limit=${PAGE}&after=${after}`);
      for (const { id, data } of page.data) {
        if (seen.has(id)) twice += 1;
        seen.add(id);
        copy.set(data.id, data.updatedAt);
      }
      events += page.data.length;
      after = page.nextCursor.after;
      if (!page.hasMore) return;
    }
  };

  const stop = write(call);
  const began = performance.now();
  const listed = new Set();
  for (let before = ''; ;) {
    const { data, pagination } = await read(`/v1/claim-projects?page_size=${PAGE}${before && `&before=${before}`}`);
    for (const { id, updatedAt } of data) {
      if (listed.has(id)) twice += 1;
      listed.add(id);
      copy.set(id, updatedAt);
    }
    if (!pagination.hasMore) break;
    before = data.at(-1).id;
  }
  const ofLists = requests;
  const listSeconds = (performance.now() - began) / 1000;
  await follow();
  const ofCatchingUp = requests - ofLists;

  // Then only what changes.
  const looks = FOLLOWED_SECONDS / (LOOK_EVERY_MS / 1000);
  const start = requests;
  for (let look = 0; look < looks; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    await follow();
  }
  const ofFeed = requests - start;
  const written = await stop();
  // Events appear two seconds after their change.
  await new Promise((resolve) => setTimeout(resolve, 4000));
  await follow();

  const client = new pg.Client(stage.databaseUrl);
  await client.connect();
  const { rows } = await client.query('SELECT id, updated_at FROM claim_projects');
  await client.end();
  const missed = rows.filter(({ id, updated_at }) => copy.get(id) !== updated_at.toISOString()).length;
  console.log(`${rows.length} projects, ${written} writes beside; ${events} events read`);
  console.log(`lists   ${ofLists} requests in ${listSeconds.toFixed(1)} s; then ${ofCatchingUp} to catch up`);
  console.log(
    `feed    ${ofFeed} requests for ${looks} looks; the lists again would be ${looks * ofLists}: ${((100 * ofFeed) / (looks * ofLists)).toFixed(3)} %`,
  );
  console.log(`missed  ${missed}, twice ${twice}`);
  if (missed > 0 || twice > 0) process.exitCode = 1;
} finally {
  await stage.close();
}

/** Creates and changes projects, until it is told to stop: then it returns how many writes there were. */
function write(call) {
  let isOver = false;
  let count = 0;
  const writer = async () => {
    const ids = [];
    while (!isOver) {
      const name = randomUUID();
      if (ids.length < 5 || count % 3 === 0) {
        const made = await call('POST', '/v1/claim-projects', { name, periodStart: '2026-01-01', periodEnd: '2026-12-31' });
        ids.push(made.id);
      } else await call('PATCH', `/v1/claim-projects/${ids[count % ids.length]}`, { name });
      count += 1;
      await new Promise((resolve) => setTimeout(resolve, (1000 * WRITERS) / WRITES_A_SECOND));
    }
  };
  const writers = Array.from({ length: WRITERS }, writer);
  return async () => {
    isOver = true;
    await Promise.all(writers);
    return count;
  };
}
