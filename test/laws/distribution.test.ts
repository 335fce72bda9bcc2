import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { expect, inject, it } from 'vitest';
import { StartError } from '../../src/kernel/start-error.js';
import { patientConnectionOptions } from '../../src/store/database/connection-options.js';
import { Distribution, PLACEMENTS, type Placement } from '../../src/store/database/distribution.js';
import { rowsOf } from '../support/database.js';
import { factsOfExtensions, tablesForExtensions } from '../support/extension-facts.js';

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
  const ours = ['api_keys', 'oauth_applications', 'organizations', 'user_invitations', 'users'];
  expect(await placed('reference')).toEqual([...ours, ...Object.keys(factsOfExtensions('referenceTables'))].sort());
});

it('leaves only tables without organizations on the coordinator', async () => {
  const ours = [
    'console_sessions',
    'encryption_key_checks',
    'exchange_rates',
    'migrations',
    'oauth_records',
    'oauth_registrations',
    'sign_in_links',
    'usage_writers',
  ];
  const ofExtensions = [...tablesForExtensions, ...Object.keys(factsOfExtensions('tablesOfNobody'))];
  expect(await placed('local')).toEqual([...ours, ...ofExtensions].sort());
});

// Citus would change them on one of the servers that have a copy.
it('changes the rows of tables that are copied to all workers by statements of their own', async () => {
  const names = (await placed('reference')).join('|');
  const within = new RegExp(`AS (?:MATERIALIZED )?\\(\\s*(?:DELETE FROM|UPDATE|INSERT INTO)\\s+"?(?:${names})\\b`);
  expect(within.test('WITH gone AS (DELETE FROM organizations WHERE id = $1) UPDATE')).toBe(true);
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter((file) => within.test(readFileSync(join('src', file), 'utf8')))).toEqual([]);
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
