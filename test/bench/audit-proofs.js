// `npm run bench -- --only proofs`: what it takes to prove one event of an audit log of ten million. The tree is written as the service would
// have stored it by then; of the rows, which no proof reads, there are only those behind the last whole tile, and the one that is proven.
import { createHash } from 'node:crypto';
import { openStage } from './stage.js';

const ROWS = Number(process.env.BENCH_ROWS ?? 10_000_000);
const CALLS = Number(process.env.BENCH_ROUNDS ?? 500);
const TILE = 256;
const TILES_AT_ONCE = 500;
const FACTS = `organization_id, environment, occurred_at, actor_type, actor_name, action, resource_type, resource_id, changes, created_at, id,
  sequence, previous_hash, hash`;

const stage = await openStage();
try {
  const { key, eventId } = await stage.seedWith(fill);
  const url = await stage.startServer('dist/src/main.js', 3813);
  const read = async (path) => {
    const answer = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${text}`);
    return JSON.parse(text);
  };
  const { size } = await read('/v1/audit/checkpoint');
  const timed = {
    'GET event proof': `/v1/audit/events/${eventId}/proof`,
    'GET consistency': `/v1/audit/consistency?from=${Math.floor(ROWS / 3)}`,
  };
  console.log(`proofs of a log of ${size} events, ${CALLS} calls one after the other: median ms, 99th in a hundred, bytes of hashes`);
  for (const [name, path] of Object.entries(timed)) {
    const took = [];
    let hashes = '';
    for (let call = 0; call < CALLS; call += 1) {
      const since = performance.now();
      ({ hashes } = await read(path));
      took.push(performance.now() - since);
    }
    took.sort((a, b) => a - b);
    const [median, late] = [0.5, 0.99].map((share) => took[Math.floor(share * CALLS)].toFixed(2).padStart(8));
    console.log(`${name.padEnd(20)} ${median} ${late} ${String(Buffer.from(hashes, 'base64').length).padStart(6)}`);
  }
} finally {
  await stage.close();
}

async function fill({ sql, tenant, app }) {
  const { id, liveKey } = await tenant('bench');
  const { AuditService } = await import('../../dist/src/modules/audit/index.js');
  const { leafHash, rootOver } = await import('../../dist/tools/transparency-log/index.js');
  await app.get(AuditService).sealedHead(id);
  const [last] = await sql(
    'SELECT created_at AS at, id FROM audit_events WHERE organization_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
    [id],
  );
  const hashAt = (sequence) => createHash('sha256').update(String(sequence)).digest('hex');
  const tiles = Math.floor(ROWS / TILE);
  for (let below = [], level = 0, count = tiles; count > 0; level += 1, count = Math.floor(count / TILE)) {
    const roots = [];
    for (let from = 0; from < count; from += TILES_AT_ONCE) {
      const many = Array.from({ length: Math.min(TILES_AT_ONCE, count - from) }, (_none, at) => {
        const first = (from + at) * TILE;
        if (level > 0) return below.slice(first, first + TILE);
        return Array.from({ length: TILE }, (_leaf, leaf) => leafHash(hashAt(first + leaf + 1)));
      });
      roots.push(...many.map(rootOver));
      await sql(
        `INSERT INTO audit_tiles (organization_id, level, tile, root, hashes, last_created_at, last_id, created_at)
          SELECT $1, $2::smallint, tile, root, CASE WHEN $2::smallint = 0 THEN hashes END, CASE WHEN $2::smallint = 0 THEN $6::timestamptz END,
            CASE WHEN $2::smallint = 0 THEN $7::text END, now()
          FROM unnest($3::bigint[], $4::bytea[], $5::bytea[]) AS one (tile, root, hashes)`,
        [id, level, many.map((_tile, at) => from + at), roots.slice(from), many.map((hashes) => Buffer.concat(hashes)), last.at, last.id],
      );
    }
    below = roots;
  }
  const rows = [Math.floor(ROWS / 2), ...Array.from({ length: ROWS % TILE }, (_none, at) => tiles * TILE + at + 1)];
  const added = await sql(
    `INSERT INTO audit_events (${FACTS})
      SELECT $1::uuid, 'live', now(), 'api', 'Month-end sync', 'claim_project.created', 'claim_project', gen_random_uuid(), '{}',
        to_timestamp(extract(epoch FROM $4::timestamptz) + (CASE WHEN row.at = 1 THEN -1 ELSE row.at END) / 1000.0),
        row.id, row.sequence, repeat('0', 64), row.hash
      FROM unnest($2::bigint[], $3::text[], $5::uuid[]) WITH ORDINALITY AS row (sequence, hash, id, at) RETURNING id, sequence`,
    [id, rows, rows.map(hashAt), last.at, idsAfter(last.at, rows.length)],
  );
  await sql('UPDATE audit_chains SET sequence = $2, hash = $3 WHERE organization_id = $1', [id, ROWS, hashAt(ROWS)]);
  await sql('ANALYZE audit_tiles');
  return { key: liveKey, eventId: added.find(({ sequence }) => Number(sequence) === rows[0]).id };
}

/** An event is found by the time that its id begins with: that of its row. */
function idsAfter(at, count) {
  return Array.from({ length: count }, (_none, index) => {
    const ms = new Date(at).getTime() + (index === 0 ? -1 : index + 1);
    const head = ms.toString(16).padStart(12, '0');
    return `${head.slice(0, 8)}-${head.slice(8)}-7000-8000-${index.toString(16).padStart(12, '0')}`;
  });
}
