import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLS_AT_ONCE } from '../../../src/api/limits/calls-at-once.js';
import { newId } from '../../../src/kernel/ids.js';
import { SLOWEST_BODY } from '../../../src/kernel/product.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitor } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { readAnswer, requestText } from '../../support/raw.js';
import { JANUARY } from '../../support/statements.js';
import { linkOf, projectOf } from '../../support/upload-links.js';

const PROJECTS = '/v1/claim-projects';
const MIB = 1024 * 1024;
const BOUNDARY = 'dripping';
const FILE_PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="slow.csv"\r\n\r\n`;
const END = `\r\n--${BOUNDARY}--\r\n`;

let app: TestApp;
const open = new Set<Socket>();
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await app.close();
});

/** Sends the beginning of a request, and what follows in pieces. Resolves with the answer once the server has closed the connection. */
function send(url: string, beginning: string, pieces: { every: number; piece: string }): { answer: Promise<string>; socket: Socket } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(beginning);
  open.add(socket);
  const timer = setInterval(() => socket.writable && socket.write(pieces.piece), pieces.every);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString())).on('error', () => undefined);
  const answer = new Promise<string>((resolve) =>
    socket.on('close', () => {
      clearInterval(timer);
      resolve(text);
    }),
  );
  return { answer, socket };
}

const upload = (path: string, bytes: number): string =>
  requestText('POST', path, {
    'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
    'Content-Length': String(FILE_PART.length + bytes + END.length),
    Connection: 'keep-alive',
  }) + FILE_PART;

/** How long calls took: half of them less than a second, and on a busy machine none as long as those that wait for a slow body. */
class Times {
  private readonly taken: number[] = [];

  async of<Result>(call: () => Promise<Result>): Promise<Result> {
    const since = performance.now();
    const result = await call();
    this.taken.push(performance.now() - since);
    return result;
  }

  expectShort(): void {
    const sorted = this.taken.toSorted((one, other) => one - other);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(1000);
    expect(sorted.at(-1)).toBeLessThan(5000);
  }
}

describe('three uploads by a link that drip', () => {
  it('do not hold up the staff of their organization, and get 408', async () => {
    const { organization, browser } = await aVisitor(app, { role: 'member' });
    const { key } = await aKey(app, organization.id);
    const path = await linkOf(browser, { projectId: await projectOf(browser) });
    const form = await browser.visit('/console/test/statements/new');
    // What is called for the first time takes longer.
    await browser.upload(form, [['first.csv', JANUARY]]);
    const since = performance.now();
    const drips = [1, 2, 3].map(() => send(app.url, upload(path, 20 * MIB), { every: 500, piece: 'x' }));
    let cut = 0;
    const texts = drips.map(({ answer }) => answer.finally(() => (cut += 1)));
    await sleep(2000);
    const api = new Client(app.url, key);
    const times = new Times();
    for (let count = 0; count < 5; count += 1) {
      const shown = await times.of(() => browser.upload(form, [[`${count}.csv`, JANUARY.replace('-89.90', `-${count}.90`)]]));
      expect(shown.text).toContain(`${count}.csv`);
      expect((await times.of(() => browser.visit('/console/test/statements'))).status).toBe(200);
      expect((await times.of(() => api.get(PROJECTS))).status).toBe(200);
      const input = { name: newId(), periodStart: '2026-01-01', periodEnd: '2026-12-31' };
      expect((await times.of(() => api.post(PROJECTS, input))).status).toBe(201);
    }
    times.expectShort();
    expect(cut).toBe(0);
    const answers = (await Promise.all(texts)).map(readAnswer);
    expect(answers.map(({ status }) => status)).toEqual([408, 408, 408]);
    // A page for people, or what answers a connection of which nothing has been read.
    for (const { body } of answers) expect(body).toMatch(/too slowly|"code":"request_timeout"/);
    // The server has closed each connection.
    expect(performance.now() - since).toBeLessThan(3 * SLOWEST_BODY.inMs);
  });

  it('leave room for a short upload by a link of the same organization', async () => {
    const { browser } = await aVisitor(app, { role: 'member' });
    const path = await linkOf(browser, { projectId: await projectOf(browser) });
    const drips = [1, 2, 3].map(() => send(app.url, upload(path, 2 * MIB), { every: 500, piece: 'x' }));
    await sleep(500);
    const { socket, answer } = send(app.url, `${upload(path, JANUARY.length)}${JANUARY}${END}`, { every: 60_000, piece: '' });
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    // Not only once the others are cut off.
    await eventually(() => expect(text).toContain('Received'), SLOWEST_BODY.inMs);
    for (const drip of drips) drip.socket.destroy();
    socket.destroy();
    await answer;
  });
});

describe('a key whose bodies drip', () => {
  it('gets 408, and other keys of its organization are answered meanwhile', async () => {
    const { organization } = await aVisitor(app);
    const [dripping, other] = [await aKey(app, organization.id), await aKey(app, organization.id)];
    const post = (): string =>
      requestText('POST', PROJECTS, {
        'X-API-Key': dripping.key,
        'Idempotency-Key': newId(),
        'Content-Type': 'application/json',
        'Content-Length': '100000',
        Connection: 'keep-alive',
      });
    const drips = Array.from({ length: CALLS_AT_ONCE + 10 }, () => send(app.url, `${post()}{"name":"`, { every: 500, piece: 'x' }));
    await sleep(1000);
    const api = new Client(app.url, other.key);
    const times = new Times();
    for (let count = 0; count < 5; count += 1) {
      const input = { name: newId(), periodStart: '2026-01-01', periodEnd: '2026-12-31' };
      expect((await times.of(() => api.post(PROJECTS, input))).status).toBe(201);
    }
    times.expectShort();
    const answers = (await Promise.all(drips.map(({ answer }) => answer))).map(readAnswer);
    const slow = answers.filter(({ status }) => status === 408);
    expect(slow).toHaveLength(CALLS_AT_ONCE / 2);
    expect(JSON.parse(slow[0]!.body)).toMatchObject({ code: 'request_timeout', detail: expect.stringContaining('too slowly') as string });
    // The others have waited for five seconds, and the answer said so.
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(drips.length - slow.length);
  });
});

