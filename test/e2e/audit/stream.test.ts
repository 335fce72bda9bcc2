import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { verifyChain } from '../../../src/modules/audit/audit-chain.js';
import { LogDestinations, LogStream } from '../../../src/modules/audit/index.js';
import { SealingService } from '../../../src/modules/audit/sealing.service.js';
import { GrowingRoot, leafHash, openNote } from '../../../tools/transparency-log/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anEntry, type AuditRow } from '../../support/audit.js';
import { LogDatabase } from '../../support/audit-log.js';
import { aTenant } from '../../support/builders.js';
import { createDatabase } from '../../support/database.js';
import { readGuide } from '../../support/guide-blocks.js';
import { Receiver } from '../../support/receiver.js';
import { S3Store } from '../../support/s3-store.js';

// The job sends the logs of all organizations, so each test would wait for those of the others.
let app: TestApp;
let database: Awaited<ReturnType<typeof createDatabase>>;
const settings = () => ({ DATABASE_URL: database.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', ROLE: 'api' });
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp(settings());
});
afterAll(() => app.close().then(database.drop));
const logs = new LogDatabase(() => app);
const stream = (of = app): LogStream => of.app.get(LogStream);
const destinations = () => app.app.get(LogDestinations);
const TOKEN = 'Splunk 0f0f0f0f-secret-token';

async function grow(organizationId: string, events: number): Promise<void> {
  for (let count = 0; count < events; count += 1) await anEntry(app, organizationId);
  await app.app.get(SealingService).sealOrganization(organizationId);
}

/** Failures are waited for longer and longer. */
const becomeDue = (organizationId: string) =>
  logs.sql(`UPDATE audit_destinations SET due_at = now() - interval '1 second' WHERE organization_id = $1`, organizationId);

async function aStreamedLog() {
  const { organization } = await aTenant(app, { plan: 'enterprise', environment: 'live' });
  const receiver = await Receiver.start();
  const wanted = { kind: 'https', url: `${receiver.url}/logs?source=claims`, name: 'Authorization', region: null, secret: TOKEN } as const;
  const id = await destinations().add(OPERATOR, organization.id, wanted);
  // The clock of a process may be corrected by some milliseconds meanwhile.
  await becomeDue(organization.id);
  await grow(organization.id, 3);
  const state = async () => (await destinations().ofOrganization(organization.id)).find((one) => one.id === id)!;
  const batches = () => receiver.received.map(({ body }) => JSON.parse(body) as AuditRow[]);
  return { organizationId: organization.id, receiver, wanted, id, state, batches, rows: () => logs.rows(organization.id) };
}

