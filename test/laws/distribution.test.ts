import { DataSource } from 'typeorm';
import { expect, inject, it } from 'vitest';
import { StartError } from '../../src/kernel/start-error.js';
import { patientConnectionOptions } from '../../src/store/database/connection-options.js';
import { Distribution, PLACEMENTS, type Placement } from '../../src/store/database/distribution.js';
import { rowsOf } from '../support/database.js';

async function placed(placement: Placement): Promise<string[]> {
  const tables = await rowsOf<{ name: string; placement: Placement }>(inject('databaseUrl'), PLACEMENTS);
  return tables.filter((table) => table.placement === placement).map(({ name }) => name);
}

async function planned(): Promise<string[]> {
  const source = await new DataSource(patientConnectionOptions(inject('databaseUrl'))).initialize();
  try {
    return await new Distribution(source).plan();
  } finally {
    await source.destroy();
  }
}

// Its rows are on all workers, so a table is one of these only if its rows are found before their organization is known.
it('names the organization in the keys of every table of organizations, but for those that are copied to all workers', async () => {
  expect(await placed('reference')).toEqual(['api_keys', 'oauth_applications', 'organizations', 'user_invitations', 'users']);
});

it('leaves only tables without organizations on the coordinator', async () => {
  expect(await placed('local')).toEqual(['exchange_rates', 'migrations', 'oauth_records', 'oauth_registrations', 'usage_writers']);
});

if (process.env.TEST_CITUS_URL) {
  it('has nothing left to do in a database that is distributed', async () => {
    expect(await planned()).toEqual([]);
  });
} else {
  it('refuses to distribute a database without the extension, and says who must do what', async () => {
    await expect(planned()).rejects.toThrow(StartError);
    await expect(planned()).rejects.toThrow('its administrator must create it here and on each worker');
  });
}