describe('a slow phone', () => {
  const TIMEOUT_MS = 1500;
  let impatient: TestApp;
  beforeAll(async () => {
    impatient = await startApp({ REQUEST_TIMEOUT_MS: String(TIMEOUT_MS) });
  });
  afterAll(() => impatient.close());

  it('uploads for longer than a request may take, as its bytes keep coming', async () => {
    const { browser } = await aVisitor(impatient, { role: 'member' });
    const path = await linkOf(browser, { projectId: await projectOf(browser) });
    const [pieces, piece] = [50, 'x'.repeat(32 * 1024)];
    const since = performance.now();
    const { socket, answer } = send(impatient.url, upload(path, pieces * piece.length), { every: 60_000, piece: '' });
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    for (let sent = 0; sent < pieces; sent += 1) {
      socket.write(piece);
      await sleep(100);
    }
    socket.write(END);
    await eventually(() => expect(text).toContain('Received'));
    expect(performance.now() - since).toBeGreaterThan(3 * TIMEOUT_MS);
    // The connection serves further requests.
    const before = text.length;
    socket.write(requestText('GET', path, { Connection: 'keep-alive' }));
    await eventually(() => expect(text.slice(before)).toMatch(/^HTTP\/1\.1 200 /));
    socket.destroy();
    await answer;
  });

  it('is cut off if its bytes become too few', async () => {
    const { browser } = await aVisitor(impatient, { role: 'member' });
    const path = await linkOf(browser, { projectId: await projectOf(browser) });
    const { answer } = send(impatient.url, upload(path, 20 * MIB), { every: 100, piece: 'x'.repeat(1024) });
    expect(readAnswer(await answer).status).toBe(408);
  });
});
