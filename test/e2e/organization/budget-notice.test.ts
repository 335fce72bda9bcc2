import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BudgetNotice } from '../../../src/modules/usage/budget-notice.js';
import type { TestApp } from '../../support/app.js';
import { aKey, anOrganization } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startMailServer } from '../../support/mail-server.js';
import { aUser } from '../../support/users.js';
import { startDelivering } from '../../support/webhooks.js';

let server: Awaited<ReturnType<typeof startMailServer>>;
let app: TestApp;
beforeAll(async () => {
  server = await startMailServer();
  app = await startDelivering({ SMTP_URL: server.url, MAIL_FROM: 'no-reply@claims.example', ROLE: 'all' });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const notify = (): Promise<void> => app.app.get(BudgetNotice).notify();
const mailsAbout = (id: string) => server.mails.filter(({ text }) => text.includes(id));

/** An organization with an owner, and a key that can make so many calls a day. */
async function aBudget(dailyCalls: number) {
  const { id } = await anOrganization(app);
  const owner = await aUser(app, id, { role: 'owner' });
  const { id: keyId, key } = await aKey(app, id, { name: 'Nightly', dailyCalls });
  const api = new Client(app.url, key);
  const call = async (times: number): Promise<void> => {
    for (let index = 0; index < times; index += 1) await api.get('/v1');
  };
  return { organizationId: id, owner, keyId, call };
}

type Budget = Awaited<ReturnType<typeof aBudget>>;

const eventsOf = ({ organizationId }: Budget) =>
  rowsOf<{ data: object }>(
    app.databaseUrl,
    `SELECT data, environment FROM events WHERE organization_id = $1 AND kind = 'usage.budget_used' ORDER BY id`,
    [organizationId],
  );

const untilCounted = ({ organizationId }: Budget, calls: number) =>
  eventually(async () => {
    const [row] = await rowsOf(app.databaseUrl, 'SELECT calls FROM usage_credentials WHERE organization_id = $1', [organizationId]);
    expect(row).toEqual({ calls });
  });

describe('a key that has made most of its calls of a day', () => {
  it('is told to the owners by mail, to receivers as an event and in the audit log: once', async () => {
    const budget = await aBudget(5);
    await budget.call(3);
    await untilCounted(budget, 3);
    await notify();
    expect(await eventsOf(budget)).toEqual([]);
    await budget.call(1);
    await untilCounted(budget, 4);
    await Promise.all([notify(), notify()]);
    await budget.call(1);
    await untilCounted(budget, 5);
    await notify();
    const data = { id: budget.keyId, name: 'Nightly', environment: 'test', budget: 5, calls: 4, day: dayBefore(0) };
    expect(await eventsOf(budget)).toEqual([{ environment: 'test', data }]);
    const entries = await rowsOf(
      app.databaseUrl,
      `SELECT actor_name FROM audit_entries WHERE resource_id = $1 AND action = 'usage.budget_used'`,
      [budget.keyId],
    );
    expect(entries).toEqual([{ actor_name: 'usage notice' }]);
    const [mail, ...others] = await eventually(() => {
      const mails = mailsAbout(budget.keyId);
      expect(mails).not.toEqual([]);
      return mails;
    });
    expect(others).toEqual([]);
    expect(mail!.to).toEqual([budget.owner.email]);
    const words = mail!.text.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
    expect(words).toContain(
      `"Nightly" of your organization in Claims API has made 4 of the 5 calls that it can make on ${dayBefore(0)} (UTC).`,
    );
    expect(words).toContain(`${app.url}/console/test/usage`);
  });

  it('is told again on the next day, also of calls counted after midnight; not of those refused, or of a day long ago', async () => {
    const budget = await aBudget(10);
    const calls = (day: string, made: number, refused = 0) =>
      rowsOf(app.databaseUrl, `INSERT INTO usage_credentials VALUES ($1, 'test', $2, $3, 'api_key', 'Nightly', $4, $5, 10)`, [
        ...[budget.organizationId, day, budget.keyId, made, refused],
      ]);
    await calls(dayBefore(0), 100, 93);
    await calls(dayBefore(1), 8);
    await calls(dayBefore(2), 8);
    await notify();
    expect((await eventsOf(budget)).map(({ data }) => data)).toEqual([expect.objectContaining({ day: dayBefore(1), calls: 8 })]);
    await rowsOf(app.databaseUrl, 'UPDATE usage_credentials SET calls = 101 WHERE organization_id = $1 AND day = $2', [
      ...[budget.organizationId, dayBefore(0)],
    ]);
    await notify();
    expect((await eventsOf(budget)).map(({ data }) => data)).toEqual([
      expect.objectContaining({ day: dayBefore(1), calls: 8 }),
      expect.objectContaining({ day: dayBefore(0), calls: 8 }),
    ]);
  });
});
