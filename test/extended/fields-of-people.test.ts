import { Module } from '@nestjs/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  CalendarDate,
  computedFields,
  customFields,
  declareExtension,
  fieldsIn,
  HiddenFields,
  Implements,
  Integer,
  OrganizationDto,
  OrganizationService,
  Text,
  UsersService,
  type Viewer,
} from '../../src/extension-api.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { aKey, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { newId } from '../../src/kernel/ids.js';
import { everyRow } from '../support/canary-database.js';
import { eventually } from '../support/eventually.js';
import { aVisitor, aVisitorOf } from '../support/console.js';
import { rowsOf } from '../support/database.js';
import { type DocumentedApp, startDocumentedApp } from '../support/documented-app.js';
import { eventsOf } from '../support/law-database.js';
import { entriesOf, PASSWORD } from '../support/users.js';

class FirmFields {
  @Text({ about: 'Number by which the firm is known in accounting.', max: 20, example: 'D-1042' })
  debtorNumber: string;

  @CalendarDate({ about: 'Day on which its year begins.', example: '2026-04-01' })
  yearBegins: string;
}
const firmFields = customFields('organizations', FirmFields);

class StaffFields {
  @Text({ about: 'Cost centre of the person.', max: 20, example: 'CC-7' })
  costCentre: string;

  @Integer({ about: 'Hours a week.', min: 0, max: 60, example: 35 })
  weeklyHours: number;
}
const staffFields = customFields('users', StaffFields);

class Computed {
  @Text({ about: 'Cost centre and hours.', max: 40, example: 'CC-7: 35 h' })
  label: string;
}
computedFields('users', Computed, { label: ({ name }) => `${name} of staff` });
class FirmComputed {
  @Text({ about: 'Plan and name.', max: 300, example: 'Example (growth)' })
  called: string;
}
computedFields('organizations', FirmComputed, { called: ({ name, plan }) => `${name} (${plan})` });

@Implements(HiddenFields)
class HiddenNumbers extends HiddenFields {
  readonly fields = [fieldsIn(OrganizationDto, 'customFields.debtorNumber')];

  isHiddenFrom({ user }: Viewer): boolean {
    return user?.role === 'member';
  }
}
@Module({ providers: [HiddenNumbers] })
class FirmModule {}

let app: DocumentedApp;
beforeAll(async () => {
  app = await startDocumentedApp({ ROLE: 'all' }, undefined, [
    declareExtension({ name: 'firm', madeFor: '^1.0.0', modules: [FirmModule] }),
  ]);
});
afterAll(() => app.close());

const organizationsOf = () => app.app.get(OrganizationService);
const usersOf = () => app.app.get(UsersService);

it('an organization has its custom fields in its answer, and an admin changes them in the console', async () => {
  const visitor = await aVisitor(app, { role: 'admin' });
  const { organization, browser } = visitor;
  const api = new Client(app.url, (await aKey(app, organization.id)).key);
  expect((await api.get('/v1/organization')).body).toMatchObject({
    customFields: { debtorNumber: null, yearBegins: null, called: expect.stringContaining('(enterprise)') as string },
  });
  const form = '/console/live/organization/edit';
  expect((await browser.fill(form, { 'customFields.debtorNumber': 'D-7', 'customFields.yearBegins': '2026-04-01' })).status).toBe(200);
  expect((await api.get('/v1/organization')).body).toMatchObject({ customFields: { debtorNumber: 'D-7', yearBegins: '2026-04-01' } });
  // The form shows what is there, and leaves the rest as it is.
  await browser.fill(form, { 'customFields.yearBegins': '' });
  const row = await organizationsOf().byId(organization.id);
  expect(firmFields.of(row)).toEqual({ debtorNumber: 'D-7' });
  expect((await browser.visit('/console/live/organization')).text).toMatch(/Debtor number.*D-7/s);
  const [event] = (await eventsOf(app, organization.id)).slice(-1);
  expect(event).toMatchObject({ changed_fields: ['customFields'], data: { customFields: { debtorNumber: 'D-7', yearBegins: null } } });
});

it('a value that is not allowed is named at its field, in the console and for a service', async () => {
  const { organization, browser } = await aVisitor(app);
  const shown = await browser.fill('/console/live/organization/edit', { 'customFields.debtorNumber': 'x'.repeat(21) });
  expect(shown.status).toBe(400);
  expect(shown.text).toMatch(/customFields\.debtorNumber[^>]*aria-invalid/);
  const change = (fields: object) => organizationsOf().change(OPERATOR, organization.id, { customFields: fields as never });
  await expect(change({ debtorNumber: 7 })).rejects.toMatchObject({ errors: [{ field: 'customFields.debtorNumber' }] });
  await expect(change({ other: 'x' })).rejects.toMatchObject({ errors: [{ field: 'customFields.other', code: 'unknown_property' }] });
  await change({ debtorNumber: 'D-8' });
  expect(firmFields.of(await organizationsOf().byId(organization.id))).toEqual({ debtorNumber: 'D-8' });
});

