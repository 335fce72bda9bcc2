import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

// A service with this extension, and a key of its test environment.
const { CLAIMS_BASE_URL, CLAIMS_API_KEY } = process.env;

const create = (body) =>
  fetch(`${CLAIMS_BASE_URL}/v1/claim-projects`, {
    method: 'POST',
    headers: { 'X-API-Key': CLAIMS_API_KEY, 'Idempotency-Key': randomUUID(), 'Content-Type': 'application/json' },
    body: JSON.stringify({ periodStart: '2026-01-01', periodEnd: '2026-12-31', ...body }),
  });

test('a claim project without a client reference is refused', async () => {
  const answer = await create({ name: `Without ${randomUUID()}` });
  assert.equal(answer.status, 409);
  assert.equal((await answer.json()).code, 'reference_missing');
});

test('a claim project with a client reference is created', async () => {
  const answer = await create({ name: `With ${randomUUID()}`, clientReference: 'CLIENT-1042' });
  assert.equal(answer.status, 201);
});
