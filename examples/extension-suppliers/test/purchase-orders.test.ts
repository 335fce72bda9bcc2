import { afterAll, expect, it } from 'vitest';
import {
  aKey,
  aTenant,
  aVisitor,
  callTool,
  Client,
  connectTools,
  describeResource,
  startDocumentedApp,
} from '../../../../test/extension-api.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

describeResource('purchase orders', app, {
  path: '/v1/purchase-orders',
  create: {
    number: 'PO-1',
    name: 'First',
    quantity: '7.25',
    amount: '12.50',
    currency: 'EUR',
    orderedOn: '2026-01-31',
    status: 'cancelled',
  },
  change: {
    number: 'PO-2',
    name: 'Second',
    quantity: '0.125',
    amount: '99.9',
    currency: 'USD',
    orderedOn: '2026-02-01',
    status: 'received',
  },
  defaults: { projectId: null, number: null, quantity: '1', status: 'open' },
  nullable: ['projectId', 'number'],
  filters: { status: ['open', 'received', 'cancelled'] },
  ranges: {
    quantity: ['0.125', '7.25', '9', '10'],
    amount: ['-3', '9.99', '12.5', '100'],
    orderedOn: ['2025-12-31', '2026-01-01', '2026-02-28', '2026-10-01'],
  },
  search: ['name'],
});

const ORDERS = '/v1/purchase-orders';
const ORDER = { name: 'Ten laptops', amount: '12500.00', currency: 'EUR', orderedOn: '2026-02-28' };
const PROJECT = { name: 'Berlin office', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

interface Made {
  readonly id: string;
}

async function open(wanted: Parameters<typeof aTenant>[1] = {}) {
  const api = new Client(app.url, (await aTenant(app, wanted)).key);
  const make = async (path: string, body: object): Promise<Made> => (await api.post(path, body)).body as Made;
  const { id: supplierId } = await make('/v1/suppliers', { name: 'Paper and Pens Ltd' });
  const project = (more: object = {}) => make('/v1/claim-projects', { ...PROJECT, ...more });
  return { api, make, supplierId, project };
}

it('the supplier of an order must exist: that of another organization gets the same answer as an unknown one', async () => {
  const { api, make, supplierId } = await open();
  const { supplierId: ofOthers } = await open();
  const { id } = await make(ORDERS, { ...ORDER, supplierId });
  const missing = { status: 400, body: { code: 'related_record_missing', errors: [{ field: 'supplierId' }] } };
  for (const wrong of [ofOthers, id]) {
    expect(await api.post(ORDERS, { ...ORDER, supplierId: wrong })).toMatchObject(missing);
    expect(await api.patch(`${ORDERS}/${id}`, { supplierId: wrong })).toMatchObject(missing);
  }
});

it('a supplier has an order number once, whatever its spelling; those without a number and of other suppliers may be alike', async () => {
  const { api, make, supplierId } = await open();
  const { id: otherId } = await make('/v1/suppliers', { name: 'Other' });
  const place = (number: string | null, of = supplierId) => api.post(ORDERS, { ...ORDER, supplierId: of, number });
  const { id } = (await place('PO-1042')).body as unknown as Made;
  const refused = {
    status: 409,
    body: {
      code: 'already_exists',
      conflictingId: id,
      detail: `supplierId and number are already used by purchase order ${id}.`,
      errors: [
        { location: 'body', field: 'supplierId', code: 'already_exists' },
        { location: 'body', field: 'number', message: `is already used by purchase order ${id}, with the same supplierId` },
      ],
    },
  };
  for (const number of ['PO-1042', 'po-1042', 'ＰＯ-1042']) expect(await place(number), number).toMatchObject(refused);
  for (const free of [place(null), place(null), place('PO-1043'), place('PO-1042', otherId)]) expect((await free).status).toBe(201);
  const { data } = (await api.get(`${ORDERS}?supplier_id=${otherId}`)).body as { data: Made[] };
  expect(await api.patch(`${ORDERS}/${data[0]!.id}`, { supplierId })).toMatchObject(refused);
  expect(await api.patch(`${ORDERS}/${data[0]!.id}`, { supplierId, number: 'PO-9' })).toMatchObject({ status: 200 });
  expect(await api.patch(`${ORDERS}/${id}`, { number: 'po-1042' })).toMatchObject({ status: 200 });
  const stranger = await open();
  expect((await stranger.api.post(ORDERS, { ...ORDER, supplierId: stranger.supplierId, number: 'PO-1042' })).status).toBe(201);
});

it('of several orders with one number at the same moment, one is placed, and the others are told which', async () => {
  const { api, supplierId } = await open();
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.post(ORDERS, { ...ORDER, supplierId, number: 'PO-7' })));
  const [placed, ...others] = answers.sort((one, other) => one.status - other.status);
  expect([placed!.status, ...others.map(({ status }) => status)]).toEqual([201, ...others.map(() => 409)]);
  for (const { body } of others) expect(body).toMatchObject({ code: 'already_exists', conflictingId: placed!.body.id });
  expect(((await api.get(ORDERS)).body as { data: object[] }).data).toHaveLength(1);
});

