import { expect } from 'vitest';
import { Client } from './client.js';
import { eventually } from './eventually.js';
import { StatementProxy } from './postgres-statements.js';
import { startProcess } from './process.js';

/** The process is killed before or after the first such statement of the transaction of the call. */
export interface KillPoint {
  readonly statement: RegExp;
  readonly moment: 'before' | 'after';
}

/** Makes a call with an Idempotency-Key on a process of its own, which is killed at the point. */
export async function killedAt(
  databaseUrl: string,
  { statement, moment }: KillPoint,
  key: string,
  call: (api: Client) => Promise<unknown>,
): Promise<void> {
  const proxy = await StatementProxy.to(databaseUrl);
  const process = await startProcess({ DATABASE_URL: proxy.tcp.url, ROLE: 'api' });
  let ofCall: unknown;
  let isKilled = false;
  proxy.handle = (text, link, pass) => {
    if (isKilled) return;
    // The transaction of the call is the one that asks first whether its organization moves.
    if (text.startsWith('SELECT require_organization_stays')) ofCall ??= link;
    if (link !== ofCall || !statement.test(text)) return pass();
    isKilled = true;
    link.muted = true;
    if (moment === 'after') pass();
    void process.kill();
  };
  const outcome = await call(new Client(process.url, key)).then(
    () => 'answered',
    () => 'failed',
  );
  await process.kill();
  expect([outcome, isKilled]).toEqual(['failed', true]);
  // The database ends the transaction before the connection.
  await eventually(() => expect(proxy.tcp.connections).toBe(0));
  await proxy.tcp.close();
}