describe('an address', () => {
  it('gets the whole log as it is exported, with the header that it asks for, and then what is new', async () => {
    const { organizationId, receiver, state, batches, rows } = await aStreamedLog();
    await stream().sendAll();
    expect(batches().flat()).toEqual(await rows());
    expect(receiver.received[0]).toMatchObject({
      path: '/logs?source=claims',
      headers: { authorization: TOKEN, 'content-type': 'application/json' },
    });
    expect(await state()).toMatchObject({ behind: 0, failure: null, sequence: (await rows()).length });
    // As the guide has Splunk break lines: what is between two events is left out.
    const guide = readFileSync('docs/audit-log.md', 'utf8');
    const breaker = new RegExp(/LINE_BREAKER = ([^`]+)`/.exec(guide)![1]!.replace('(', '(?:'));
    const broken = receiver.received[0]!.body.split(breaker).filter((text) => text !== '');
    expect(broken.map((text) => JSON.parse(text) as AuditRow)).toEqual(await rows());
    const shapeOf = (text: string): string =>
      text
        .trim()
        .replace(/\{.*\}/g, '{}')
        .replace(/(?:\{\},\n)+/, '{},\n');
    expect(shapeOf(receiver.received[0]!.body)).toBe(shapeOf(readGuide('audit-log').find(({ language }) => language === 'json')!.text));
    await stream().sendAll();
    expect(batches()).toHaveLength(1);
    await grow(organizationId, 1);
    expect((await state()).behind).toBe(1);
    await stream().sendAll();
    expect(batches().flat()).toEqual(await rows());
    expect(verifyChain(batches().flat()).fault).toBeNull();
    await receiver.close();
  });

  it('gets everything in order though it fails now and then: what comes twice is a whole batch', async () => {
    const { organizationId, receiver, batches, rows, state } = await aStreamedLog();
    let calls = 0;
    // Some batches are refused, of some the answer is lost, and the log grows meanwhile.
    receiver.answer = (_received, response) => {
      calls += 1;
      if (calls % 3 === 1) response.writeHead(503).end();
      else if (calls % 3 === 2) response.destroy();
      else response.writeHead(200).end();
    };
    for (let round = 0; round < 6 || (await state()).behind > 0; round += 1) {
      await grow(organizationId, round < 6 ? 2 : 0);
      await becomeDue(organizationId);
      await stream().sendAll();
    }
    const taken = batches().filter((_batch, at) => at % 3 === 2);
    expect(taken.flat()).toEqual(await rows());
    // The batch that was begun is the one that is repeated, also when the log has more.
    for (const [at, batch] of batches().entries()) expect(batch).toEqual(taken[Math.floor(at / 3)]);
    await receiver.close();
  });

  it('gets at most 500 events and 1 MiB at once', async () => {
    const { organizationId, receiver, batches, rows } = await aStreamedLog();
    await grow(organizationId, 520);
    const changes = Object.fromEntries(Array.from({ length: 200 }, (_none, at) => [`f${at}`, { from: null, to: 'x'.repeat(1000) }]));
    for (let count = 0; count < 8; count += 1) await anEntry(app, organizationId, { changes });
    await stream().sendAll();
    expect(batches().flat()).toEqual(await rows());
    expect(Math.max(...batches().map(({ length }) => length))).toBe(500);
    expect(batches().length).toBeGreaterThan(2);
    for (const { body } of receiver.received) expect(Buffer.byteLength(body)).toBeLessThan(1.1 * 1024 ** 2);
    await receiver.close();
  }, 60_000);

  it.each([
    ['a refusal', 401, 'status 401'],
    ['a redirect, which is not followed', 302, 'status 302'],
  ])('is shown with the reason: %s', async (_name, status, failure) => {
    const { organizationId, receiver, state } = await aStreamedLog();
    receiver.answer = (_received, response) => void response.writeHead(status, { location: receiver.url }).end();
    await stream().sendAll();
    expect(await state()).toMatchObject({ failure, sequence: 0, failingSince: expect.any(String) });
    expect(receiver.received).toHaveLength(1);
    // It is left alone for as long as it has been failing, for ten minutes at most.
    await stream().sendAll();
    expect(receiver.received).toHaveLength(1);
    for (const [failing, seconds] of [
      ['2 minutes', 120],
      ['3 days', 600],
    ] as const) {
      const past = `due_at = now(), failing_since = now() - interval '${failing}'`;
      await logs.sql(`UPDATE audit_destinations SET ${past} WHERE organization_id = $1`, organizationId);
      await stream().sendAll();
      const wait = (Date.parse((await state()).dueAt) - Date.now()) / 1000;
      expect([wait > seconds - 20, wait < seconds + 20]).toEqual([true, true]);
    }
    expect(receiver.received).toHaveLength(3);
    await receiver.close();
  });

  it('that hangs or is away delays no other, and no sealing', async () => {
    const hanging = await aStreamedLog();
    hanging.receiver.answer = () => undefined;
    const away = await aStreamedLog();
    await away.receiver.close();
    const there = await aStreamedLog();
    const sending = stream().sendAll();
    await expect.poll(async () => (await there.state()).behind).toBe(0);
    expect(await hanging.state()).toMatchObject({ sequence: 0, failure: null });
    await grow(hanging.organizationId, 1);
    expect((await hanging.state()).behind).toBe((await hanging.rows()).length);
    await sending;
    expect(await hanging.state()).toMatchObject({ failure: 'slow' });
    expect(await away.state()).toMatchObject({ failure: 'unreachable' });
    await Promise.all([hanging.receiver.close(), there.receiver.close()]);
  });

  it('is not blamed for a fault of ours, which delays no other and is reported', async () => {
    const unreadable = await aStreamedLog();
    await logs.sql(`UPDATE audit_destinations SET secret = 'no secret' WHERE organization_id = $1`, unreadable.organizationId);
    const there = await aStreamedLog();
    await expect(stream().sendAll()).rejects.toThrow();
    expect((await there.state()).behind).toBe(0);
    expect(await unreadable.state()).toMatchObject({ sequence: 0, failure: null, failingSince: null });
    await logs.sql(`DELETE FROM audit_destinations WHERE organization_id = $1`, unreadable.organizationId);
    await Promise.all([unreadable.receiver.close(), there.receiver.close()]);
  });

  it('is sent to by one worker at a time, and what it has taken outlasts a restart', async () => {
    const { organizationId, receiver, id, batches, rows } = await aStreamedLog();
    receiver.answer = (_received, response) => void setTimeout(() => response.writeHead(200).end(), 50);
    const other = await startApp(settings());
    await grow(organizationId, 900);
    // Those who want it at once do not ask first whether somebody sends.
    const atOnce = [app, other, app, other].map((of) => stream(of).sendNow(organizationId, id));
    await Promise.all([...atOnce, stream().sendAll(), stream(other).sendAll()]);
    await stream().sendAll();
    await grow(organizationId, 1);
    await other.close();
    const restarted = await startApp(settings());
    await stream(restarted).sendAll();
    await restarted.close();
    expect(batches().flat()).toEqual(await rows());
    await receiver.close();
  }, 60_000);

  it('is taken over from a worker that was lost, with the same batch', async () => {
    const { organizationId, receiver, id, batches, rows } = await aStreamedLog();
    const [{ sequence } = { sequence: 0 }] = (await rows()).slice(1, 2);
    const held = `leased_until = now() + interval '1 minute', batch_end = ${sequence}`;
    await logs.sql(`UPDATE audit_destinations SET ${held} WHERE id = $1`, id);
    await stream().sendAll();
    expect(batches()).toEqual([]);
    await logs.sql(`UPDATE audit_destinations SET leased_until = now() - interval '1 second' WHERE id = $1`, id);
    await grow(organizationId, 1);
    await stream().sendAll();
    expect(batches()[0]!.map((row) => row.sequence)).toEqual([1, 2]);
    expect(batches().flat()).toEqual(await rows());
    await receiver.close();
  });

  it('is sent nothing while its organization lacks the plan, and all of it later', async () => {
    const { organizationId, receiver, batches, rows } = await aStreamedLog();
    const plan = (name: string) => logs.sql('UPDATE organizations SET plan = $2 WHERE id = $1', organizationId, name);
    await plan('starter');
    await stream().sendAll();
    expect(batches()).toEqual([]);
    await plan('enterprise');
    await stream().sendAll();
    expect(batches().flat()).toEqual(await rows());
    await receiver.close();
  });

  it('can be tried at once, and says why it has not taken the events', async () => {
    const { organizationId, receiver, id, batches, state } = await aStreamedLog();
    receiver.answer = (_received, response) => void response.writeHead(403).end();
    await stream().sendAll();
    await expect(stream().sendNow(organizationId, id)).rejects.toThrow(/status 403/);
    receiver.answer = (_received, response) => void response.writeHead(200).end();
    await stream().sendNow(organizationId, id);
    expect(await state()).toMatchObject({ behind: 0, failure: null, failingSince: null });
    await stream().sendNow(organizationId, id);
    expect(batches()).toHaveLength(3);
    await receiver.close();
  });

  it('in a private network is refused, also if a name leads there', async () => {
    const { organizationId, wanted, receiver } = await aStreamedLog();
    const add = (url: string) => destinations().add(OPERATOR, organizationId, { ...wanted, url });
    for (const url of ['http://logs.example', 'https://a:b@logs.example', 'https://logs.example/#x', 'ftp://logs.example', 'x', ''])
      await expect(add(url), url).rejects.toThrow(/https/);
    for (const url of ['https://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/latest', 'https://[::ffff:10.0.0.1]/'])
      await expect(add(url), url).rejects.toThrow(/public/);
    const strict = await startApp({ ...settings(), WEBHOOK_ALLOWED_NETWORKS: '' });
    const port = new URL(receiver.url).port;
    await logs.sql(`UPDATE audit_destinations SET url = 'https://localhost:${port}' WHERE organization_id = $1`, organizationId);
    await stream(strict).sendAll();
    expect((await destinations().ofOrganization(organizationId))[0]).toMatchObject({ failure: 'not_public', sequence: 0 });
    expect(receiver.received).toEqual([]);
    await strict.close();
    await receiver.close();
  });
});

it('a log has at most three destinations, each once, and what is wrong is said without its secret', async () => {
  const { organizationId, wanted, id, receiver } = await aStreamedLog();
  const add = (changed: Partial<Parameters<LogDestinations['add']>[2]>) =>
    destinations().add(OPERATOR, organizationId, { ...wanted, ...changed });
  const url = 'https://logs.example/one';
  for (const changed of [{ name: 'Host' }, { name: 'content-length' }, { name: 'a b' }, { name: '' }, { secret: 'a\nb' }, { secret: '' }])
    await expect(add({ url, ...changed }), JSON.stringify(changed)).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(add({ url, secret: `${TOKEN}\r\nx: y` })).rejects.not.toThrow(TOKEN);
  for (const changed of [{ region: null }, { url: `${url}?x=1` }, { url: 'https://logs.example/a b' }, { name: 'a/b' }])
    await expect(add({ url, kind: 's3', name: 'AKIA', region: 'eu-central-1', ...changed })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  await expect(add({})).rejects.toThrow(/already/);
  await add({ url });
  await add({ url: 'https://logs.example/two' });
  await expect(add({ url: 'https://logs.example/three' })).rejects.toThrow(/at most 3/);
  await destinations().remove(OPERATOR, organizationId, id);
  await expect(destinations().remove(OPERATOR, organizationId, id)).rejects.toMatchObject({ code: 'not_found' });
  await receiver.close();
});

it('the secret is in no list, in no event and in no column as it is', async () => {
  const { organizationId, receiver, rows } = await aStreamedLog();
  const [stored] = await logs.sql(
    'SELECT row_to_json(d)::text AS row FROM audit_destinations d WHERE organization_id = $1',
    organizationId,
  );
  const shown = JSON.stringify([await destinations().ofOrganization(organizationId), await rows(), stored]);
  expect(shown).not.toContain(TOKEN);
  expect(shown).not.toContain(Buffer.from(TOKEN).toString('hex'));
  expect(JSON.stringify(await destinations().ofOrganization(organizationId))).not.toContain('"secret"');
  await receiver.close();
});

describe('a store with the protocol of S3', () => {
  async function aStoredLog() {
    const { organization } = await aTenant(app, { plan: 'enterprise', environment: 'live' });
    const store = await S3Store.start();
    const { region, accessKeyId: name, secretAccessKey: secret } = store;
    await destinations().add(OPERATOR, organization.id, { kind: 's3', url: `${store.url}/bucket/audit/`, name, region, secret });
    await grow(organization.id, 3);
    return { organizationId: organization.id, store, state: async () => (await destinations().ofOrganization(organization.id))[0]! };
  }
  const linesOf = (store: S3Store) => [...store.objects.keys()].sort().map((key) => gunzipSync(store.objects.get(key)!).toString('utf8'));

  it('gets objects that the script of the guide verifies, with a checkpoint over their events', async () => {
    const { organizationId, store, state } = await aStoredLog();
    await stream().sendAll();
    await grow(organizationId, 2);
    await stream().sendAll();
    // It is given an object a minute at most.
    expect(store.objects.size).toBe(1);
    await becomeDue(organizationId);
    await stream().sendAll();
    const rows = await logs.rows(organizationId);
    expect(await state()).toMatchObject({ behind: 0, failure: null });
    const sizes = [rows.length - 2, rows.length].map((size) => `${size}`.padStart(12, '0'));
    expect([...store.objects.keys()]).toEqual([
      `/bucket/audit/${organizationId}/000000000001-${sizes[0]}.jsonl.gz`,
      `/bucket/audit/${organizationId}/${`${rows.length - 1}`.padStart(12, '0')}-${sizes[1]}.jsonl.gz`,
    ]);
    const lines = linesOf(store).flatMap((text) => text.trimEnd().split('\n'));
    const events = lines.filter((line) => !line.startsWith('{"checkpoint":'));
    expect(events.map((line) => JSON.parse(line) as AuditRow)).toEqual(rows);
    const folder = mkdtempSync(join(tmpdir(), 'stream-'));
    const script = readGuide('audit-log').find(({ text }) => text.includes('verify.mjs'))!.text;
    writeFileSync(join(folder, 'verify.mjs'), script);
    writeFileSync(join(folder, 'events.jsonl'), `${events.join('\n')}\n`);
    const said = execFileSync(process.execPath, ['verify.mjs', 'events.jsonl'], { cwd: folder, encoding: 'utf8' });
    expect(said).toBe(`ok ${rows.length}:${rows.at(-1)!.hash}\n`);
    // The checkpoint of each object is over the events up to its end, and signed by us.
    const keys = (await logs.sql('SELECT public_key FROM audit_keys')).map((row) => row.public_key as unknown as Buffer);
    const growing = new GrowingRoot();
    for (const text of linesOf(store)) {
      const [first, ...own] = text.trimEnd().split('\n');
      for (const line of own) growing.add(leafHash((JSON.parse(line) as AuditRow).hash));
      const { checkpoint } = JSON.parse(first!) as { checkpoint: { note: string; size: number } };
      const head = openNote(checkpoint.note, keys)!;
      expect([head.size, head.root]).toEqual([(JSON.parse(own.at(-1)!) as AuditRow).sequence, growing.root()]);
    }
    await store.close();
  });

  it('that fails gets the same object again, and refuses what is signed with another key', async () => {
    const { organizationId, store, state } = await aStoredLog();
    store.instead = 503;
    await stream().sendAll();
    expect(await state()).toMatchObject({ failure: 'status 503' });
    const before = (await logs.rows(organizationId)).length;
    await grow(organizationId, 2);
    store.instead = undefined;
    await becomeDue(organizationId);
    await stream().sendAll();
    expect([...store.objects.keys()][0]).toContain(`000000000001-${`${before}`.padStart(12, '0')}.jsonl.gz`);
    const region = 'us-east-1';
    await logs.sql('UPDATE audit_destinations SET region = $2 WHERE organization_id = $1', organizationId, region);
    await grow(organizationId, 1);
    await becomeDue(organizationId);
    await stream().sendAll();
    expect(await state()).toMatchObject({ failure: 'status 403' });
    await store.close();
  });
});
