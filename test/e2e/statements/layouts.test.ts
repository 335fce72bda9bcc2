import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_LAYOUTS } from '../../../src/modules/statements/layouts/statement-layouts.repository.js';
import type { TestApp } from '../../support/app.js';
import type { Answer } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { openStatements, sendStatement, startWorking } from '../../support/statements.js';

const LAYOUTS = '/v1/statement-layouts';
const COLUMNS = { Tag: 'date', Laden: 'description', Preis: 'amount' };
const CARD = { name: 'Corner card', layout: { columns: COLUMNS, amounts: 'charges-positive', currency: 'EUR' } };
const BILL = 'Tag;Laden;Preis\n03.04.2026;Example Books;12,50\n14.04.2026;Payment;-100,00\n';

describe('a layout of an organization', () => {
  let working: TestApp;
  beforeAll(async () => {
    working = await startWorking();
  });
  afterAll(() => working.close());

  const open = () => openStatements(working);
  const made = async (api: Awaited<ReturnType<typeof open>>['api'], body: object = CARD) => {
    const answer = await api.post(LAYOUTS, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body as { id: string; name: string };
  };
  const errorsIn = ({ status, body }: Answer) => [
    status,
    ...(body as { errors: { field: string; code: string }[] }).errors.map(({ field, code }) => `${field} ${code}`),
  ];

  it('reads the files with its header from then on, until it is deleted; the statements stay', async () => {
    const { api, key, settled } = await open();
    const sent = async (file: string) => settled((await sendStatement(working, key, { file })).body.id);
    expect((await sent(BILL)).failure?.code).toBe('header_not_found');
    const { id } = await made(api);
    const read = await sent(`${BILL}15.04.2026;Tea;4,20\n`);
    expect(read).toMatchObject({ redactionStatus: 'succeeded', currency: 'EUR', lineCount: 3 });
    expect((await api.delete(`${LAYOUTS}/${id}`)).status).toBe(204);
    expect((await api.get(`${LAYOUTS}/${id}`)).status).toBe(404);
    expect((await sent(`${BILL}16.04.2026;Tea;4,30\n`)).failure?.code).toBe('header_not_found');
    expect((await api.get(`/v1/bank-statements/${read.id}`)).body).toMatchObject({ lineCount: 3 });
  });

  it('is changed in its place; what stays the same is no change', async () => {
    const { api, organizationId } = await open();
    const { id } = await made(api);
    const layout = { columns: { ...COLUMNS, Ort: 'counterpartyAddress' }, dates: 'day-month' };
    const changed = await api.patch(`${LAYOUTS}/${id}`, { layout });
    expect(changed.body).toEqual({ ...(await api.get(`${LAYOUTS}/${id}`)).body, id, name: CARD.name, layout });
    const same = {
      name: CARD.name,
      layout: { dates: layout.dates, columns: Object.fromEntries(Object.entries(layout.columns).reverse()) },
    };
    expect((await api.patch(`${LAYOUTS}/${id}`, same)).body).toEqual(changed.body);
    const audit = await rowsOf<{ changes: object }>(
      working.databaseUrl,
      // The worker seals entries meanwhile: they move to audit_events.
      `SELECT changes FROM (
        SELECT organization_id, action, changes, 1 AS part, sequence AS place FROM audit_events UNION ALL
        SELECT organization_id, action, changes, 2 AS part, ordinal AS place FROM audit_entries
      ) entry WHERE organization_id = $1 AND action = 'statement_layout.kept' ORDER BY part, place`,
      [organizationId],
    );
    expect(audit.map(({ changes }) => Object.keys(changes).sort())).toEqual([
      ['fingerprint', 'name'],
      ['fingerprint', 'layout'],
    ]);
  });

  it('replaces those with its name or its header, whether it is new or changed', async () => {
    const { api } = await open();
    const list = async () => ((await api.get(LAYOUTS)).body as { data: { id: string; name: string }[] }).data.map(({ name }) => name);
    await made(api);
    await made(api, { ...CARD, name: 'Same header' });
    expect(await list()).toEqual(['Same header']);
    await made(api, { name: 'Another', layout: { columns: { ...COLUMNS, Ort: 'note' } } });
    const third = await made(api, { name: 'Same header', layout: { columns: { ...COLUMNS, Punkte: 'ignore' } } });
    expect(await list()).toEqual(['Same header', 'Another']);
    await api.patch(`${LAYOUTS}/${third.id}`, { name: 'Another' });
    expect(await list()).toEqual(['Another']);
  });

  it('is refused with its place, as the published schema says', async () => {
    const { api } = await open();
    const refused = async (body: object) => errorsIn(await api.post(LAYOUTS, body));
    expect(await refused({ ...CARD, layout: { columns: { Tag: 'day' } } })).toEqual([400, 'layout.columns.Tag not_allowed']);
    expect(await refused({ ...CARD, layout: { columns: COLUMNS, colour: 1 } })).toEqual([400, 'layout.colour not_allowed']);
    expect(await refused({ ...CARD, layout: { columns: COLUMNS, name: 'x' } })).toEqual([400, 'layout.name unknown_property']);
    expect(await refused({ ...CARD, layout: { columns: { Tag: 'date' } } })).toEqual([400, 'layout.columns not_allowed']);
    expect(await refused({ ...CARD, layout: {} })).toEqual([400, 'layout.columns not_allowed']);
    expect(await refused({ ...CARD, name: 'a.json' })).toEqual([400, 'name not_allowed']);
    expect(await refused({ ...CARD, name: 'de/n26' })).toEqual([400, 'name not_allowed']);
    const large = { columns: COLUMNS, header: Array.from({ length: 100 }, (_, index) => `${index}${'ß'.repeat(99)}`.slice(0, 100)) };
    expect((await refused({ ...CARD, layout: { ...large, statuses: { booked: large.header, notBooked: ['x'] } } }))[0]).toBe(400);
    const { id } = await made(api);
    expect(errorsIn(await api.patch(`${LAYOUTS}/${id}`, { layout: { columns: {} } }))).toEqual([400, 'layout.columns not_allowed']);
    expect(errorsIn(await api.patch(`${LAYOUTS}/${id}`, { name: '/' }))).toEqual([400, 'name not_allowed']);
  });

  it('is one of a bounded number', async () => {
    const { api } = await open();
    const items = Array.from({ length: MAX_LAYOUTS }, (_, index) => ({
      name: `L ${index}`,
      layout: { columns: { ...COLUMNS, [`C${index}`]: 'note' } },
    }));
    for (const item of items) await made(api, item);
    expect(errorsIn(await api.post(LAYOUTS, CARD))).toEqual([400, 'layout too_many']);
    expect((await made(api, { ...items[3]!, layout: CARD.layout })).name).toBe('L 3');
  });
});
