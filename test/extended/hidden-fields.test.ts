import { Injectable, Module } from '@nestjs/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  BankStatementDto,
  ClaimItemDto,
  ClaimLineDto,
  ClaimReportDto,
  declareExtension,
  fieldsIn,
  HiddenFields,
  Implements,
  type FieldsOfRecord,
  type Viewer,
} from '../../src/extension-api.js';
import { newId } from '../../src/kernel/ids.js';
import { aKey } from '../support/builders.js';
import { byPerson } from '../support/by-person.js';
import { Client } from '../support/client.js';
import { aVisitorOf, type ConsoleBrowser } from '../support/console.js';
import { createDatabase } from '../support/database.js';
import { startDocumentedApp, type DocumentedApp } from '../support/documented-app.js';
import { eventually } from '../support/eventually.js';
import { validCall } from '../support/law-call.js';
import { Receiver } from '../support/receiver.js';
import { openReports, rule } from '../support/reports.js';
import { callTool, connectTools } from '../support/tools.js';
import { DELIVERING, WEBHOOKS, webhookInput } from '../support/webhooks.js';
import { HiddenRates } from './hidden-rates/hidden-rates.js';

const PROJECTS = '/v1/claim-projects';
/** An application of somebody else. */
const PARTNER = { name: 'Coupling' };
const ITEMS = '/v1/claim-items';
/** As they are sent, stored, and written on pages. */
const SECRETS = [
  ...['Bossaball GmbH', '•••• 4321', '-12.00', '-12,00', '96,627.61', '96627.61'],
  ...['Zorbing-7', '7431.97', '7,431.97', '7.431,97', '96615.61', '96,615.61', 'Quidditch rates', 'Snorkel hire'],
];
const CLAIM_FILE =
  'Date,Description,Counterparty,Account,Amount,Currency\n2026-01-05,Snorkel hire,Bossaball GmbH,DE02120300000000004321,-12.00,EUR\n';

@Injectable()
@Implements(HiddenFields)
class Lines extends HiddenFields {
  readonly fields = [
    fieldsIn(ClaimLineDto, 'description', 'counterparty', 'amount', 'claimable'),
    fieldsIn(BankStatementDto, 'accountLabel', 'sha256'),
    fieldsIn(ClaimReportDto, 'result'),
  ];

  isHiddenFrom({ user }: Viewer): boolean {
    return user?.role === 'member';
  }
}

let lesserPlans: string[] = [];

@Injectable()
@Implements(HiddenFields)
class Units extends HiddenFields {
  readonly fields = [fieldsIn(ClaimItemDto, 'unit')];

  isHiddenFrom({ organization }: Viewer): boolean {
    return lesserPlans.includes(organization.plan);
  }
}

const hiding = (...providers: (new () => HiddenFields)[]) => {
  @Module({ providers })
  class HidingModule {}
  return declareExtension({ name: 'hiding', madeFor: '1.0.0', modules: [HidingModule] });
};

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: DocumentedApp;
beforeAll(async () => {
  database = await createDatabase();
  app = await startDocumentedApp({ DATABASE_URL: database.url, ROLE: 'all', ...DELIVERING }, undefined, [
    hiding(HiddenRates, Lines, Units),
  ]);
});
afterAll(async () => {
  await app?.close();
  await database.drop();
});

const item = (wanted: object) => ({
  name: 'Trip',
  incurredOn: '2026-01-15',
  rate: '7431.97',
  quantity: '13',
  unit: 'days',
  rateSource: 'Quidditch rates',
  currency: 'EUR',
  ...wanted,
});

