import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeysService } from './modules/api-keys/index.js';
import { CategoriesService, ExpenseCategoryCreated } from './modules/categories/index.js';
import { ConfigurationsService, ReportConfigurationCreated } from './modules/configurations/index.js';
import { OrganizationService } from './modules/organization/index.js';
import { ClaimProjectCreated, ProjectsService } from './modules/projects/index.js';
import { StatementOperatorService, StatementsService } from './modules/statements/index.js';
import { ENVIRONMENTS, type Environment, type Tenant, changeContext, type Actor } from './kernel/context.js';
import { UnitOfWork } from './store/database/unit-of-work.js';

export interface Demo {
  readonly organization: { readonly id: string; readonly slug: string };
  readonly keys: Readonly<Record<Environment, string>>;
}

const DEMO: Actor = { type: 'system', id: null, name: 'first start' };

const SLUG = 'demo';
const PROJECTS = [
  {
    name: 'Berlin office 2026',
    clientReference: 'CLIENT-1042',
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
    status: 'active' as const,
    metadata: { officeCode: 'BER-1' },
  },
  { name: 'Hamburg warehouse 2026', clientReference: 'CLIENT-1043', periodStart: '2026-01-01', periodEnd: '2026-12-31' },
  { name: 'Travel costs 2025', clientReference: null, periodStart: '2025-01-01', periodEnd: '2025-12-31', status: 'archived' as const },
];
const described = (value: string, claimablePercent = 100) => ({
  rules: [{ claimablePercent, all: [{ field: 'description', op: 'contains', value }] }],
});
const CATEGORIES = [
  { code: 'TRAVEL-RAIL', name: 'Rail travel', sourceMapping: described('train') },
  { code: 'TRAVEL-AIR', name: 'Air travel', sourceMapping: described('flight') },
];
const CATEGORY_OF_PROJECT = { code: 'OFFICE', name: 'Office', sourceMapping: described('office', 80) };
const CONFIGURATION = {
  name: 'First quarter 2026',
  periodStart: '2026-01-01',
  periodEnd: '2026-03-31',
  status: 'ready' as const,
  outputOptions: { formats: ['json', 'csv', 'xlsx', 'pdf'], detail: 'lines' },
};
/** Nobody's: invented, like the account. */
const STATEMENT = `Date,Description,Amount,Currency,Counterparty,Account
2026-01-05,Train Berlin-Hamburg,-89.90,EUR,Nordbahn AG,DE75512108001245126199
2026-01-07,Rent of the office in January,-1200.00,EUR,Jane Example,DE75512108001245126199
2026-01-15,Flight Berlin-Paris,-210.00,EUR,Beispiel Air GmbH,DE75512108001245126199
2026-02-02,Train Berlin-Munich,-129.00,EUR,Nordbahn AG,DE75512108001245126199
2026-02-06,Rent of the office in February,-1200.00,EUR,Jane Example,DE75512108001245126199
2026-02-20,Flight cancelled: refund of the flight,210.00,EUR,Beispiel Air GmbH,DE75512108001245126199
2026-03-06,Rent of the office in March,-1200.00,EUR,Jane Example,DE75512108001245126199
2026-03-19,Coffee,-12.40,EUR,Cafe Example GmbH,DE75512108001245126199
2026-03-31,Chairs for the office,-640.00,EUR,Moebel Beispiel GmbH,DE75512108001245126199
`;

/** On the first start of an empty database: an organization to try everything with. Later starts find it again. */
export async function demo(app: INestApplicationContext, file: string): Promise<Demo | undefined> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Demo;
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
  const made: Demo = { organization: { id, slug }, keys: { test: await keyOf('test'), live: await keyOf('live') } };
  for (const environment of ENVIRONMENTS) await sampleRecords(app, { organizationId: id, environment });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  return made;
}

/** All of them or none: a first start that is cut off makes them the next time. */
async function sampleRecords(app: INestApplicationContext, tenant: Tenant): Promise<void> {
  const [projects, categories, configurations] = [app.get(ProjectsService), app.get(CategoriesService), app.get(ConfigurationsService)];
  const { rows: found } = await projects.list(tenant, { page: 1, page_size: PROJECTS.length });
  if (found.length > 0) return sampleStatement(app, tenant, found.at(-1)!.id);
  const ctx = {
    ...changeContext(tenant.organizationId, DEMO),
    ...tenant,
    emits: [ClaimProjectCreated, ExpenseCategoryCreated, ReportConfigurationCreated],
  };
  const projectId = await app.get(UnitOfWork).run(ctx, async (inner) => {
    const ids: string[] = [];
    for (const project of PROJECTS) ids.push((await projects.create(inner, project)).id);
    const ofFirst = { projectId: ids[0] };
    for (const category of [...CATEGORIES, { ...CATEGORY_OF_PROJECT, ...ofFirst }]) await categories.create(inner, category);
    await configurations.create(inner, { ...CONFIGURATION, ...ofFirst });
    return ids[0]!;
  });
  await sampleStatement(app, tenant, projectId);
}

async function sampleStatement(app: INestApplicationContext, tenant: Tenant, projectId: string): Promise<void> {
  const { total } = await app.get(StatementsService).list(tenant, { page: 1, page_size: 1 });
  if (total > 0) return;
  await app
    .get(StatementOperatorService)
    .import(DEMO, { ...tenant, projectId, fileName: 'first-quarter.csv', file: Buffer.from(STATEMENT), isRedacted: false });
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
