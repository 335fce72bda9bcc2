import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getFrom } from '../support/addresses.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReportOperatorService } from '../../src/modules/reports/index.js';
import { textsOfPdf } from '../../src/modules/reports/outputs/fixtures/pdf-text.js';
import { newId } from '../../src/kernel/ids.js';
import { snakeCase } from '../../src/kernel/text.js';
import { DailyJobs } from '../../src/store/jobs/daily-jobs.js';
import type { TestApp } from '../support/app.js';
import { anArchive } from '../support/archived-project.js';
import { startNats } from '../support/brokers.js';
import { anOrganization, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { aVisitor, textOf } from '../support/console.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { MONDAY, startWithRecipes } from '../support/recipes-app.js';
import { openReports, rule } from '../support/reports.js';
import { openSession } from '../support/session.js';
import { callTool, connectTools } from '../support/tools.js';
import { anInvitation } from '../support/users.js';

const PROJECTS = '/v1/claim-projects';
const aProject = (name = 'Berlin office') => ({ name, periodStart: '2026-01-01', periodEnd: '2026-12-31' });
const SUNDAY = '2026-11-22T12:00:00.000Z';
const CERTIFICATE = '9b1f3c7a5d2e4f60819a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70';

let started: Awaited<ReturnType<typeof startWithRecipes>>;
let app: TestApp;
let kafka: (typeof started)['kafka'];
let itIs: (typeof started)['itIs'];
beforeAll(async () => {
  started = await startWithRecipes();
  ({ app, kafka, itIs } = started);
});
afterAll(() => started.close());

async function onSunday<T>(run: () => Promise<T>): Promise<T> {
  itIs(SUNDAY);
  return run().finally(() => itIs(MONDAY));
}
const CLOSED = { status: 403, body: { code: 'closed_on_sundays', title: 'We are closed on Sundays', retry: 'later' } };

describe('a policy', () => {
  it('refuses with its own problem before the body is read, and asks only about its operations', async () => {
    const { key } = await aTenant(app);
    const api = new Client(app.url, key);
    expect(await onSunday(() => api.post(PROJECTS, { bad: 'body' }))).toMatchObject(CLOSED);
    expect((await api.post(PROJECTS, { bad: 'body' })).status).toBe(400);
    expect((await api.post(PROJECTS, aProject())).status).toBe(201);
    expect((await onSunday(() => api.get(PROJECTS))).status).toBe(200);
    expect((await onSunday(() => api.post('/v1/expense-categories', { code: 'RAIL', name: 'Rail' }))).status).toBe(201);
  });

  it('is asked after the scope, and holds for tools and in the console', async () => {
    const { key } = await aTenant(app, { plan: 'enterprise' });
    const none = new Client(app.url, 'pk_test_unknown');
    expect((await onSunday(() => none.post(PROJECTS, aProject()))).status).toBe(401);
    const tools = await connectTools(app, { 'X-API-Key': key });
    const call = { ...aProject('By a tool'), idempotency_key: 'one', confirm: true };
    const refused = await onSunday(() => callTool(tools, 'create_claim_project', call));
    await tools.close();
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('closed_on_sundays') });
    const { browser } = await aVisitor(app);
    const form = await browser.visit('/console/test/projects/new');
    const shown = await onSunday(() => browser.send(form, aProject('In the console')));
    expect([shown.status, shown.text]).toEqual([403, expect.stringContaining('We are closed on Sundays')]);
    expect(await rowsOf(app.databaseUrl, `SELECT id FROM claim_projects WHERE name IN ('By a tool', 'In the console')`)).toEqual([]);
  });

  it('refuses calls that count as usage, as failed ones', async () => {
    const api = new Client(app.url, (await aTenant(app)).key);
    expect(await onSunday(() => api.post(PROJECTS, aProject()))).toMatchObject(CLOSED);
    await eventually(async () => {
      const { capabilities } = (await api.get('/v1/usage')).body as { capabilities: { capability: string }[] };
      const counted = capabilities.find(({ capability }) => capability === 'claim_projects');
      expect(counted).toEqual({ capability: 'claim_projects', reads: 0, writes: 1, failed: 1, total: 1 });
    });
  });

  it('has its problem in the documents of its operations, among all codes, and a page', async () => {
    const { paths, components } = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { responses: Record<string, { $ref: string }> }>>;
      components: { responses: Record<string, { description: string }>; schemas: Record<string, unknown> };
    };
    const refusalsOf = (method: string): string => {
      const { $ref } = paths[PROJECTS]![method]!.responses['403']!;
      return components.responses[$ref.split('/').at(-1)!]!.description;
    };
    expect(refusalsOf('post')).toContain('`closed_on_sundays`: We are closed on Sundays.');
    expect(refusalsOf('get')).not.toContain('closed_on_sundays');
    expect(JSON.stringify(components.schemas.Problem)).toContain('closed_on_sundays');
    expect((await fetch(`${app.url}/problems/closed_on_sundays`)).status).toBe(200);
  });
});

