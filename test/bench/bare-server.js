// The reference for the benchmark: the three measured calls, written by hand with bare Fastify and pg. It uses the same SQL in
// prepared statements, and looks up a key's hash at most twice a second. No validation, limits, log, usage or documents.
import { createHash, randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { v7 } from 'uuid';

pg.types.setTypeParser(1184, (text) => new Date(text).toISOString());
pg.types.setTypeParser(1082, (text) => text);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const query = async (client, name, text, values) => (await client.query({ name, text, values })).rows;

const keys = new Map();
async function tenantOf(request) {
  const hash = createHash('sha256')
    .update(request.headers['x-api-key'] ?? '')
    .digest();
  const name = hash.toString('base64');
  const known = keys.get(name);
  if (known && known.until > performance.now()) return known.tenant;
  const [tenant] = await query(
    pool,
    'key',
    'SELECT id, organization_id, environment FROM api_keys WHERE key_hash = $1 AND revoked_at IS NULL',
    [hash],
  );
  keys.set(name, { tenant, until: performance.now() + 500 });
  return tenant;
}

const COLUMNS = `"id", "organization_id" AS "organizationId", "environment", "created_at" AS "createdAt", "updated_at" AS "updatedAt",
  "name", "client_reference" AS "clientReference", "period_start" AS "periodStart", "period_end" AS "periodEnd", "status", "metadata"`;
const present = ({ id, environment, name, clientReference, periodStart, periodEnd, status, metadata, createdAt, updatedAt }) => ({
  id,
  environment,
  name,
  clientReference,
  periodStart,
  periodEnd,
  status,
  metadata,
  createdAt,
  updatedAt,
});

const fastify = Fastify();

fastify.get('/v1/claim-projects/:id', async (request, reply) => {
  const tenant = await tenantOf(request);
  if (!tenant) return reply.status(401).send({});
  const [row] = await query(
    pool,
    'get',
    `SELECT ${COLUMNS} FROM claim_projects WHERE id = $1 AND organization_id = $2 AND environment = $3`,
    [request.params.id, tenant.organization_id, tenant.environment],
  );
  return row ? present(row) : reply.status(404).send({});
});

const LIST = `SELECT page.*, counted.total FROM (SELECT count(*)::int AS total FROM (
    SELECT 1 FROM claim_projects WHERE organization_id = $1 AND environment = $2 LIMIT 10001
  ) bounded) counted LEFT JOIN LATERAL (
    SELECT ${COLUMNS} FROM claim_projects WHERE organization_id = $1 AND environment = $2 ORDER BY id DESC LIMIT $3 OFFSET $4::bigint
  ) page ON true`;
fastify.get('/v1/claim-projects', async (request, reply) => {
  const tenant = await tenantOf(request);
  if (!tenant) return reply.status(401).send({});
  const rows = await query(pool, 'list', LIST, [tenant.organization_id, tenant.environment, 51, 0]);
  return {
    data: rows.slice(0, 50).map(present),
    pagination: { page: 1, pageSize: 50, total: rows[0].total, totalRelation: 'exact', hasMore: rows.length > 50 },
  };
});

const CLAIM = `INSERT INTO idempotency_keys (organization_id, environment, key, fingerprint, created_at)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING true AS claimed`;
const INSERT = `INSERT INTO claim_projects (id, organization_id, environment, created_at, updated_at,
    name, client_reference, period_start, period_end, status, metadata, unique_key, search_key)
  VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;
const EVENT = `INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data, changed_fields)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const AUDIT = `INSERT INTO audit_entries (organization_id, environment, occurred_at,
    actor_type, actor_id, actor_name, action, resource_type, resource_id, ip_address, request_id, changes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;
const ANSWER = 'UPDATE idempotency_keys SET status = $1, answer = $2 WHERE organization_id = $3 AND environment = $4 AND key = $5';

fastify.post('/v1/claim-projects', async (request, reply) => {
  const tenant = await tenantOf(request);
  if (!tenant) return reply.status(401).send({});
  const { name, clientReference = null, periodStart, periodEnd, status = 'draft', metadata = {} } = request.body;
  const { organization_id: organization, environment } = tenant;
  const key = request.headers['idempotency-key'];
  const now = new Date().toISOString();
  const project = {
    id: v7(),
    environment,
    name,
    clientReference,
    periodStart,
    periodEnd,
    status,
    metadata,
    createdAt: now,
    updatedAt: now,
  };
  const changes = Object.fromEntries(Object.entries(project).map(([field, to]) => [field, { from: null, to }]));
  const answer = JSON.stringify(project);
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const fingerprint = createHash('sha256').update(JSON.stringify(request.body)).digest();
    const [claimed] = await query(client, 'claim', CLAIM, [organization, environment, key, fingerprint, now]);
    if (!claimed) throw new Error('replays are not measured');
    const unique = createHash('sha256').update(name.toUpperCase()).digest('base64url');
    await query(client, 'insert', INSERT, [
      project.id,
      organization,
      environment,
      now,
      name,
      clientReference,
      periodStart,
      periodEnd,
      status,
      JSON.stringify(metadata),
      unique,
      name.toUpperCase(),
    ]);
    await query(client, 'event', EVENT, [v7(), organization, environment, 'claim_project.created', project.id, now, answer, null]);
    await query(client, 'audit', AUDIT, [
      organization,
      environment,
      now,
      'api',
      tenant.id,
      'bench',
      'claim_project.created',
      'claim_project',
      project.id,
      request.ip,
      randomUUID(),
      JSON.stringify(changes),
    ]);
    await query(client, 'answer', ANSWER, [201, answer, organization, environment, key]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
  return reply.status(201).header('content-type', 'application/json; charset=utf-8').send(answer);
});

await fastify.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
