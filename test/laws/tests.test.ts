import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import { inSession } from '../support/session.js';

// A Postgres that ended while a test asked it failed the whole run, after all tests had passed.
it('a session that Postgres ends fails its query, and no test beside it', async () => {
  const ended = inSession(inject('databaseUrl'), (session) => session.query('SELECT pg_terminate_backend(pg_backend_pid())'));
  await expect(ended).rejects.toThrow(/terminat/);
  // An event that nothing listens for would come after the query has failed.
  await delay(50);
});

it('every test opens its sessions of Postgres that way', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const own = files.filter((file) => readFileSync(`test/${file}`, 'utf8').includes(`new pg.${'Client('}`));
  expect(own).toEqual(['support/session.ts']);
});