/** An organization with records that have something to hide, and who sees them: its key, a member's application, and one of a partner. */
async function aClaim() {
  const reports = await openReports(app);
  const { api } = reports;
  const organization = { id: reports.organizationId };
  const [project, category] = [await reports.project({ clientReference: 'Zorbing-7' }), await reports.category('SPORT', [rule('Snorkel')])];
  const made = await api.post(ITEMS, item({ projectId: project.id, categoryId: category.id }));
  expect(made.status, made.text).toBe(201);
  const member = await byPerson(app, organization, 'member');
  const partner = await byPerson(app, organization, 'owner', PARTNER);
  return { reports, api, organization, project, category, item: made.body as ClaimItemDto, member, partner };
}

it('are left out of answers to a member and to a partner, by each door; a key sees them', async () => {
  const { api, member, partner, project, item: made, organization } = await aClaim();
  const path = `${ITEMS}/${made.id}`;
  const { rate: _rate, amount: _amount, rateSource: _source, ...seen } = made;
  expect((await api.get(path)).body).toEqual(made);
  expect((await member.get(path)).body).toEqual(seen);
  expect((await partner.get(path)).body).toEqual(seen);
  expect((await member.get(ITEMS)).body).toMatchObject({ data: [seen] });
  const tools = await connectTools(app, { authorization: `Bearer ${member.token}` });
  const called = await callTool(tools, 'get_claim_project', { project_id: project.id });
  expect([called.isError, called.content.id, called.text.includes('Zorbing')]).toEqual([false, project.id, false]);
  await tools.close();
  const { browser } = await aVisitorOf(app, organization, { role: 'member' });
  const page = await browser.visit(`/console/test/items/${made.id}`);
  expect([page.status, SECRETS.filter((secret) => page.text.includes(secret))]).toEqual([200, []]);
  expect(page.text).toContain('days');
});

it('are left out of what a write answers, also when it is repeated with its key', async () => {
  const { api, member, project, category } = await aClaim();
  const once = { 'Idempotency-Key': newId() };
  const input = item({ projectId: project.id, categoryId: category.id });
  const [first, again] = [await member.post(ITEMS, input, once), await member.post(ITEMS, input, once)];
  expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
  expect(first.body).not.toHaveProperty('rate');
  const { id } = first.body as ClaimItemDto;
  expect((await member.patch(`${ITEMS}/${id}`, { name: 'Other trip' })).body).not.toHaveProperty('amount');
  expect((await api.get(`${ITEMS}/${id}`)).body).toMatchObject({ name: 'Other trip', rate: '7431.97', amount: '96615.61' });
  const batch = await member.post('/v1/batches', { operation: 'claim_items.create', items: [input] });
  expect([batch.status, SECRETS.filter((secret) => batch.text.includes(secret))]).toEqual([200, []]);
});

it('are left out of the feed, and are not found out by searching', async () => {
  const { member, api, organization, project } = await aClaim();
  await eventually(async () => {
    const { data } = (await member.get('/v1/events?after=00000000-0000-0000-0000-000000000000&limit=200')).body as {
      data: { type: string; data: object }[];
    };
    const created = data.find(({ type }) => type === 'claim_project.created');
    expect(created?.data).toMatchObject({ id: project.id });
    expect(created?.data).not.toHaveProperty('clientReference');
  });
  for (const query of ['search=Zorbing', 'client_reference=Zorbing-7']) {
    expect((await api.get(`${PROJECTS}?${query}`)).body, query).toMatchObject({ data: [{ id: project.id }] });
    expect(await member.get(`${PROJECTS}?${query}`), query).toMatchObject({ status: 403, body: { code: 'fields_hidden' } });
  }
  const { browser } = await aVisitorOf(app, organization, { role: 'member' });
  expect((await browser.visit('/console/test/projects?search=Berlin')).text).toContain('Berlin office');
  expect((await browser.visit('/console/test/projects?search=nothing')).text).toContain('Berlin office');
});

