import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { poolOf } from '../../src/store/database/borrowed.js';
import { Database } from '../../src/store/database/database.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { ExecutedFiles } from '../support/executed-files.js';
import { statementsIn, type Sent } from '../support/tenant-statements.js';

/** The parts of a write. Each ends at the statement with this name or text, except the last one, the answer. */
const PARTS = [
  { heading: 'Who calls, may they, what do they ask for', endsAt: 'idempotency_keys.claim' },
  { heading: 'Claim the key or replay', endsAt: 'idempotency_keys.claim' },
  { heading: 'Work', endsAt: 'claim_projects.insert' },
  { heading: 'Write down and commit', endsAt: 'COMMIT' },
  { heading: 'Answer', endsAt: undefined },
] as const;

const PROJECTS = '/v1/claim-projects';

let app: TestApp;
beforeAll(async () => {
  // What this application does every few milliseconds or seconds would happen during each POST where a POST takes that long.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  app = await startApp();
  vi.useRealTimers();
});
afterAll(() => app.close());

/** How many POSTs are made. A file that is not used in all of them was used by something else, such as a timer. */
const TIMES = 8;

/** A timer of every application in this process runs it, however long that application is gone. */
const FLUSHED_BY_TIMERS = 'src/kernel/log.ts';

/** Called with each statement before it is sent. */
let onStatement: (name: string) => void = () => undefined;

function watchStatements(): void {
  // Jobs have transactions of their own on other connections.
  let claimed: unknown;
  poolOf(app.app.get(Database).dataSource).on('acquire', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const watched = (sent: Sent, ...rest: unknown[]): unknown => {
      const { name, text } = statementsIn(sent)[0]!;
      if (name === 'idempotency_keys.claim') claimed = client;
      if (client === claimed) onStatement(name ?? text);
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
  const answer = await new Client(app.url, key).post(PROJECTS, { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
  expect(answer.status).toBe(201);
  endPart();
  expect(part).toBe(PARTS.length);
  return parts;
}

/** The files of every part. Each POST has a credential of its own, so that none is cached. */
async function filesOfAPost(): Promise<string[][]> {
  const keys: string[] = [];
  for (let count = 0; count <= TIMES; count += 1) keys.push((await aTenant(app)).key);
  watchStatements();
  const executed = new ExecutedFiles();
  const calls: Map<string, number>[] = [];
  for (const key of keys) calls.push(await partsOfFiles(executed, key));
  executed.stop();
  // The first call is left out, because it also does what is done only once.
  const [first, ...others] = calls.slice(1);
  const inAll = [...first!.keys()].filter((file) => file !== FLUSHED_BY_TIMERS && others.every((call) => call.has(file)));
  const partOf = (file: string): number => Math.max(...calls.slice(1).map((call) => call.get(file)!));
  return PARTS.map((_part, number) => inAll.filter((file) => partOf(file) === number).sort());
}

/** The list in the form of docs/architecture.md. */
const asText = (files: string[][]): string =>
  PARTS.map(({ heading }, number) => [heading, ...files[number]!.map((file) => `  ${file}`)].join('\n')).join('\n\n');

it('docs/architecture.md lists the files of one POST, in the order of its parts', async () => {
  const document = await readFile('docs/architecture.md', 'utf8');
  const listed = /<!-- files of one POST -->\n+```text\n(.*?)\n```/s.exec(document)?.[1];
  expect(listed).toBe(asText(await filesOfAPost()));
});