describe('a rule about writes', () => {
  const ARCHIVED = { code: 'project_archived', title: 'The claim project is archived' };

  it('refuses a category, configuration, run, statement and claim item of an archived project, until it is opened again', async () => {
    const { api, projectId, writes } = await anArchive(app);
    const countAll = () => Promise.all(Object.keys(writes).map(async (path) => (await api.get(`/v1/${path}`)).body.pagination));
    const before = await countAll();
    for (const [path, body] of Object.entries(writes))
      expect(await api.post(`/v1/${path}`, body), path).toMatchObject({ status: 409, body: ARCHIVED });
    expect(await countAll()).toEqual(before);
    expect((await api.patch(`${PROJECTS}/${projectId}`, { status: 'active' })).status).toBe(200);
    for (const [path, body] of Object.entries(writes)) expect(await api.post(`/v1/${path}`, body), path).toMatchObject({ status: 201 });
  });

  it('refuses them by tools', async () => {
    const { key, writes } = await anArchive(app);
    const tools = await connectTools(app, { 'X-API-Key': key }, '?tools=claims');
    const names = {
      'expense-categories': 'create_expense_category',
      'report-configurations': 'create_report_configuration',
      'claim-reports': 'create_claim_report',
      'bank-statements': 'import_bank_statement',
      'claim-items': 'create_claim_item',
    };
    for (const [path, body] of Object.entries(writes)) {
      const inputs = Object.fromEntries(Object.entries(body).map(([name, value]) => [snakeCase(name), value as unknown]));
      const answer = await callTool(tools, names[path as keyof typeof names], { ...inputs, confirm: true, idempotency_key: path });
      expect(answer, path).toMatchObject({ isError: true, text: expect.stringContaining('archived claim project'), content: ARCHIVED });
    }
    await tools.close();
  });

  it('refuses to change what is in it, to take it out, and to put something in', async () => {
    const { api, projectId, open, category } = await anArchive(app);
    const at = (id: string) => `/v1/expense-categories/${id}`;
    const elsewhere = (await api.post('/v1/expense-categories', { code: 'RAIL', name: 'Rail', projectId: open })).body.id as string;
    for (const [id, change] of [
      [category, { name: 'Trains' }],
      [category, { projectId: open }],
      [category, { projectId: null }],
      [elsewhere, { code: 'TRAINS', projectId }],
    ] as const)
      expect(await api.patch(at(id), change)).toMatchObject({ status: 409, body: ARCHIVED });
    expect((await api.get(at(category))).body).toMatchObject({ name: 'Rail', projectId });
    expect((await api.patch(at(elsewhere), { name: 'Trains' })).status).toBe(200);
  });

  it('finds the project of a decision about lines and of a link to a file by their run, and that by its configuration', async () => {
    const { api, taken, configuration, run, project } = await openReports(app);
    const { id: projectId } = await project({ name: 'With a run' });
    await taken({ projectId });
    const { id: reportConfigurationId } = await configuration({ projectId, outputOptions: { formats: ['json'] } });
    const report = await run({ reportConfigurationId });
    expect(report.projectId).toBeNull();
    const { data } = (await api.get(`/v1/claim-reports/${report.id}/lines`)).body as { data: { id: string }[] };
    const decide = () => api.post('/v1/claim-line-decisions', { lineIds: [data[0]!.id], outcome: 'not_claimed', reason: 'Private' });
    const link = () => api.post(`/v1/claim-reports/${report.id}/links`, { format: 'json' });
    expect([(await decide()).status, (await link()).status]).toEqual([200, 200]);
    await api.patch(`${PROJECTS}/${projectId}`, { status: 'archived' });
    for (const write of [decide, link]) expect(await write()).toMatchObject({ status: 409, body: ARCHIVED });
  });

  it('waits for another call that is about to archive the project', async () => {
    const { api } = await openReports(app);
    const { id: projectId } = (await api.post(PROJECTS, aProject('Contested'))).body as { id: string };
    const other = await openSession(app.databaseUrl);
    await other.query('BEGIN');
    await other.query(`UPDATE claim_projects SET status = 'archived' WHERE id = $1`, [projectId]);
    const creating = api.post('/v1/expense-categories', { code: 'LATE', name: 'Late', projectId });
    await eventually(async () => {
      const waiting = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR SHARE%'`;
      expect(await rowsOf(app.databaseUrl, waiting)).toHaveLength(1);
    });
    await other.query('COMMIT');
    await other.end();
    expect(await creating).toMatchObject({ status: 409, body: ARCHIVED });
  });
});