it('what is hidden from members is not on their page, and not lost when others save', async () => {
  const { organization, browser } = await aVisitor(app, { role: 'owner' });
  await organizationsOf().change(OPERATOR, organization.id, { customFields: { debtorNumber: 'D-SECRET', yearBegins: '2026-07-01' } });
  const member = await aVisitorOf(app, organization, { role: 'member' });
  const page = (await member.browser.visit('/console/live/organization')).text;
  expect(page).toContain('Year begins');
  expect(page).not.toContain('D-SECRET');
  await browser.fill('/console/live/organization/edit', { name: 'Renamed' });
  expect(firmFields.of(await organizationsOf().byId(organization.id))).toMatchObject({ debtorNumber: 'D-SECRET' });
});

it('a member has fields that admins set, which are in the audit log, and go when the person is erased', async () => {
  const { organization, browser } = await aVisitor(app, { role: 'owner' });
  const { user } = await aVisitorOf(app, organization, { role: 'member', name: 'Jane Example' });
  const page = `/console/live/members/${user.id}`;
  const fill = (costCentre: string) => browser.fill(page, { 'customFields.costCentre': costCentre }, `${user.id}/fields`);
  expect((await fill('x'.repeat(21))).status).toBe(400);
  await browser.send(
    await browser.visit(page),
    { 'customFields.costCentre': 'CC-7', 'customFields.weeklyHours': '35' },
    `${user.id}/fields`,
  );
  expect(staffFields.of(await usersOf().member(organization.id, user.id))).toEqual({ costCentre: 'CC-7', weeklyHours: 35 });
  expect((await browser.visit(page)).text).toMatch(/Cost centre.*CC-7.*Jane Example of staff/s);
  const changed = (await entriesOf(app, organization.id)).filter(({ action }) => action === 'user.changed');
  expect(changed).toMatchObject([{ changes: { customFields: { from: {}, to: { costCentre: 'CC-7', weeklyHours: 35 } } } }]);
  // Another change of the person leaves them.
  await browser.fill(page, { role: 'admin' }, `${user.id}/role`);
  expect(staffFields.of(await usersOf().member(organization.id, user.id))).toMatchObject({ costCentre: 'CC-7' });
  await browser.fill(page, { ownPassword: PASSWORD }, `${user.id}/erase`);
  const [row] = await rowsOf<{ custom_fields: object }>(app.databaseUrl, 'SELECT custom_fields FROM users WHERE id = $1', [user.id]);
  expect(row!.custom_fields).toEqual({});
});

it('nothing of the fields of a person who was erased is in any table, not in the sealed log either', async () => {
  const { organization, browser } = await aVisitor(app, { role: 'owner' });
  const email = `${newId()}@canary.example`;
  await browser.fill('/console/live/members/invite', { email, name: 'Zq Canary', role: 'member' });
  const user = (await usersOf().list(organization.id)).find((one) => one.email === email)!;
  await usersOf().changeFields(OPERATOR, user.id, { costCentre: 'CANARY-7' });
  await usersOf().changeFields(OPERATOR, user.id, { costCentre: 'CANARY-8' });
  const waiting = 'SELECT 1 FROM audit_entries WHERE organization_id = $1';
  await eventually(async () => expect(await rowsOf(app.databaseUrl, waiting, [organization.id])).toEqual([]));
  await browser.fill(`/console/live/members/${user.id}`, { ownPassword: PASSWORD }, `${user.id}/erase`);
  await eventually(async () => {
    const rows = Object.entries(await everyRow(app.databaseUrl));
    expect(rows.filter(([, row]) => /CANARY-[78]|Zq Canary/.test(row)).map(([table]) => table)).toEqual([]);
  });
});

it('an admin does not change the fields of an owner, nor those of another organization', async () => {
  const owner = await aVisitor(app, { role: 'owner' });
  const admin = await aVisitorOf(app, owner.organization, { role: 'admin' });
  const stranger = await aVisitor(app, { role: 'owner' });
  const actor = { type: 'user' as const, id: admin.user.id, name: admin.user.name };
  const change = (by: string, id: string) => usersOf().changeFields({ ...actor, id: by }, id, { costCentre: 'CC-1' });
  await expect(change(admin.user.id, owner.user.id)).rejects.toThrow('Only an owner can');
  await expect(change(stranger.user.id, owner.user.id)).rejects.toMatchObject({ code: 'not_found' });
  expect((await admin.browser.visit(`/console/live/members/${owner.user.id}`)).text).not.toContain('/fields"');
  // Their own, however.
  expect((await change(admin.user.id, admin.user.id)).customFields).toEqual({ costCentre: 'CC-1' });
});

it('without a declaration a service refuses them', async () => {
  const { organization } = await aTenant(app);
  const change = { customFields: { another: 1 } };
  await expect(organizationsOf().change(OPERATOR, organization.id, change)).rejects.toMatchObject({ code: 'validation_failed' });
});
