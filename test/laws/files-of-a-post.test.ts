import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { poolOf } from '../../src/store/database/borrowed.js';
import { Database } from '../../src/store/database/database.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { ExecutedFiles } from '../support/executed-files.js';
import { statementsIn, type Sent } from '../support/tenant-statements.js';

/** The first statement of a write. */
const FIRST = 'organizations.stays';
/** The parts of a write. Each ends at the statement with this name or text, except the last one, the answer. */
const PARTS = [
  { heading: 'Who calls, may they, what do they ask for', endsAt: FIRST },
  { heading: 'Work', endsAt: 'claim_projects.insert' },
  { heading: 'Claim the key, write down and commit', endsAt: 'COMMIT' },
  { heading: 'Answer', endsAt: undefined },
] as const;

const PROJECTS = '/v1/claim-projects';
const PROJECT = { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let app: TestApp;
beforeAll(async () => {
  // What this application does every few milliseconds or seconds would happen during each POST where a POST takes that long.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  // The page is ours: it does not list what extensions add to a POST.
  app = await startApp({}, undefined, []);
  vi.useRealTimers();
});
afterAll(() => app.close());

/** How many calls are made. A file that is not used in all of them was used by something else, such as a timer. */
const TIMES = 8;

/** A timer of every application in this process runs it, however long that application is gone. */
const FLUSHED_BY_TIMERS = 'src/kernel/log.ts';

/** Called with each statement before it is sent. */
let onStatement: (name: string) => void = () => undefined;

function watchStatements(): void {
  // Jobs have transactions of their own on other connections.
  let own: unknown;
  poolOf(app.app.get(Database).dataSource).on('acquire', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const watched = (sent: Sent, ...rest: unknown[]): unknown => {
      const { name, text } = statementsIn(sent)[0]!;
      if (name === FIRST) own = client;
      if (client === own) onStatement(name ?? text);
      return query(sent, ...rest);
    };
    Object.assign(client, { query: watched });
  });
}

/** For each file of one POST, the number of the part in which it is first used. */
async function partsOfFiles(executed: ExecutedFiles, key: string): Promise<Map<string, number>> {
  const parts = new Map<string, number>();
  let part = 0;
  const endPart = (): void => {
    for (const file of executed.take()) if (!parts.has(file)) parts.set(file, part);
    part += 1;
  };
  onStatement = (name) => {
    while (part < PARTS.length && name === PARTS[part]?.endsAt) endPart();
  };
  executed.take();
  const answer = await new Client(app.url, key).post(PROJECTS, PROJECT);
  expect(answer.status).toBe(201);
  endPart();
  expect(part).toBe(PARTS.length);
  return parts;
}

/** A credential for each call, so that none is cached. The first call is one more, because it also does what is done only once. */
async function keysOfCalls(): Promise<string[]> {
  const keys: string[] = [];
  for (let count = 0; count <= TIMES; count += 1) keys.push((await aTenant(app)).key);
  return keys;
}

/** The files of every part. */
async function filesOfAPost(): Promise<string[][]> {
  const keys = await keysOfCalls();
  watchStatements();
  const executed = new ExecutedFiles();
  const calls: Map<string, number>[] = [];
  for (const key of keys) calls.push(await partsOfFiles(executed, key));
  executed.stop();
  const inAll = inEach(calls);
  const partOf = (file: string): number => Math.max(...calls.slice(1).map((call) => call.get(file)!));
  return PARTS.map((_part, number) => inAll.filter((file) => partOf(file) === number).sort());
}

/** The files that were used in each call but the first. */
function inEach(calls: readonly { has(file: string): boolean; keys(): Iterable<string> }[]): string[] {
  const [first, ...others] = calls.slice(1);
  return [...first!.keys()].filter((file) => file !== FLUSHED_BY_TIMERS && others.every((call) => call.has(file)));
}

const TRUSTED_MS = 1500;
const TOOL = 'get_claim_project';
const NEWEST = '2026-07-28';

/** A call of a tool in the newest revision of the protocol, as a client sends it. */
async function callTool(key: string, inputs: object): Promise<void> {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': NEWEST, 'io.modelcontextprotocol/clientCapabilities': {} };
  const answer = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': NEWEST,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': TOOL,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: TOOL, arguments: inputs, _meta } }),
  });
  expect(await answer.json()).toMatchObject({ result: { structuredContent: { name: 'Berlin' } } });
}

async function filesOfAToolCall(): Promise<string[]> {
  const calls: { key: string; id: string }[] = [];
  for (const key of await keysOfCalls()) {
    const { body } = await new Client(app.url, key).post(PROJECTS, PROJECT);
    calls.push({ key, id: body.id as string });
  }
  // What the first calls have found out about credentials is trusted for a second.
  await new Promise((resolve) => setTimeout(resolve, TRUSTED_MS));
  const executed = new ExecutedFiles();
  const files: Set<string>[] = [];
  for (const { key, id } of calls) {
    executed.take();
    await callTool(key, { project_id: id });
    files.push(executed.take());
  }
  executed.stop();
  return inEach(files).sort();
}

/** The list in the form of docs/architecture.md. */
const asText = (files: string[][]): string =>
  PARTS.map(({ heading }, number) => [heading, ...files[number]!.map((file) => `  ${file}`)].join('\n')).join('\n\n');

/** What the page lists below a comment. */
async function listed(what: string): Promise<string | undefined> {
  const [, below = ''] = (await readFile('docs/architecture.md', 'utf8')).split(`<!-- ${what} -->`);
  return /^\n+```text\n(.*?)\n```/s.exec(below)?.[1];
}

it('docs/architecture.md lists the files of one POST, in the order of its parts', async () => {
  expect(await listed('files of one POST')).toBe(asText(await filesOfAPost()));
});

it('docs/architecture.md lists the files of one tool call', async () => {
  expect(await listed('files of one tool call')).toBe((await filesOfAToolCall()).join('\n'));
});