const STATEMENT = 'TOYBANK;DE75512108001245126199\n2026-01-05;-89,90;EUR;Deutsche Bahn AG;Ticket to Hamburg\n2026-01-07;20;EUR;;Refund\n';

describe('a reader of an extension', () => {
  it('reads its files in a thread, and other files are read as before', async () => {
    const statements = await openReports(app);
    const read = await statements.taken({ file: STATEMENT, fileName: 'january.txt' });
    expect(read).toMatchObject({ format: 'toy_bank', redactionStatus: 'succeeded', lineCount: 2 });
    expect(read).toMatchObject({ accountLabel: '•••• 6199', currency: 'EUR' });
    expect(await statements.taken()).toMatchObject({ format: 'csv', redactionStatus: 'succeeded' });
  });

  it.each([
    ['2026-02-30;-1,00;EUR;A;B', 'invalid_date'],
    ['2026-02-03;one;EUR;A;B', 'invalid_amount'],
  ])('fails the statement visibly for %s', async (line, code) => {
    const { taken } = await openReports(app);
    const { redactionStatus, failure } = await taken({ file: `TOYBANK;1\n${line}\n`, fileName: 'a.txt' });
    expect([redactionStatus, failure?.code]).toEqual(['failed', code]);
  });
});

describe('a wording of an extension', () => {
  it('is that of reports in the language of their locale, which are written in a thread', async () => {
    const { taken, configuration, run } = await openReports(app);
    await taken();
    const titles: string[] = [];
    for (const locale of ['de-AT', 'de']) {
      const { id: reportConfigurationId } = await configuration({ outputOptions: { formats: ['pdf'], locale } });
      const { id } = await run({ reportConfigurationId });
      const [cover] = textsOfPdf(await app.app.get(ReportOperatorService).file(id, 'pdf'));
      titles.push(cover!.find(({ text }) => /ufstellung/.test(text))!.text);
    }
    expect(titles).toEqual(['Spesenaufstellung', 'Aufstellung der geltend']);
  });
});

