import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { DataSource } from 'typeorm';
import { connectionOptions } from '../../store/database/connection-options.js';
import { Database } from '../../store/database/database.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { Settings } from '../../kernel/settings/settings.js';
import { newId } from '../../kernel/ids.js';
import type { CountedCredential } from './usage-credential.entity.js';
import type { UsageDay } from './usage-day.entity.js';
import { UsageRepository } from './usage.repository.js';

let source: DataSource;
let usage: UsageRepository;
beforeAll(async () => {
  source = await new DataSource(connectionOptions(inject('databaseUrl'), { databasePoolSize: 4 })).initialize();
  const settings = Settings.from({ DATABASE_URL: inject('databaseUrl') });
  const database = new Database(source, settings);
  usage = new UsageRepository(database, new UnitOfWork(database, settings));
});
afterAll(() => source.destroy());

const countsOf = (length: number): UsageDay[] =>
  Array.from({ length }, () => ({
    organizationId: newId(),
    environment: 'live',
    day: '2026-01-31',
    capability: 'api',
    reads: 3,
    writes: 2,
    failed: 1,
  }));

const credentialsOf = (counts: readonly UsageDay[]): CountedCredential[] =>
  counts.map(({ organizationId, environment, day }) => ({
    ...{ organizationId, environment, day, credentialId: organizationId, name: 'A key' },
    ...{ type: 'api_key', calls: 5, refused: 1, clients: {}, dailyCalls: null },
  }));

function totalsOf(counts: readonly UsageDay[]) {
  const { organizationId } = counts[0]!;
  return usage.totals({ organizationId, environment: 'live' }, { start: '2026-01-31', end: '2026-02-01' });
}

it('adds the counts of several replicas for the same tenants at the same time, in any order', async () => {
  const counts = countsOf(2000);
  const replicas = [counts, counts.toReversed(), counts, counts.toReversed()].map((counted) => ({
    writerId: newId(),
    counts: counted,
    credentials: credentialsOf(counted),
  }));
  for (let number = 1; number <= 5; number += 1) await Promise.all(replicas.map((replica) => usage.add({ ...replica, number })));
  expect(await totalsOf(counts)).toEqual([{ capability: 'api', reads: 60, writes: 40, failed: 20 }]);
  const { organizationId } = counts[0]!;
  const tenant = { organizationId, environment: 'live' } as const;
  expect(await usage.credentials(tenant, { start: '2026-01-31', end: '2026-02-01' }, 1)).toEqual({
    rows: [{ id: organizationId, name: 'A key', type: 'api_key', calls: 100, clients: [] }],
    inAll: 1,
  });
});

it('adds a batch once, even if it is written several times or concurrently', async () => {
  const batch = { writerId: newId(), counts: countsOf(1), credentials: [] };
  await Promise.all([usage.add({ ...batch, number: 1 }), usage.add({ ...batch, number: 1 })]);
  await usage.add({ ...batch, number: 2 });
  await usage.add({ ...batch, number: 2 });
  expect(await totalsOf(batch.counts)).toEqual([{ capability: 'api', reads: 6, writes: 4, failed: 2 }]);
});
