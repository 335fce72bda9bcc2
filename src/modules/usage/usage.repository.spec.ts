import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { DataSource } from 'typeorm';
import { connectionOptions } from '../../platform/database/connection-options.js';
import { Database } from '../../platform/database/database.js';
import { newId } from '../../platform/database/ids.js';
import type { UsageDay } from './usage-day.entity.js';
import { UsageRepository } from './usage.repository.js';

let source: DataSource;
let usage: UsageRepository;
beforeAll(async () => {
  source = await new DataSource(connectionOptions(inject('databaseUrl'), { databasePoolSize: 4 })).initialize();
  usage = new UsageRepository(new Database(source));
});
afterAll(() => source.destroy());

it('adds what several replicas have counted for the same tenants at the same time, in whatever order they write it', async () => {
  const counts: UsageDay[] = Array.from({ length: 2000 }, () => ({ organizationId: newId(), environment: 'live', day: '2026-01-31', capability: 'api', reads: 3, writes: 2, failed: 1 }));
  for (let round = 0; round < 5; round += 1) await Promise.all([usage.add(counts), usage.add(counts.toReversed()), usage.add(counts), usage.add(counts.toReversed())]);
  const totals = await usage.totals({ organizationId: counts[0]!.organizationId, environment: 'live' }, { start: '2026-01-31', end: '2026-02-01' });
  expect(totals).toEqual([{ capability: 'api', reads: 60, writes: 40, failed: 20 }]);
});
