import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeysService } from '../modules/api-keys/index.js';
import { Documents, type RecordIds } from '../modules/contracts/index.js';
import { SignInLinks } from '../modules/console/index.js';
import { NewOrganizations, OrganizationService } from '../modules/organization/index.js';
import { makePassword, UsersService } from '../modules/users/index.js';
import type { Environment } from '../kernel/context.js';
import { DEMO, sampleRecords } from './demo-records.js';

export interface Demo {
  readonly organization: { readonly id: string; readonly slug: string };
  readonly keys: Readonly<Record<Environment, string>>;
  /** Ids of the sample records of the test environment, for the examples of the documents. */
  readonly records?: RecordIds;
}

const SLUG = 'demo';
const OWNER_EMAIL = 'owner@demo.example';

/** On the first start of an empty database: an organization to try everything with. Later starts find it again. */
export async function demo(app: INestApplicationContext, file: string, say = printStep): Promise<Demo | undefined> {
  const made = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Demo) : await firstStart(app, file, say);
  if (made?.records) app.get(Documents).useRecords(made.records);
  return made;
}

async function firstStart(app: INestApplicationContext, file: string, say: typeof printStep): Promise<Demo | undefined> {
  const all = await app.get(OrganizationService).all();
  // A first start that was cut off left the organization but no keys that anyone knows: it is taken up again.
  if (all.some((organization) => organization.slug !== SLUG)) return undefined;
  say('Making an organization with sample records');
  const { id, slug } =
    all[0] ?? (await app.get(NewOrganizations).create(DEMO, { name: 'Demo Accountants', slug: SLUG, plan: 'enterprise' }));
  const apiKeys = app.get(ApiKeysService);
  const makeKey = async (environment: Environment): Promise<string> =>
    (await apiKeys.create(DEMO, { organizationId: id, environment, name: `Demo (${environment})`, scopes: 'all' })).key;
  const keys = { test: await makeKey('test'), live: await makeKey('live') };
  await sampleRecords(app, { organizationId: id, environment: 'live' });
  const records = await sampleRecords(app, { organizationId: id, environment: 'test' });
  const made: Demo = { organization: { id, slug }, keys, records };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  return made;
}

/** A link that signs the owner of the demo organization in to the console, once. */
export async function demoLink(app: INestApplicationContext, { organization }: Demo): Promise<string> {
  const users = app.get(UsersService);
  const owner = (await users.list(organization.id)).find(({ role, status }) => role === 'owner' && status === 'active');
  const wanted = { organizationId: organization.id, email: OWNER_EMAIL, name: 'Demo Owner', role: 'owner' as const };
  // Nobody needs the password: the link is enough, and a new one is printed with each start.
  const { link } = await app.get(SignInLinks).make(DEMO, owner ?? (await users.create(DEMO, { ...wanted, password: makePassword() })));
  return link;
}

export const printStep = (text: string): void => console.log(`${process.uptime().toFixed(1).padStart(6)} s  ${text}`);

export function printDemo(made: Demo | undefined, consoleLink: string | undefined, baseUrl: string): void {
  const lines = ['', `  Claims API is at ${baseUrl}`, `  Swagger UI     ${baseUrl}/docs`];
  if (made) {
    lines.push(
      `  Console        ${consoleLink}`,
      '                 (signs you in once, within half an hour; the next start prints a new link)',
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
