// `npm run bench:sealing`: how many audit entries a second one worker process seals, across many organizations.
import { randomUUID } from 'node:crypto';
import { openStage } from './stage.js';

const ORGANIZATIONS = Number(process.env.BENCH_ORGANIZATIONS ?? 100);
const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 100_000);

const stage = await openStage();
try {
  const { app, source } = await stage.openApp();
  const { Sealer } = await import('../../dist/src/modules/audit/sealer.js');
  const sealer = app.get(Sealer);
  await fill(source, 2000);
  await sealer.sealAll();
  await fill(source, ENTRIES);
  const start = performance.now();
  await sealer.sealAll();
  const seconds = (performance.now() - start) / 1000;
  const [{ left }] = await source.query('SELECT count(*)::int AS left FROM audit_entries');
  if (left > 0) throw new Error(`${left} entries were left.`);
  console.log(`sealing      ${Math.round(ENTRIES / seconds)} rows/s   (${ENTRIES} rows of ${ORGANIZATIONS} organizations in ${seconds.toFixed(1)} s)`);
  await app.close();
  await source.destroy();
} finally {
  await stage.close();
}

/** Entries as the API writes them for a new claim project, the organizations in turn. */
async function fill(source, entries) {
  const organizations = Array.from({ length: ORGANIZATIONS }, () => randomUUID());
  const changes = Object.fromEntries(Object.entries({ name: 'Berlin office 2026', clientReference: 'CLIENT-1042', periodStart: '2026-01-01', periodEnd: '2026-12-31', status: 'active', metadata: { officeCode: 'BER-1' } }).map(([field, to]) => [field, { from: null, to }]));
  await source.query(
    `INSERT INTO audit_entries (organization_id, environment, occurred_at, actor_type, actor_id, actor_name, action, resource_type, resource_id, ip_address, request_id, changes)
     SELECT ($1::uuid[])[n % $2 + 1], 'live', now(), 'api', gen_random_uuid(), 'Month-end sync', 'claim_project.created', 'claim_project', gen_random_uuid(), '203.0.113.7', gen_random_uuid(), $3::json FROM generate_series(1, $4) n`,
    [organizations, ORGANIZATIONS, JSON.stringify(changes), entries],
  );
  await source.query('ANALYZE audit_entries');
}
