import { Injectable, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  declareExtension,
  fieldsIn,
  HiddenFields,
  Implements,
  UnitOfWork,
  type Viewer,
  type WriteContext,
} from '../../src/extension-api.js';
import { OPERATOR, type Environment } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import { startApp } from '../support/app.js';
import { aKey, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { aVisitor, aVisitorOf, textOf } from '../support/console.js';
import { rowsOf } from '../support/database.js';
import type { DocumentedApp } from '../support/documented-app.js';
import { validCall } from '../support/law-call.js';
import { bodySchema } from '../support/law-document.js';
import { collectStatements } from '../support/plans.js';
import { callTool, connectTools } from '../support/tools.js';
import { startWith } from './start-with.js';
import { tripsExtension } from './relations/extension.js';
import { TripDto, type TripNote, TripNotesRepository, TripsRepository } from './relations/trips.js';

const [VENDORS, TRIPS, PROJECTS] = ['/v1/vendors', '/v1/trips', '/v1/claim-projects'];
const YEAR = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

/** Members do not see who sold a trip. */
@Injectable()
@Implements(HiddenFields)
class HiddenVendors extends HiddenFields {
  readonly fields = [fieldsIn(TripDto, 'vendorId')];

  isHiddenFrom({ user }: Viewer): boolean {
    return user?.role === 'member';
  }
}
@Module({ providers: [HiddenVendors] })
class HidingModule {}
const hiding = declareExtension({ name: 'hiding', madeFor: '1.0.0', modules: [HidingModule] });

let app: DocumentedApp;
beforeAll(async () => {
  app = await startWith([tripsExtension, hiding]);
});
afterAll(() => app.close());

interface Made {
  readonly id: string;
}

function callsOf(key: string) {
  const api = new Client(app.url, key);
  const make = async (path: string, body: object): Promise<string> => ((await api.post(path, body)).body as unknown as Made).id;
  return {
    api,
    key,
    vendor: (name = 'Rail AG') => make(VENDORS, { name }),
    project: (vendorId?: string) =>
      make(PROJECTS, { name: newId(), ...YEAR, ...(vendorId && { customFields: { mainVendorId: vendorId } }) }),
    trip: (vendorId: string, more: object = {}) => api.post(TRIPS, { name: 'Hamburg', vendorId, ...more }),
  };
}

async function open(environment: Environment = 'test') {
  const { organization, key } = await aTenant(app, { environment });
  return { organization, ...callsOf(key) };
}

const missingAt = (field: string, what: string) => ({
  status: 400,
  body: {
    code: 'related_record_missing',
    detail: `There is no ${what} with the id in ${field}.`,
    errors: [{ location: 'body', field, code: 'related_record_missing', message: `must be the id of a ${what}` }],
  },
});

describe('what a record names', () => {
  it('exists, or the write is refused at the field and writes nothing', async () => {
    const { api, trip, vendor } = await open();
    expect(await trip(newId())).toMatchObject(missingAt('vendorId', 'vendor'));
    const vendorId = await vendor();
    expect(await trip(vendorId, { projectId: newId() })).toMatchObject(missingAt('projectId', 'claim project'));
    expect((await api.get(TRIPS)).body).toMatchObject({ data: [] });
    const { id } = (await trip(vendorId)).body as unknown as Made;
    expect(await api.patch(`${TRIPS}/${id}`, { name: 'Berlin', vendorId: newId() })).toMatchObject(missingAt('vendorId', 'vendor'));
    expect((await api.get(`${TRIPS}/${id}`)).body).toMatchObject({ name: 'Hamburg', vendorId, projectId: null });
  });

  it('is of the same organization and environment: another one is answered as an unknown one', async () => {
    const [own, other] = [await open(), await open()];
    const live = callsOf((await aKey(app, own.organization.id, { environment: 'live' })).key);
    const answers = await Promise.all([other.vendor(), live.vendor(), newId()].map(async (id) => own.trip(await id)));
    const said = answers.map(({ status, body: { requestId: _one, ...body } }) => ({ status, body }));
    expect(said).toEqual([said[2], said[2], said[2]]);
    expect(said[2]).toMatchObject(missingAt('vendorId', 'vendor'));
  });

  it('is within the projects of a credential that is for some', async () => {
    const { organization, project, vendor } = await open();
    const [mine, other, vendorId] = [await project(), await project(), await vendor()];
    const bound = callsOf((await aKey(app, organization.id, { projectIds: [mine] })).key);
    expect((await bound.trip(vendorId, { projectId: mine })).status).toBe(201);
    expect((await bound.trip(vendorId, { projectId: other })).body).toMatchObject({ code: 'bound_to_projects' });
    expect(await bound.trip(newId(), { projectId: mine })).toMatchObject(missingAt('vendorId', 'vendor'));
    expect(await bound.trip(mine, { projectId: mine })).toMatchObject(missingAt('vendorId', 'vendor'));
  });

  it('may be null where the field says so', async () => {
    const { api, trip, vendor, project } = await open();
    const made = await trip(await vendor(), { projectId: await project() });
    const { id } = made.body as unknown as Made;
    expect(made.body.projectId).toEqual(expect.any(String));
    expect(await api.patch(`${TRIPS}/${id}`, { projectId: null })).toMatchObject({ status: 200, body: { projectId: null } });
    expect(await api.patch(`${TRIPS}/${id}`, { vendorId: null })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('is looked up in the packet of the write, and only where it is written', async () => {
    const { api, trip, vendor } = await open();
    const vendorId = await vendor();
    const { id } = (await trip(vendorId)).body as unknown as Made;
    const statements = async (work: () => Promise<unknown>) => {
      const collected = collectStatements(app);
      await work();
      return [...collected.values()].filter((name) => name.startsWith('vendors.'));
    };
    expect(await statements(() => trip(vendorId))).toEqual(['vendors.share']);
    expect(await statements(() => api.patch(`${TRIPS}/${id}`, { name: 'Berlin' }))).toEqual([]);
  });

  it('is checked for each item of a batch, and for tools, by the names that they have', async () => {
    const { api, key, vendor } = await open();
    const vendorId = await vendor();
    const items = [vendorId, newId(), vendorId].map((id) => ({ name: 'Hamburg', vendorId: id }));
    const { body } = await api.post('/v1/batches', { operation: 'trips.create', items });
    expect(body).toMatchObject({
      succeeded: 2,
      failed: 1,
      items: [{ status: 201 }, { problem: { code: 'related_record_missing' } }, { status: 201 }],
    });
    const tools = await connectTools(app, { 'X-API-Key': key });
    const inputs = { name: 'Hamburg', vendor_id: newId(), confirm: true, idempotency_key: newId() };
    const { content } = await callTool(tools, 'create_trip', inputs);
    expect(content).toMatchObject({ code: 'related_record_missing', errors: [{ field: 'vendor_id' }] });
  });
});

describe('a record that others name', () => {
  const inUse = (detail: string, conflictingId: string) => ({
    status: 409,
    body: { code: 'record_in_use', detail: `${detail}, such as ${conflictingId}.`, conflictingId },
  });

  it('is not deleted, and the answer says who names it', async () => {
    const { api, trip, vendor, project } = await open();
    const [sold, main, free] = [await vendor(), await vendor(), await vendor()];
    const { id } = (await trip(sold)).body as unknown as Made;
    const projectId = await project(main);
    expect(await api.delete(`${VENDORS}/${sold}`)).toMatchObject(inUse('Trips name it in vendorId', id));
    expect(await api.delete(`${VENDORS}/${main.toUpperCase()}`)).toMatchObject(
      inUse('Claim projects name it in customFields.mainVendorId', projectId),
    );
    expect((await api.delete(`${VENDORS}/${free}`)).status).toBe(204);
    expect((await api.get(`${VENDORS}/${sold}`)).status).toBe(200);
    expect((await api.patch(`${TRIPS}/${id}`, { vendorId: main })).status).toBe(200);
    expect((await api.delete(`${VENDORS}/${sold}`)).status).toBe(204);
  });

  it('is not deleted while another record begins to name it', async () => {
    const { api, trip, vendor, project } = await open();
    for (let round = 0; round < 8; round += 1) {
      const [one, two] = [await vendor(), await vendor()];
      const [placed, deleted] = await Promise.all([trip(one), api.delete(`${VENDORS}/${one}`)]);
      const [named, gone] = await Promise.all([project(two), api.delete(`${VENDORS}/${two}`)]);
      const outcomes = [
        [201, 409],
        [400, 204],
      ];
      expect(outcomes).toContainEqual([placed.status, deleted.status]);
      expect(outcomes).toContainEqual([named === undefined ? 400 : 201, gone.status]);
    }
  });

  it('is found by an index', async () => {
    const { organization, api, vendor, trip } = await open();
    const vendorId = await vendor();
    const collected = collectStatements(app);
    await api.delete(`${VENDORS}/${vendorId}`);
    const lookUps = [...collected].filter(([, name]) => name.includes('.naming:'));
    expect(lookUps.map(([, name]) => name.split('.')[0]).sort()).toEqual(['claim_projects', 'trips']);
    const { id: made } = (await trip(await vendor())).body as unknown as Made;
    const many = `INSERT INTO trips SELECT name, gen_random_uuid(), project_id, gen_random_uuid(), organization_id, environment, created_at,
      updated_at FROM trips, generate_series(1, 5000) WHERE id = $1`;
    await rowsOf(app.databaseUrl, many, [made]);
    await rowsOf(app.databaseUrl, 'ANALYZE trips');
    const [text] = lookUps.find(([, name]) => name.startsWith('trips.'))!;
    const plan = await rowsOf(app.databaseUrl, `EXPLAIN ${text}`, [organization.id, 'test', vendorId]);
    expect(JSON.stringify(plan)).toContain('trips_by_vendor');
  });

  it('is kept for a credential for some projects, too, which is not told of a record that it may not reach', async () => {
    const { organization, trip, vendor, project } = await open();
    const projectId = await project();
    const { id: tripId } = (await trip(await vendor(), { projectId })).body as unknown as Made;
    const tenant = { organizationId: organization.id, environment: 'test' } as const;
    const at = new Date().toISOString();
    const note: TripNote = { ...tenant, id: newId(), createdAt: at, updatedAt: at, tripId, vendorId: null };
    const [notes, trips, unit] = [app.app.get(TripNotesRepository), app.app.get(TripsRepository), app.app.get(UnitOfWork)];
    await unit.runAs(OPERATOR, tenant, (ctx) => notes.insert(ctx, note));
    const removed = (more: object) => unit.runAs(OPERATOR, tenant, (ctx) => trips.remove({ ...ctx, ...more }, tripId));
    await expect(removed({ projects: [newId()] })).resolves.toBeUndefined();
    const refused = { code: 'record_in_use', detail: 'Trip notes name it in tripId.', conflictingId: undefined };
    await expect(removed({ projects: [projectId] })).rejects.toMatchObject(refused);
    await expect(removed({})).rejects.toMatchObject({ code: 'record_in_use', conflictingId: note.id });
  });

  it('may be deleted where the declaration allows it, and what named it can still be changed', async () => {
    const { organization, api, trip, vendor } = await open();
    const [sold, noted] = [await vendor(), await vendor()];
    const { id: tripId } = (await trip(sold)).body as unknown as Made;
    const [notes, unit] = [app.app.get(TripNotesRepository), app.app.get(UnitOfWork)];
    const tenant = { organizationId: organization.id, environment: 'test' } as const;
    const at = new Date().toISOString();
    const note: TripNote = { ...tenant, id: newId(), createdAt: at, updatedAt: at, tripId, vendorId: noted };
    const write = (work: (ctx: WriteContext) => Promise<unknown>) => unit.runAs(OPERATOR, tenant, work);
    await expect(write((ctx) => notes.insert(ctx, { ...note, tripId: noted }))).rejects.toMatchObject({ code: 'related_record_missing' });
    await write((ctx) => notes.insert(ctx, note));
    expect((await api.delete(`${VENDORS}/${noted}`)).status).toBe(204);
    await write((ctx) => notes.update(ctx, note, ['vendorId', 'updatedAt']));
    await expect(write((ctx) => notes.update(ctx, { ...note, vendorId: newId() }, ['vendorId']))).rejects.toMatchObject({
      code: 'related_record_missing',
    });
  });
});

describe('a custom field', () => {
  it('names a record, which is checked when it is set, and filters lists', async () => {
    const { api, vendor, project } = await open();
    const vendorId = await vendor();
    const create = (fields: object) => api.post(PROJECTS, { name: newId(), ...YEAR, customFields: fields });
    expect(await create({ mainVendorId: newId() })).toMatchObject(missingAt('customFields.mainVendorId', 'vendor'));
    expect(await create({ mainVendorId: 'x' })).toMatchObject({ body: { errors: [{ code: 'invalid_uuid' }] } });
    const id = await project(vendorId.toUpperCase());
    await project();
    for (const asked of [vendorId, vendorId.toUpperCase()]) {
      const { body } = await api.get(`${PROJECTS}?custom_fields.main_vendor_id=${asked}`);
      expect(body).toMatchObject({ data: [{ id, customFields: { mainVendorId: vendorId } }] });
    }
    const patch = (fields: object) => api.patch(`${PROJECTS}/${id}`, { customFields: fields });
    expect(await patch({ mainVendorId: newId() })).toMatchObject(missingAt('customFields.mainVendorId', 'vendor'));
    // Gone without a word, as if it was there before the field named records.
    await rowsOf(app.databaseUrl, 'DELETE FROM vendors WHERE id = $1', [vendorId]);
    expect(await patch({ travelNote: 'Early trains' })).toMatchObject({ status: 200, body: { customFields: { mainVendorId: vendorId } } });
    expect(await patch({ mainVendorId: null })).toMatchObject({ status: 200, body: { customFields: { mainVendorId: null } } });
  });
});

describe('the console', () => {
  it('shows what a record names, chooses it, and filters by it', async () => {
    const { browser, organization } = await aVisitor(app);
    const { vendor, project, trip } = callsOf((await aKey(app, organization.id)).key);
    const [rail, bus, old] = [await vendor('Rail <AG>'), await vendor('Bus GmbH'), await vendor('Old Coaches')];
    await rowsOf(app.databaseUrl, `UPDATE vendors SET status = 'archived' WHERE id = $1`, [old]);
    const projectId = await project(rail);
    const form = await browser.visit('/console/test/trips/new');
    for (const name of ['Rail &lt;AG>', 'Bus GmbH']) expect(form.text).toContain(`>${name}</option>`);
    expect(form.text).not.toContain('Old Coaches');
    const shown = await browser.send(form, { name: 'Hamburg', vendorId: rail, projectId });
    expect(shown.text).toContain(`<dt>Sold by</dt><dd><a href="/console/test/sellers/${rail}">Rail &lt;AG></a></dd>`);
    expect(shown.text).toContain(`<a href="/console/test/projects/${projectId}">`);
    await trip(bus, { name: 'Bremen' });
    const listed = await browser.visit(`/console/test/trips?vendor=${rail}`);
    expect([listed.text.includes('Hamburg'), listed.text.includes('Bremen')]).toEqual([true, false]);
    expect(listed.text).toContain(`<option value="${rail}" selected>Rail &lt;AG></option>`);
    const ofProject = await browser.visit(`/console/test/projects/${projectId}`);
    expect(ofProject.text).toContain(`<dt>Main vendor</dt><dd><a href="/console/test/sellers/${rail}">Rail &lt;AG></a></dd>`);
    const edited = await browser.fill(`/console/test/projects/${projectId}/edit`, { 'customFields.mainVendorId': bus });
    expect(edited.text).toContain('Bus GmbH');
    const projects = await browser.visit(`/console/test/projects?custom_fields.main_vendor_id=${bus}`);
    expect(projects.text).toContain(`<option value="${bus}" selected>Bus GmbH</option>`);
    expect(textOf(projects.text)).toContain('Main vendor');
    const refused = await browser.fill('/console/test/trips/new', { name: 'Hamburg', vendorId: newId() });
    expect([refused.status, refused.text.includes('<a href="#vendorId">')]).toEqual([400, true]);
  });

  it('keeps what is chosen, also if it is archived, and says nothing of what is hidden', async () => {
    const { browser, organization } = await aVisitor(app);
    const { vendor, trip } = callsOf((await aKey(app, organization.id)).key);
    const old = await vendor('Old Coaches');
    const { id } = (await trip(old)).body as unknown as Made;
    await rowsOf(app.databaseUrl, `UPDATE vendors SET status = 'archived' WHERE id = $1`, [old]);
    expect((await browser.visit(`/console/test/trips/${id}/edit`)).text).toContain(`<option value="${old}" selected>Old Coaches</option>`);
    const member = await aVisitorOf(app, organization, { role: 'member' });
    for (const path of ['', `/${id}`, `/${id}/edit`, `?vendor=${old}`]) {
      const { status, text } = await member.browser.visit(`/console/test/trips${path}`);
      expect([status, text.includes('Old Coaches'), text.includes('Sold by')], path).toEqual([200, false, false]);
    }
  });
});

it('the documents say whose id a field is, and what a write and a deletion are refused for', () => {
  const { properties } = bodySchema(app.document, app.registry.operationCalled('trips.create'));
  expect(properties!.vendorId!.description).toBe('Who sold it. Id of one of the vendors.');
  const problems = (id: string) => app.registry.operationCalled(id).problems;
  for (const id of ['trips.create', 'trips.update', 'claim_projects.create']) expect(problems(id), id).toContain('related_record_missing');
  expect(problems('vendors.delete')).toContain('record_in_use');
  expect(problems('vendors.create')).not.toContain('related_record_missing');
  const { responses } = app.document.paths['/v1/vendors/{vendor_id}']!.delete!;
  expect(Object.keys(responses)).toContain('409');
});

it('the laws find a valid id by the declaration alone', async () => {
  const { key } = await open();
  for (const id of ['trips.create', 'claim_projects.create']) {
    const { path, body } = await validCall(app, app.registry.operationCalled(id), key);
    expect((await new Client(app.url, key).post(path, body as object)).status, id).toBe(201);
  }
});

it('no process starts with a relation to a table that no repository has', async () => {
  const { lost } = await import('./relations/lost.js');
  await expect(startApp({ DATABASE_URL: app.databaseUrl }, undefined, [tripsExtension, lost])).rejects.toThrow(
    'lost_trips.vendorId names a record of vendorz',
  );
});