describe('other words of an extension', () => {
  it('are those of the console, in each language, and of problems there', async () => {
    const { browser } = await aVisitor(app);
    const shown = async (language: string) => textOf((await browser.visit(`/console/test/projects/new?lang=${language}`)).text);
    for (const [language, menu, label] of [
      ['en', 'Engagements', 'Matter number'],
      ['en-GB', 'Engagements', 'Matter number'],
      ['de', 'Mandate', 'Aktenzeichen'],
      ['fr', 'Projets', 'Référence du client'],
    ] as const) {
      const text = await shown(language);
      expect([text.includes(`>${menu}<`), text.includes(label)], language).toEqual([true, true]);
    }
    const missing = await browser.visit(`/console/test/projects/${newId()}?lang=en`);
    expect([missing.status, textOf(missing.text)]).toEqual([404, expect.stringContaining('We do not have that')]);
  });

  it('are those of reports, which are written in a thread', async () => {
    const { taken, configuration, project, run } = await openReports(app);
    const { id: projectId } = await project();
    await taken({ projectId });
    const covers: string[] = [];
    for (const locale of ['en-GB', 'en-US', 'de']) {
      const { id: reportConfigurationId } = await configuration({ projectId, outputOptions: { formats: ['pdf'], locale } });
      const { id } = await run({ reportConfigurationId });
      const [cover] = textsOfPdf(await app.app.get(ReportOperatorService).file(id, 'pdf'));
      covers.push(cover!.map(({ text }) => text).join(' '));
    }
    expect(covers).toEqual([
      expect.stringMatching(/Statement of costs.*Engagement/),
      expect.stringMatching(/Statement of costs.*Engagement/),
      expect.stringMatching(/Aufstellung der geltend.*Mandat/),
    ]);
  });

  it('are those of mails', async () => {
    const { id } = await anOrganization(app);
    const { user } = await anInvitation(app, id);
    expect(await mailTo(user.email)).toMatch(/^Subject: Acme invites you to /m);
  });

  it('are not those of the API', async () => {
    const api = new Client(app.url, (await aTenant(app)).key);
    expect((await api.get(`${PROJECTS}/${newId()}`)).body).toMatchObject({ code: 'not_found', title: 'There is no such record' });
  });
});