it('files, links to them and the audit log are refused; whole records are sent to no endpoint of theirs', async () => {
  const { reports, api, member, partner } = await aClaim();
  const run = await reports.run();
  expect((await api.get(`/v1/claim-reports/${run.id}/outputs/json`)).status).toBe(200);
  const refused = { status: 403, body: { code: 'fields_hidden', retry: 'never' } };
  expect(await member.get(`/v1/claim-reports/${run.id}/outputs/json`)).toMatchObject(refused);
  expect(await member.post(`/v1/claim-reports/${run.id}/links`, { format: 'json' })).toMatchObject(refused);
  expect(await partner.get('/v1/audit/events')).toMatchObject(refused);
  expect(await partner.post(WEBHOOKS, webhookInput())).toMatchObject(refused);
  const whole = (await api.post(WEBHOOKS, webhookInput())).body as { id: string };
  expect(await partner.patch(`${WEBHOOKS}/${whole.id}`, { targetUrl: 'https://other.example.com/' })).toMatchObject(refused);
  expect((await partner.post(WEBHOOKS, webhookInput({ payload: 'thin' }))).status).toBe(201);
});

it('are left out of what is sent to an organization from which they are hidden', async () => {
  const { api, project, category } = await aClaim();
  const receiver = await Receiver.start();
  const wanted = webhookInput({ targetUrl: receiver.url, subscribedEvents: ['claim_item.created'] });
  expect((await api.post(WEBHOOKS, wanted)).status).toBe(201);
  lesserPlans = ['enterprise'];
  await api.post(ITEMS, item({ projectId: project.id, categoryId: category.id }));
  await eventually(() => expect(receiver.received).not.toHaveLength(0));
  const sent = JSON.parse(receiver.received[0]!.body) as { data: object };
  expect(sent.data).toMatchObject({ rate: '7431.97' });
  expect(sent.data).not.toHaveProperty('unit');
  expect((await api.get(ITEMS)).text).not.toContain('"unit"');
  lesserPlans = [];
  await receiver.close();
});

it('keep their values when somebody who does not see them changes the record in the console', async () => {
  const { organization, api, item: made } = await aClaim();
  const { browser } = await aVisitorOf(app, organization, { role: 'member' });
  const form = await browser.visit(`/console/test/items/${made.id}/edit`);
  expect(form.text).not.toContain('name="rate"');
  const saved = await browser.send(form, { name: 'By a member' });
  expect(saved.url.pathname, saved.text).toBe(`/console/test/items/${made.id}`);
  expect((await api.get(`${ITEMS}/${made.id}`)).body).toMatchObject({
    name: 'By a member',
    rate: '7431.97',
    rateSource: 'Quidditch rates',
  });
});

