import { afterAll, expect, it } from 'vitest';
import { aTenant, aVisitor, Client, describeResource, rowsOf, startDocumentedApp } from '../../../../test/extension-api.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

describeResource('suppliers', app, {
  path: '/v1/suppliers',
  create: { name: 'First', taxId: 'DE1', status: 'archived' },
  change: { name: 'Second', taxId: 'DE2', status: 'active' },
  defaults: { taxId: null, status: 'active' },
  nullable: ['taxId'],
  filters: { status: ['active', 'archived'] },
  search: ['name'],
});

const SUPPLIERS = '/v1/suppliers';
const ORDER = { name: 'Ten laptops', amount: '12500.00', currency: 'EUR', orderedOn: '2026-02-28' };

interface Made {
  readonly id: string;
}

async function open() {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const supplier = async (): Promise<Made> => (await api.post(SUPPLIERS, { name: 'Paper and Pens Ltd' })).body as Made;
  const order = (supplierId: string) => api.post('/v1/purchase-orders', { ...ORDER, supplierId });
  return { organization, api, supplier, order };
}

it('a deleted supplier is gone, and its event has it as it was', async () => {
  const { organization, api, supplier } = await open();
  const made = await supplier();
  expect((await api.delete(`${SUPPLIERS}/${made.id}`)).status).toBe(204);
  expect((await api.get(`${SUPPLIERS}/${made.id}`)).status).toBe(404);
  expect((await api.delete(`${SUPPLIERS}/${made.id}`)).status).toBe(404);
  const events = await rowsOf(app.databaseUrl, 'SELECT kind, data FROM events WHERE organization_id = $1 ORDER BY id', [organization.id]);
  expect(events).toMatchObject([{ kind: 'supplier.created' }, { kind: 'supplier.deleted', data: made }]);
});

it('there are at most 10,000 suppliers in an environment; deleted ones do not count', async () => {
  const { organization, api, supplier } = await open();
  const { id } = await supplier();
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO suppliers SELECT (json_populate_record(own, json_build_object('id', gen_random_uuid()))).*
      FROM suppliers own, generate_series(1, 9999) WHERE organization_id = $1`,
    [organization.id],
  );
  const create = () => api.post(SUPPLIERS, { name: 'One more' });
  expect(await create()).toMatchObject({ status: 409, body: { code: 'limit_exceeded' } });
  expect((await api.delete(`${SUPPLIERS}/${id}`)).status).toBe(204);
  expect((await create()).status).toBe(201);
});

it('a supplier with purchase orders cannot be deleted', async () => {
  const { api, supplier, order } = await open();
  const { id } = await supplier();
  const { id: orderId } = (await order(id)).body as unknown as Made;
  const refused = await api.delete(`${SUPPLIERS}/${id}`);
  expect(refused).toMatchObject({ status: 409, body: { code: 'record_in_use', conflictingId: orderId } });
  expect((await api.get(`${SUPPLIERS}/${id}`)).status).toBe(200);
});

it('of an order and the deletion of its supplier at the same moment, one is refused', async () => {
  const { api, supplier, order } = await open();
  for (let round = 0; round < 5; round += 1) {
    const { id } = await supplier();
    const [placed, deleted] = await Promise.all([order(id), api.delete(`${SUPPLIERS}/${id}`)]);
    expect([
      [201, 409],
      [400, 204],
    ]).toContainEqual([placed.status, deleted.status]);
  }
});

it('the console creates a supplier, and deletes it unless it has orders', async () => {
  const { browser } = await aVisitor(app);
  const made = await browser.fill('/console/test/suppliers/new', { name: 'Paper and Pens Ltd', taxId: 'DE1' });
  expect(made.text).toContain('The supplier was created.');
  const supplierId = made.url.pathname.split('/').at(-1)!;
  const placed = await browser.fill('/console/test/purchase-orders/new', { ...ORDER, supplierId });
  expect(placed.text).toContain('The purchase order was created.');
  const refused = await browser.send(made, {}, `${made.url.pathname}/delete`);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Purchase orders name it in supplierId')]);
  const other = await browser.fill('/console/test/suppliers/new', { name: 'Nobody' });
  const deleted = await browser.send(other, {}, `${other.url.pathname}/delete`);
  expect(deleted.text).toContain('The supplier was deleted.');
});
