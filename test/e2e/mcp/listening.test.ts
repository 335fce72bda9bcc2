import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { startDocumentedApp, type DocumentedApp } from '../../support/documented-app.js';
import { eventually } from '../../support/eventually.js';
import { sendNewest, type Said } from '../../support/mcp-messages.js';

let app: DocumentedApp;
beforeAll(async () => {
  // Without a worker: a run goes on until the test ends it.
  app = await startDocumentedApp();
});
afterAll(() => app.close());

async function aRun() {
  const { key, organization } = await aTenant(app);
  const api = new Client(app.url, key);
  const { body: configuration } = await api.post('/v1/report-configurations', {
    ...{ name: newId(), periodStart: '2026-01-01', periodEnd: '2026-03-31' },
  });
  const { body: run } = await api.post('/v1/claim-reports', { reportConfigurationId: configuration.id });
  const id = run.id as string;
  const become = (status: string) =>
    rowsOf(app.databaseUrl, 'UPDATE claim_reports SET status = $2, started_at = now(), updated_at = now() WHERE id = $1', [id, status]);
  return { key, organizationId: organization.id, id, uri: `claims://reports/${id}`, become };
}

interface Message extends Said {
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Opens a stream, and collects what comes. */
async function listen(key: string, uris: readonly string[]) {
  const gone = new AbortController();
  const method = 'subscriptions/listen';
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    signal: gone.signal,
    headers: {
      ...{ 'X-API-Key': key, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      ...{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method },
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method },
      params: {
        notifications: { resourceSubscriptions: uris },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'A client', version: '1' },
        },
      },
    }),
  });
  const messages: Message[] = [];
  let isOver = false;
  const isStream = response.headers.get('content-type')!.startsWith('text/event-stream');
  if (!isStream) messages.push((await response.json()) as Message);
  else
    void (async () => {
      let text = '';
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const events = text.split('\n\n');
        text = events.pop()!;
        for (const [, data] of events.flatMap((event) => [...event.matchAll(/^data: (.*)$/gm)]))
          messages.push(JSON.parse(data!) as Message);
      }
    })()
      .catch(() => undefined)
      .finally(() => (isOver = true));
  return { status: response.status, isStream, messages, isOver: () => isOver, hangUp: () => gone.abort() };
}

const updates = (messages: readonly Message[]) => messages.filter(({ method }) => method === 'notifications/resources/updated');

it('who listens to a run is told when it changes, and the stream ends with it', async () => {
  const { key, uri, become } = await aRun();
  const stream = await listen(key, [uri]);
  await eventually(() =>
    expect(stream.messages[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { resourceSubscriptions: [uri] } },
    }),
  );
  await become('running');
  await eventually(() => expect(updates(stream.messages)).toMatchObject([{ params: { uri } }]), 10_000);
  await become('cancelled');
  await eventually(() => expect(stream.isOver()).toBe(true), 10_000);
  expect(updates(stream.messages)).toHaveLength(2);
  expect(stream.messages.at(-1)).toMatchObject({ id: 1, result: { resultType: 'complete' } });
});

it('what is not the runs of the caller is not listened to, and each stream hears of its own alone', async () => {
  const [one, other] = [await aRun(), await aRun()];
  for (const uri of [one.uri, `claims://reports/${newId()}`, 'claims://guides/quickstart', 'x']) {
    const { isStream, messages } = await listen(other.key, [other.uri, uri]);
    expect([isStream, messages[0]!.error?.message], uri).toEqual([false, expect.stringContaining(uri) as string]);
  }
  const [ofOne, ofOther] = [await listen(one.key, [one.uri]), await listen(other.key, [other.uri])];
  await one.become('running');
  await eventually(() => expect(updates(ofOne.messages)).toHaveLength(1), 10_000);
  expect(updates(ofOther.messages)).toEqual([]);
  for (const stream of [ofOne, ofOther]) stream.hangUp();
});

it('an organization has four streams at once, with 20 runs each; one that hung up makes room', async () => {
  const { key, uri } = await aRun();
  const many = await listen(
    key,
    Array.from({ length: 21 }, () => `claims://reports/${newId()}`),
  );
  expect([many.status, many.messages[0]!.error]).toMatchObject([400, { message: 'A stream tells of at most 20 resources.' }]);
  const streams = [];
  for (let stream = 0; stream < 4; stream += 1) streams.push(await listen(key, [uri]));
  const fifth = await listen(key, [uri]);
  expect([fifth.status, fifth.messages[0]!.error!.data]).toEqual([429, { error: 'rate_limited' }]);
  streams[0]!.hangUp();
  await eventually(async () => {
    const again = await listen(key, [uri]);
    expect(again.isStream).toBe(true);
    again.hangUp();
  });
  for (const stream of streams) stream.hangUp();
});

it('a run that has ended is told at once: there is nothing to wait for', async () => {
  const { key, uri, become } = await aRun();
  await become('cancelled');
  const stream = await listen(key, [uri]);
  await eventually(() => expect(stream.isOver()).toBe(true));
  expect(stream.messages.at(-1)).toMatchObject({ id: 1, result: { resultType: 'complete' } });
});

it('only the newest revision is told that resources can be listened to', async () => {
  const { key } = await aTenant(app);
  const { result } = await sendNewest(app, key)('server/discover');
  expect(result).toMatchObject({ capabilities: { resources: { subscribe: true } } });
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'A client', version: '1' } },
    }),
  });
  expect(/"resources":\{\}/.test(await response.text())).toBe(true);
});

it('a process that stops ends its streams first', async () => {
  const own = await startDocumentedApp();
  const before = app;
  app = own;
  try {
    const { key, uri } = await aRun();
    const stream = await listen(key, [uri]);
    const began = performance.now();
    await own.close();
    expect(performance.now() - began).toBeLessThan(10_000);
    await eventually(() => expect(stream.messages.at(-1)).toMatchObject({ id: 1, result: { resultType: 'complete' } }));
  } finally {
    app = before;
  }
});