/** All pages that links lead to, one of each kind. */
async function crawled(browser: ConsoleBrowser) {
  const kindOf = (path: string) => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id');
  const seen = new Map([['/console/test', '/console/test']]);
  const shown: { path: string; status: number; text: string }[] = [];
  for (const path of seen.values()) {
    const page = await browser.visit(path);
    shown.push({ path, status: page.status, text: page.text });
    for (const [, link] of page.text.matchAll(/<a [^>]*href="(\/console\/test[^"#?]*)/g))
      if (!seen.has(kindOf(link!))) seen.set(kindOf(link!), link!);
  }
  return shown;
}

it('are in no answer of any operation, and on no page', async () => {
  const { reports, organization, member } = await aClaim();
  await reports.taken({ file: CLAIM_FILE });
  const run = await reports.run();
  expect(run.status).toBe('succeeded');
  const owner = await crawled((await aVisitorOf(app, organization)).browser);
  const ofOwner = SECRETS.filter((secret) => owner.some(({ text }) => text.includes(secret)));
  expect(ofOwner).toEqual(
    expect.arrayContaining(['Bossaball GmbH', '•••• 4321', '-12.00', '96,627.61', 'Zorbing-7', '7,431.97', 'Snorkel hire']),
  );
  const pages = await crawled((await aVisitorOf(app, organization, { role: 'member' })).browser);
  expect(
    pages.flatMap(({ path, text }) => SECRETS.filter((secret) => text.includes(secret)).map((secret) => `${path}: ${secret}`)),
  ).toEqual([]);
  const open = pages.filter(({ status }) => status === 200).map(({ path }) => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id'));
  expect(open).toEqual(
    expect.arrayContaining(
      [
        '',
        '/projects',
        '/projects/:id',
        '/items/:id',
        '/statements',
        '/statements/:id',
        '/statements/new',
        '/reports',
        '/reports/:id',
        '/reports/new',
      ]
        .concat('/reports/:id/lines', '/reports/:id/lines/:id')
        .map((path) => `/console/test${path}`),
    ),
  );
  expect(pages.filter(({ status }) => status !== 200).map(({ path }) => path)).toEqual([]);
  const { key } = await aKey(app, organization.id);
  const api = new Client(app.url, key);
  const whole: string[] = [];
  const found: string[] = [];
  const reads = app.operations.filter(({ method }) => method === 'GET');
  for (const operation of reads) {
    const paths = new Set([(await validCall(app, operation, key)).path, operation.path.replace('{report_id}', run.id)]);
    for (const path of [...paths].filter((one) => !one.includes('{'))) {
      whole.push((await api.get(path)).text);
      const { text } = await member.get(path);
      found.push(...SECRETS.filter((secret) => text.includes(secret)).map((secret) => `${operation.id}: ${secret}`));
    }
  }
  expect(SECRETS.filter((secret) => whole.some((text) => text.includes(secret))).length).toBeGreaterThanOrEqual(5);
  expect(found).toEqual([]);
});

it('a page that cannot be shown says what is hidden and who can open it, and is not in navigation, search and overview', async () => {
  const { organization } = await aClaim();
  const owner = await aVisitorOf(app, organization);
  const { browser } = await aVisitorOf(app, organization, { role: 'member' });
  const refused = await browser.visit('/console/test/webhooks');
  expect([refused.status, /<h1>(.*?)<\/h1>/.exec(refused.text)?.[1]]).toEqual([403, 'Webhooks']);
  expect(refused.text).toContain('An owner of');
  expect(refused.text).toMatch(/hidden from you: Rate, Amount, Rate source, Client reference/);
  expect(refused.text).toContain('href="/console/test">Back to what you can see');
  const linksTo = async (visitor: ConsoleBrowser, path: string) =>
    (await visitor.visit(`/console/test${path}`)).text.includes('/console/test/webhooks"');
  for (const path of ['', '/search?q=Webhooks', '/projects'])
    expect([path, await linksTo(browser, path), await linksTo(owner.browser, path)]).toEqual([path, false, true]);
  expect((await browser.visit('/console/test/search?q=Berlin')).text).not.toContain('Berlin office');
  expect((await owner.browser.visit('/console/test/search?q=Berlin')).text).toContain('Berlin office');
});

it('may be missing, say the documents, and of tools', () => {
  const { required, properties } = app.document.components.schemas.ClaimItem as {
    required: string[];
    properties: Record<string, { description: string }>;
  };
  expect([required.includes('rate'), required.includes('name')]).toEqual([false, true]);
  expect(properties.rate!.description).toContain('Left out for those from whom this installation hides it.');
});

it.each([
  ['that a record has not', fieldsIn(ClaimItemDto, 'price' as 'rate'), 'hides price of ClaimItemDto, which it has not.'],
  ['that says what a record is', fieldsIn(ClaimItemDto, 'id'), 'hides id of ClaimItemDto, which says what it is.'],
] satisfies [string, FieldsOfRecord, string][])('a field %s keeps the process from starting', async (_what, wrong, message) => {
  @Injectable()
  @Implements(HiddenFields)
  class Wrong extends HiddenFields {
    readonly fields = [wrong];
    isHiddenFrom(): boolean {
      return true;
    }
  }
  await expect(startDocumentedApp({}, undefined, [hiding(Wrong)])).rejects.toThrow(message);
});