it('tools and the console refuse a number that is taken in the same way, at its field', async () => {
  const { browser, organization } = await aVisitor(app);
  const { key } = await aKey(app, organization.id);
  const api = new Client(app.url, key);
  const { id: supplierId } = (await api.post('/v1/suppliers', { name: 'Paper and Pens Ltd' })).body as unknown as Made;
  const { id } = (await api.post(ORDERS, { ...ORDER, supplierId, number: 'PO-7' })).body as unknown as Made;
  const page = await browser.fill('/console/test/purchase-orders/new', { ...ORDER, supplierId, number: 'po-7' });
  expect(page.status).toBe(409);
  expect(page.text).toContain('<a href="#number">');
  expect(page.text).toContain('Number is in use already. Choose another one.');
  const { content } = await callTool(await connectTools(app, { 'X-API-Key': key }), 'create_purchase_order', {
    name: 'By a tool',
    amount: '1',
    currency: 'EUR',
    ordered_on: '2026-02-28',
    supplier_id: supplierId,
    number: 'PO-7',
    confirm: true,
    idempotency_key: id,
  });
  expect(content).toMatchObject({ code: 'already_exists', errors: [{ field: 'supplier_id' }, { field: 'number' }] });
});

it('orders are listed by supplier and by project', async () => {
  const { api, make, supplierId, project } = await open();
  const { id: projectId } = await project();
  const { id: otherId } = await make('/v1/suppliers', { name: 'Other' });
  const first = await make(ORDERS, { ...ORDER, supplierId, projectId });
  const second = await make(ORDERS, { ...ORDER, supplierId: otherId });
  const listed = async (query: string) => ((await api.get(`${ORDERS}?${query}`)).body as { data: Made[] }).data.map(({ id }) => id);
  expect(await listed(`supplier_id=${supplierId}`)).toEqual([first.id]);
  expect(await listed(`supplier_id=${otherId}`)).toEqual([second.id]);
  expect(await listed(`project_id=${projectId}`)).toEqual([first.id]);
});

it('the project of an order must exist, and is not archived while the order is open', async () => {
  const { api, make, supplierId, project } = await open();
  const { id: projectId } = await project();
  expect(await api.post(ORDERS, { ...ORDER, supplierId, projectId: supplierId })).toMatchObject({
    status: 400,
    body: { code: 'related_record_missing', errors: [{ field: 'projectId' }] },
  });
  const { id } = await make(ORDERS, { ...ORDER, supplierId, projectId });
  const archive = () => api.patch(`/v1/claim-projects/${projectId}`, { status: 'archived' });
  expect(await archive()).toMatchObject({ status: 409, body: { code: 'orders_open' } });
  expect((await api.patch(`/v1/claim-projects/${projectId}`, { name: 'Renamed' })).status).toBe(200);
  expect((await api.patch(`${ORDERS}/${id}`, { status: 'received' })).status).toBe(200);
  expect((await archive()).status).toBe(200);
});

it('an order is received once, by an action without a body, and not after it was cancelled', async () => {
  const { api, make, supplierId } = await open();
  const { id } = await make(ORDERS, { ...ORDER, supplierId });
  for (let time = 1; time <= 2; time += 1)
    expect(await api.post(`${ORDERS}/${id}/receive`)).toMatchObject({ status: 200, body: { id, status: 'received' } });
  const { data } = (await api.get(`/v1/audit/events?action_prefix=purchase_order.received`)).body as { data: object[] };
  expect(data).toHaveLength(1);
  const cancelled = await make(ORDERS, { ...ORDER, supplierId, status: 'cancelled' });
  expect(await api.post(`${ORDERS}/${cancelled.id}/receive`)).toMatchObject({ status: 409, body: { code: 'wrong_state' } });
});

it('an organization with the plan starter places orders in the test environment only', async () => {
  const trial = await open({ plan: 'starter' });
  expect((await trial.api.post(ORDERS, { ...ORDER, supplierId: trial.supplierId })).status).toBe(201);
  const live = await open({ plan: 'starter', environment: 'live' });
  const refused = await live.api.post(ORDERS, { ...ORDER, supplierId: live.supplierId });
  expect(refused).toMatchObject({ status: 403, body: { code: 'live_orders_need_plan' } });
  expect((await live.api.get(ORDERS)).status).toBe(200);
  const growth = await open({ plan: 'growth', environment: 'live' });
  expect((await growth.api.post(ORDERS, { ...ORDER, supplierId: growth.supplierId })).status).toBe(201);
});

it('claim projects have a cost centre, by which they are found', async () => {
  const { api, project } = await open();
  const { id } = await project({ customFields: { costCentre: 'CC-7' } });
  await project({ name: 'Another' });
  for (const query of ['custom_fields.cost_centre=CC-7', 'search=cc-7']) {
    const { data } = (await api.get(`/v1/claim-projects?${query}`)).body as { data: object[] };
    expect(data, query).toMatchObject([{ id, customFields: { costCentre: 'CC-7' } }]);
  }
});
