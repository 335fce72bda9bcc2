// `npm run bench -- --only sealing`: how many audit entries per second one process seals, across many organizations; and how many POSTs per
// second are answered by a process that also seals (ROLE=all), compared with one that does not (ROLE=api).
import { randomUUID } from 'node:crypto';
import { load, middle, posting } from './load.js';
import { openStage } from './stage.js';

const ORGANIZATIONS = Number(process.env.BENCH_ORGANIZATIONS ?? 100);
const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 100_000);

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);

await onStages(1, sealRate);
await onStages(2, postsBeside);

async function onStages(count, work) {
  const stages = [];
  try {
    while (stages.length < count) stages.push(await openStage());
    await work(...stages);
  } finally {
    for (const stage of stages) await stage.close();
  }
}

async function sealRate(stage) {
  const { SealingService } = await import('../../dist/src/modules/audit/audit.service.js');
  await stage.seedWith(async ({ app, sql }) => {
    const sealing = app.get(SealingService);
    await fill(sql, 2000);
    await sealing.sealAll();
    await fill(sql, ENTRIES);
    const start = performance.now();
    await sealing.sealAll();
    const seconds = (performance.now() - start) / 1000;
    const [{ left }] = await sql('SELECT count(*)::int AS left FROM audit_entries');
    if (left > 0) throw new Error(`${left} entries were not sealed.`);
    console.log(
      `sealing      ${Math.round(ENTRIES / seconds)} rows/s   ` +
        `(${ENTRIES} rows of ${ORGANIZATIONS} organizations in ${seconds.toFixed(1)} s)`,
    );
  });
}

async function postsBeside(unsealed, sealed) {
  const sides = await Promise.all(
    [
      [unsealed, 3821, 'api'],
      [sealed, 3822, 'all'],
    ].map(async ([stage, port, ROLE]) => {
      const { key } = await stage.seed();
      return { url: await stage.startServer('dist/src/main.js', port, { ROLE }), call: posting(key), rates: [] };
    }),
  );
  for (const { url, call } of sides) await load(url, call, 2);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of sides) side.rates.push(await load(side.url, side.call, SECONDS));
  }
  const [without, beside] = sides.map(({ rates }) => middle(rates));
  const ratios = sides[1].rates.map((rate, round) => rate / sides[0].rates[round]);
  console.log(
    `POST         ${Math.round(without)}/s without sealing   ${Math.round(beside)}/s while sealing   ` +
      `ratio ${middle(ratios).toFixed(2)}   (rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`,
  );
}

/** Entries as the API writes them for a new claim project, spread over the organizations. */
async function fill(sql, entries) {
  const organizations = Array.from({ length: ORGANIZATIONS }, () => randomUUID());
  const changes = Object.fromEntries(
    Object.entries({
      name: 'Berlin office 2026',
      clientReference: 'CLIENT-1042',
      periodStart: '2026-01-01',
      periodEnd: '2026-12-31',
      status: 'active',
      metadata: { officeCode: 'BER-1' },
    }).map(([field, to]) => [field, { from: null, to }]),
  );
  await sql(
    `INSERT INTO audit_entries (organization_id, environment, occurred_at, actor_type, actor_id, actor_name, action, resource_type,
       resource_id, ip_address, request_id, changes)
     SELECT ($1::uuid[])[n % $2 + 1], 'live', now(), 'api', gen_random_uuid(), 'Month-end sync', 'claim_project.created', 'claim_project',
       gen_random_uuid(), '203.0.113.7', gen_random_uuid(), $3::json
     FROM generate_series(1, $4) n`,
    [organizations, ORGANIZATIONS, JSON.stringify(changes), entries],
  );
  await sql('ANALYZE audit_entries');
}
