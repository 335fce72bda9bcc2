import { expect, it } from 'vitest';
import type { Database } from '../../../store/database/database.js';
import { ClientCredentialsTokensRepository } from './oauth-records.repository.js';

const aToken = (clientId: string) => ({ idHash: Buffer.from(clientId), clientId, payload: '{}', expiresAt: '2026-03-01T10:00:00.000Z' });

/** A database whose writes end when the test says so. Each write shows the clients of its tokens. */
function aDatabase() {
  const writes: { clients: unknown; end: (error?: Error) => void }[] = [];
  const rows = (_statement: unknown, [, clients]: unknown[]) =>
    new Promise((resolve, reject) => writes.push({ clients, end: (error) => (error ? reject(error) : resolve([])) }));
  return { writes, tokens: new ClientCredentialsTokensRepository({ rows } as unknown as Database) };
}
const turn = () => new Promise(setImmediate);

it('writes tokens that are requested during a write together, with the next statement', async () => {
  const { writes, tokens } = aDatabase();
  const first = tokens.write(aToken('a'));
  await turn();
  const later = [tokens.write(aToken('b')), tokens.write(aToken('c'))];
  await turn();
  expect(writes.map(({ clients }) => clients)).toEqual([['a']]);
  writes[0]!.end();
  await first;
  await turn();
  expect(writes.map(({ clients }) => clients)).toEqual([['a'], ['b', 'c']]);
  writes[1]!.end();
  await Promise.all(later);
});

it('rejects the tokens whose write failed, and continues with the others', async () => {
  const { writes, tokens } = aDatabase();
  const failed = tokens.write(aToken('a'));
  await turn();
  const next = tokens.write(aToken('b'));
  writes[0]!.end(new Error('away'));
  await expect(failed).rejects.toThrow('away');
  await turn();
  writes[1]!.end();
  await next;
});
