import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeysService } from './modules/api-keys/index.js';
import { Documents, type RecordIds } from './modules/contracts/index.js';
import { OrganizationService } from './modules/organization/index.js';
import type { Environment } from './kernel/context.js';
import { DEMO, sampleRecords } from './demo-records.js';

export interface Demo {
  readonly organization: { readonly id: string; readonly slug: string };
  readonly keys: Readonly<Record<Environment, string>>;
  /** Ids of the sample records of the test environment, for the examples of the documents. */
  readonly records?: RecordIds;
}

const SLUG = 'demo';

/** On the first start of an empty database: an organization to try everything with. Later starts find it again. */
export async function demo(app: INestApplicationContext, file: string): Promise<Demo | undefined> {
  const made = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Demo) : await firstStart(app, file);
  if (made?.records) app.get(Documents).useRecords(made.records);
  return made;
}

async function firstStart(app: INestApplicationContext, file: string): Promise<Demo | undefined> {
  const organizations = app.get(OrganizationService);
  const all = await organizations.all();
  // A first start that was cut off left the organization but no keys that anyone knows: it is taken up again.
  if (all.some((organization) => organization.slug !== SLUG)) return undefined;
  const { id, slug } = all[0] ?? (await organizations.create(DEMO, { name: 'Demo Accountants', slug: SLUG, plan: 'enterprise' }));
  const keyOf = async (environment: Environment): Promise<string> => {
    const { key } = await app
      .get(ApiKeysService)
      .create(DEMO, { organizationId: id, environment, name: `Demo (${environment})`, scopes: 'all' });
    return key;
  };
  const keys = { test: await keyOf('test'), live: await keyOf('live') };
  await sampleRecords(app, { organizationId: id, environment: 'live' });
  const records = await sampleRecords(app, { organizationId: id, environment: 'test' });
  const made: Demo = { organization: { id, slug }, keys, records };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  return made;
}

/** What a newcomer pastes. */
export function printDemo(made: Demo | undefined, baseUrl: string): void {
  const lines = ['', `  Claims API is at ${baseUrl}`, `  Swagger UI     ${baseUrl}/docs`];
  if (made) {
    lines.push(
      '',
      `  Test key       ${made.keys.test}`,
      `  Live key       ${made.keys.live}`,
      '',
      '  Try it:',
      '',
      `curl ${baseUrl}/v1/auth/context -H 'X-API-Key: ${made.keys.test}'`,
      `curl ${baseUrl}/v1/claim-projects -H 'X-API-Key: ${made.keys.test}'`,
      `curl ${baseUrl}/v1/claim-projects -H 'X-API-Key: ${made.keys.test}' -H 'Idempotency-Key: my-first' ` +
        `-H 'Content-Type: application/json' ` +
        `-d '{"name":"My first project","periodStart":"2026-01-01","periodEnd":"2026-12-31"}'`,
    );
  }
  console.log(`${lines.join('\n')}\n`);
}
