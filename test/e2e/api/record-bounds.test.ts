import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_RECORD_LIMITS } from '../../../src/kernel/record-limits.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { ApplicationsService } from '../../../src/modules/oauth/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { anApplication } from '../../support/oauth.js';
import { aUser } from '../../support/users.js';
import { openStatements } from '../../support/statements.js';
import { webhookInput } from '../../support/webhooks.js';

const LIMITS = {
  expenseCategories: 4,
  reportConfigurations: 4,
  bankStatements: 2,
  claimItems: 2,
  receipts: 2,
  applications: 3,
  members: 3,
  webhooks: 4,
};

let app: TestApp;
let replica: TestApp;
let usual: TestApp;
/** Another process, which has not counted what it is asked to create. */
let other: TestApp;
beforeAll(async () => {
  const env = { RECORD_LIMITS: JSON.stringify(LIMITS) };
  [app, replica, usual, other] = await Promise.all([startApp(env), startApp(env), startApp(), startApp()]);
});
afterAll(() => Promise.all([app, replica, usual, other].map((each) => each.close())));

const KINDS = [
  ['expenseCategories', 'expense categories', '/v1/expense-categories', (n: number) => ({ code: `C${n}`, name: 'Travel' })],
  [
    'reportConfigurations',
    'report configurations',
    '/v1/report-configurations',
    (n: number) => ({ name: `Report ${n}`, periodStart: '2026-01-01', periodEnd: '2026-12-31' }),
  ],
] as const;
const WEBHOOKS = ['webhooks', 'webhook endpoints', '/v1/webhooks', () => webhookInput()] as const;

describe.each([...KINDS, WEBHOOKS])('%s', (limit, noun, path, body) => {
  it('are bounded in each environment, exactly, also for concurrent calls on several replicas', async () => {
    const { organization, key } = await aTenant(app);
    const clients = [new Client(app.url, key), new Client(replica.url, key)];
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => clients[n % 2]!.post(path, body(n))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMITS[limit]);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused)
      expect(answer).toMatchObject({
        status: 409,
        body: {
          code: 'limit_exceeded',
          retry: 'never',
          detail: `The test environment of the organization has 4 ${noun}. The limit \`${limit}\` is 4.`,
        },
      });
    expect((await clients[0]!.get(path)).body.pagination.total).toBe(LIMITS[limit]);
    const live = new Client(app.url, (await aKey(app, organization.id, { environment: 'live' })).key);
    expect((await live.post(path, body(1))).status).toBe(201);
  });
});

describe.each(KINDS)('%s', (limit, _noun, path, body) => {
  it('are bounded exactly in a process that counts 10,000 of them for the first time', async () => {
    const { organization, key } = await aTenant(usual);
    const api = new Client(usual.url, key);
    const max = DEFAULT_RECORD_LIMITS[limit];
    expect((await api.post(path, body(1))).status).toBe(201);
    const table = limit === 'expenseCategories' ? 'expense_categories' : 'report_configurations';
    const key2 = limit === 'expenseCategories' ? `, 'unique_key', md5(n::text)` : '';
    await rowsOf(
      usual.databaseUrl,
      `INSERT INTO ${table} SELECT (json_populate_record(own, json_build_object('id', gen_random_uuid()${key2}))).*
       FROM ${table} own, generate_series(1, $2::int) n WHERE organization_id = $1`,
      [organization.id, max - 3],
    );
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => new Client(other.url, key).post(path, body(n + 10))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
  });
});

describe('an organization', () => {
  it('shows its limits, and RECORD_LIMITS sets them', async () => {
    const limitsOf = async (on: TestApp) => (await new Client(on.url, (await aTenant(on)).key).get('/v1/organization')).body.limits;
    expect(await limitsOf(usual)).toMatchObject(DEFAULT_RECORD_LIMITS);
    expect(await limitsOf(app)).toMatchObject({ ...DEFAULT_RECORD_LIMITS, ...LIMITS });
  });

  it('has a bounded number of members; removed ones do not count', async () => {
    const { id } = await anOrganization(app);
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => aUser(app, id)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMITS.members);
    const detail = 'The organization has 3 members. The limit `members` is 3.';
    await expect(aUser(app, id)).rejects.toMatchObject({ code: 'limit_exceeded', detail });
  });

  it('has a bounded number of applications in each environment', async () => {
    const { id } = await anOrganization(app);
    for (let count = 0; count < LIMITS.applications; count += 1) await anApplication(app, id);
    await expect(anApplication(app, id)).rejects.toMatchObject({ code: 'limit_exceeded' });
    await anApplication(app, id, { environment: 'live' });
    const applications = app.app.get(ApplicationsService);
    const [first] = await applications.ofOrganization(id);
    await applications.setStatus(OPERATOR, first!.id, 'suspended');
  });

  it('has a bounded number of claim items', async () => {
    const api = new Client(app.url, (await aTenant(app)).key);
    const made = async (path: string, body: object) => ((await api.post(path, body)).body as { id: string }).id;
    const projectId = await made('/v1/claim-projects', { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    const categoryId = await made('/v1/expense-categories', { code: 'MILEAGE', name: 'Mileage' });
    const item = { projectId, categoryId, name: 'Drive', incurredOn: '2026-01-15', rate: '36.00', currency: 'EUR' };
    const answers = [];
    for (let count = 0; count <= LIMITS.claimItems; count += 1) answers.push(await api.post('/v1/claim-items', item));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 409]);
    expect(answers.at(-1)!.body).toMatchObject({ code: 'limit_exceeded' });
  });

  it('has a bounded number of receipts', async () => {
    const api = new Client(app.url, (await aTenant(app)).key);
    const project = { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
    const { id: projectId } = (await api.post('/v1/claim-projects', project)).body as { id: string };
    const answers = [];
    for (let count = 0; count <= LIMITS.receipts; count += 1) {
      const content = Buffer.from(`%PDF-1.7 ${count}`).toString('base64');
      answers.push(await api.post('/v1/receipts', { projectId, fileName: 'invoice.pdf', content }));
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 409]);
    expect(answers.at(-1)!.body).toMatchObject({ code: 'limit_exceeded' });
  });

  it('has a bounded number of bank statements', async () => {
    const { take } = await openStatements(app);
    for (let count = 0; count < LIMITS.bankStatements; count += 1) await take({ fileName: `${count}.csv` });
    await expect(take()).rejects.toMatchObject({ code: 'limit_exceeded' });
  });
});
