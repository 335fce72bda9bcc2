import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aKey, anOrganization } from '../support/builders.js';
import { folderWithClient } from '../support/client-package.js';

const run = promisify(execFile);
const PATIENCE_MS = 120_000;
const bin = (name: string): string => fileURLToPath(new URL(`node_modules/.bin/${name}`, import.meta.url));

let app: TestApp;
let key: string;
let folder: string;
beforeAll(async () => {
  app = await startApp();
  const organization = await anOrganization(app);
  // A live key sees the whole chain.
  ({ key } = await aKey(app, organization.id, { environment: 'live' }));
  folder = await folderWithClient();
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

/** Signed with a key of this process: the library signs with secrets only. */
function signedDelivery() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const [body, id, seconds] = ['{"id":"one","type":"claim_project.created"}', 'one', String(Math.floor(Date.now() / 1000))];
  const signature = sign(null, Buffer.from(`${id}.${seconds}.${body}`), privateKey).toString('base64');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64');
  return { body, headers: { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1a,${signature}` }, key: `whpk_${raw}` };
}

const PROGRAM = `
import { Claims, ValidationFailedError, Webhooks, verifyAuditChain } from '@claims-api/client';
import { signedFixture } from '@claims-api/client/fixtures';
import { webhook } from '@claims-api/client/next';

const { key, url, name, delivery } = JSON.parse(process.argv.at(-1));
const claims = new Claims({ apiKey: key, baseUrl: url });
const project = await claims.projects.create({ name, periodStart: '2026-01-01', periodEnd: '2026-12-31' });
const found = [];
for await (const { id } of claims.projects.list({ search: name })) found.push(id === project.id);
const refused = await claims.projects.get('no-id').catch((error) => error);

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const signed = await signedFixture('claim_report.succeeded', secret);
const received = [];
const answer = await webhook(secret, (event) => void received.push(event.type))(new Request(url, { method: 'POST', ...signed }));

const head = await verifyAuditChain(claims.audit.export());
console.log(JSON.stringify({
  found,
  refused: refused instanceof ValidationFailedError && refused.code,
  hmac: (await Webhooks.verify(signed.body, signed.headers, secret)).type,
  ed25519: (await Webhooks.verify(delivery.body, delivery.headers, delivery.key)).type,
  tampered: await Webhooks.verify(delivery.body + ' ', delivery.headers, delivery.key).catch((error) => error.mistake),
  answer: [answer.status, received],
  chain: head.sequence > 0,
}));
`;

it.each([
  ['Node', process.execPath, []],
  ['Bun', bin('bun'), ['run']],
  ['Deno', bin('deno'), ['run', '--no-remote', '--allow-all']],
])('in %s the library calls the service, verifies deliveries of both kinds and a chain', async (name, program, flags) => {
  const file = `program-${name}.mjs`;
  await writeFile(join(folder, file), PROGRAM);
  const input = JSON.stringify({ key, url: app.url, name: `In ${name}`, delivery: signedDelivery() });
  const env = { PATH: process.env.PATH, HOME: folder, DENO_NO_UPDATE_CHECK: '1' };
  const { stdout } = await run(program, [...flags, file, input], { cwd: folder, env });
  expect(JSON.parse(stdout)).toEqual({
    found: [true],
    refused: 'validation_failed',
    hmac: 'claim_report.succeeded',
    ed25519: 'claim_project.created',
    tampered: 'signature_wrong',
    answer: [204, ['claim_report.succeeded']],
    chain: true,
  });
});