describe('an output of an extension', () => {
  it('is made by runs that ask for it, with its own options, and downloaded', async () => {
    const { api, taken, category, configuration, run } = await openReports(app);
    await taken({ file: STATEMENT, fileName: 'january.txt' });
    const mapping = { rules: [rule('ticket')], account: '4660', contraAccount: '1590' };
    await category('RAIL', [], { sourceMapping: mapping });
    const outputOptions = { formats: ['json', 'ledger'], ledger: { company: 42 } };
    const { id: reportConfigurationId } = await configuration({ outputOptions });
    const { id, status, result } = await run({ reportConfigurationId });
    expect([status, result!.outputs.map(({ format }) => format)]).toEqual(['succeeded', ['json', 'ledger']]);
    const { headers, text } = await api.get(`/v1/claim-reports/${id}/outputs/ledger`);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="ledger-${id}.csv"`,
    });
    expect(text).toMatch(/^42;CLAIMS;2026-01-05;89.90;4660;1590;.*ticket.*\r\n$/i);
  });

  it.each([
    [{}, 'outputOptions.ledger', 'required'],
    [{ ledger: { company: 1000 } }, 'outputOptions.ledger.company', 'not_allowed'],
    [{ ledger: { company: 1, jornal: 'A' } }, 'outputOptions.ledger.jornal', 'unknown_property'],
  ])('refuses a configuration with the options %j at their place', async (options, field, code) => {
    const { api } = await openReports(app);
    const body = { name: 'A', periodStart: '2026-01-01', periodEnd: '2026-01-31', outputOptions: { formats: ['ledger'], ...options } };
    const answer = await api.post('/v1/report-configurations', body);
    expect(answer.status).toBe(400);
    expect((answer.body as { errors: object[] }).errors).toMatchObject([{ field, code }]);
  });

  it('is documented with its options, and offered in the console', async () => {
    const document = await (await fetch(`${app.url}/openapi.json`)).text();
    type Property = { readonly items?: { enum: string[] }; readonly properties?: object; readonly 'x-extensible-enum'?: string[] };
    const { components } = JSON.parse(document) as { components: { schemas: Record<string, { properties: Record<string, Property> }> } };
    const { formats, ledger } = components.schemas.OutputOptions!.properties;
    expect(formats!.items!.enum).toContain('ledger');
    expect(Object.keys(ledger!.properties!)).toEqual(['company', 'journal']);
    expect(components.schemas.BankStatement!.properties.format!['x-extensible-enum']).toContain('toy_bank');
    const { browser } = await aVisitor(app);
    expect((await browser.visit('/console/test/configurations/new')).text).toContain('Bookings for Acme Ledger');
  });
});

describe('a form of an extension', () => {
  it('is filled in by runs, in whose threads it is known', async () => {
    const { taken, category, configuration, run } = await openReports(app);
    await taken({ file: STATEMENT, fileName: 'january.txt' });
    await category('RAIL', [rule('ticket')]);
    const form = { definition: 'acme_foundation', lines: { RAIL: 'travel' } };
    const { id: reportConfigurationId } = await configuration({ outputOptions: { formats: ['form'], form } });
    const { status, result } = await run({ reportConfigurationId });
    expect([status, result!.form!.name, result!.form!.total]).toEqual(['succeeded', 'Travel grant', '89.90']);
  });
});

describe('a certificate that a proxy states', () => {
  const sent = (headers: Record<string, string>, method = 'GET') =>
    new Client(app.url).send(method, PROJECTS, method === 'GET' ? undefined : aProject(), headers);

  it('is a credential with its own scopes, and names its actor', async () => {
    const headers = { 'X-Client-Cert-SHA256': CERTIFICATE };
    const answer = await sent(headers);
    expect([answer.status, answer.headers['ratelimit-policy']]).toEqual([200, expect.stringMatching(/^"growth"/)]);
    expect((await sent(headers, 'POST')).body).toMatchObject({ status: 403, code: 'scope_missing' });
  });

  it('counts for nothing if it is unknown, no certificate, or beside another credential', async () => {
    expect((await sent({ 'X-Client-Cert-SHA256': CERTIFICATE.replace('9', '8') })).body).toMatchObject({ code: 'credential_invalid' });
    expect((await sent({ 'X-Client-Cert-SHA256': 'CN=acme' })).body).toMatchObject({ code: 'credential_missing' });
    const beside = await sent({ 'X-Client-Cert-SHA256': CERTIFICATE, 'X-API-Key': 'pk_test_unknown' });
    expect(beside.body).toMatchObject({ code: 'credential_invalid' });
  });

  it('is one of the ways to send a credential in the document', async () => {
    type Document = { components: { securitySchemes: object }; paths: Record<string, Record<string, { security: object[] }>> };
    const { components, paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as Document;
    expect(components.securitySchemes).toMatchObject({
      'x-client-cert-sha256': { type: 'apiKey', in: 'header', name: 'x-client-cert-sha256' },
    });
    for (const method of ['get', 'post']) expect(paths[PROJECTS]![method]!.security).toContainEqual({ 'x-client-cert-sha256': [] });
  });

  it('counts for nothing from an address that is no trusted proxy', async () => {
    // All of 127.0.0.0/8 is this machine; one address is trusted.
    const headers = { 'X-Client-Cert-SHA256': CERTIFICATE };
    expect(await getFrom('127.0.0.2', `${app.url}${PROJECTS}`, headers)).toMatchObject({
      status: 401,
      body: { code: 'credential_missing' },
    });
  });
});

interface Outbox {
  publish(): Promise<void>;
}

describe('an outlet of an extension', () => {
  const waiting = () => rowsOf<{ id: string }>(app.databaseUrl, 'SELECT id FROM acme_outbox');
  const kindsOf = (id: string) => kafka.records.filter(({ key }) => key === id).map(({ value }) => value.kind);

  it('passes on what was committed, in the order of each record, and nothing that was rolled back', async () => {
    const { key } = await aTenant(app);
    const api = new Client(app.url, key);
    const { id } = (await api.post(PROJECTS, aProject())).body as { id: string };
    await api.patch(`${PROJECTS}/${id}`, { name: 'Hamburg office' });
    expect((await api.post(PROJECTS, aProject('Hamburg office'))).status).toBe(409);
    await eventually(() => expect(kindsOf(id)).toEqual(['claim_project.created', 'claim_project.updated']));
    await eventually(async () => expect(await waiting()).toEqual([]));
    // The refused one is nowhere.
    expect(kafka.records.filter(({ value }) => (value.data as { name?: string }).name === 'Hamburg office')).toHaveLength(1);
  });

  it('keeps what the broker does not take, and sends it later', async () => {
    kafka.isDown = true;
    const { key } = await aTenant(app);
    const { id } = (await new Client(app.url, key).post(PROJECTS, aProject())).body as { id: string };
    await eventually(() => expect(kafka.refusals).toBeGreaterThan(0));
    expect([kindsOf(id), (await waiting()).length]).toEqual([[], 1]);
    kafka.isDown = false;
    await rowsOf(app.databaseUrl, `UPDATE acme_outbox SET taken_at = now() - interval '2 minutes'`);
    const { Outbox } = await started.load<{ Outbox: new () => Outbox }>('acme/outbox.ts');
    await app.app.get<Outbox>(Outbox, { strict: false }).publish();
    expect([kindsOf(id), await waiting()]).toEqual([['claim_project.created'], []]);
  });

  it('publishes to NATS, which keeps each message once', async () => {
    const nats = await startNats();
    type Broker = { publish(rows: readonly object[]): Promise<void> };
    const { NatsBroker } = await started.load<{ NatsBroker: new (settings: object) => Broker }>('acme/nats.ts');
    const broker = new NatsBroker({ natsUrl: nats.url });
    const rowOf = (id: string, kind: string) => ({ id, kind, message: { id, kind, data: { name: 'Bürо €' } } });
    const rows = [rowOf('a', 'claim_project.created'), rowOf('b', 'claim_project.updated')];
    await broker.publish(rows);
    await broker.publish(rows);
    expect([...nats.messages].map(([id, { subject }]) => [id, subject])).toEqual([
      ['a', 'claims.claim_project.created'],
      ['b', 'claims.claim_project.updated'],
    ]);
    expect(nats.messages.get('b')!.message).toEqual(rows[1]!.message);
    await nats.close();
    await expect(broker.publish(rows)).rejects.toThrow();
  });
});

it('a job at a time of day runs for each organization once its time has come', async () => {
  const { organization } = await aTenant(app);
  const jobs = app.app.get(DailyJobs, { strict: false });
  const noon = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
  Object.assign(jobs, { clock: { now: () => noon } });
  // A worker of this application may be at it.
  await eventually(async () => {
    await jobs.run('acme.count');
    const runs = await rowsOf(
      app.databaseUrl,
      `SELECT environment, day::text FROM job_turns
        WHERE organization_id = $1 AND job_id = 'acme.count' AND finished_at IS NOT NULL ORDER BY 1`,
      [organization.id],
    );
    const day = noon.toISOString().slice(0, 10);
    expect(runs).toEqual([
      { environment: 'live', day },
      { environment: 'test', day },
    ]);
  });
});

/** What the mailer of the guide has written to somebody. */
const mailTo = (email: string): Promise<string> =>
  eventually(async () => {
    const files = await readdir(join(started.dataDir, 'eml'));
    const texts = await Promise.all(files.map((file) => readFile(join(started.dataDir, 'eml', file), 'utf8')));
    return texts.find((text) => text.includes(`To: ${email}`)) ?? Promise.reject(new Error('There is no mail yet.'));
  });

it('a mailer of an extension gets every mail, with its Message-ID', async () => {
  const { id } = await anOrganization(app);
  const { user, link, mailed } = await anInvitation(app, id);
  expect(mailed).toBe(true);
  const written = await mailTo(user.email);
  expect(written).toMatch(/^Message-ID: <[\w-]+@[^>]+>\r$/m);
  expect(written.replaceAll('=\r\n', '')).toContain(link);
});
