import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuditService } from '../../src/modules/audit/index.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { PersonErasure } from '../../src/modules/users/index.js';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../support/app.js';
import { anOrganization } from '../support/builders.js';
import { everyRow } from '../support/canary-database.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { StatementProxy } from '../support/postgres-statements.js';
import { runClaims, startClaims } from '../support/process.js';
import { anAddress, anEmail, aUser, signIn } from '../support/users.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Where the command is killed: before it sends the statement, or after that but before it gets the result. */
const POINTS = [
  ['INSERT INTO audit_person_keys', 'before'],
  ['INSERT INTO audit_person_keys', 'after'],
  ['DELETE FROM audit_personal_values', 'before'],
  ['DELETE FROM audit_personal_values', 'after'],
  ['DELETE FROM outgoing_mails', 'after'],
  ['UPDATE users SET name', 'before'],
  ['UPDATE users SET name', 'after'],
  ['SET erased_at', 'before'],
] as const;

/** Returns whether the command came that far. */
async function eraseKilledAt(organizationId: string, user: string, [wanted, moment]: (typeof POINTS)[number]): Promise<boolean> {
  const proxy = await StatementProxy.to(app.databaseUrl);
  let killed = false;
  const command = startClaims(['person', 'erase', '--org', organizationId, '--user', user, '--confirm', user], {
    DATABASE_URL: proxy.tcp.url,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
  });
  proxy.handle = (text, link, pass) => {
    if (killed) return;
    if (!text.includes(wanted)) return pass();
    killed = true;
    link.muted = true;
    if (moment === 'after') pass();
    void command.kill();
  };
  await command.ended;
  await eventually(() => expect(proxy.tcp.connections).toBe(0));
  await proxy.tcp.close();
  return killed;
}

it('an erasure of a person that is killed at any point lets nobody in, and goes on when it is repeated', async () => {
  const organization = await anOrganization(app);
  const [email, name] = [anEmail(), `Jane ${anEmail()}`];
  const user = await aUser(app, organization.id, { email, name });
  const address = anAddress();
  await signIn(app, user, { address });
  const audit = app.app.get(AuditService);
  const head = await audit.sealedHead(organization.id);
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO outgoing_mails (id, organization_id, recipient, subject, text, attempts, created_at, next_attempt_at)
      VALUES (gen_random_uuid(), $1, $2, 'Subject', 'Text', 0, now(), now() + interval '1 day')`,
    [organization.id, email],
  );
  for (const point of POINTS) {
    expect(await eraseKilledAt(organization.id, user.id, point), point.join(' ')).toBe(true);
    // Until its first transaction is committed, nothing has happened.
    if (!point[0].startsWith('INSERT')) expect(await signIn(app, user), point.join(' ')).not.toHaveProperty('user');
    expect((await audit.verify(organization.id, head)).fault, point.join(' ')).toBeNull();
  }
  const { code, stderr } = await runClaims(['person', 'erase', '--org', organization.id, '--user', user.id, '--confirm', user.id], {
    DATABASE_URL: app.databaseUrl,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
  });
  expect([code, stderr]).toEqual([0, '']);
  const left = Object.values(await everyRow(app.databaseUrl)).join('\n');
  for (const text of [email, name, address]) expect(left.includes(text), text).toBe(false);
  const events = await rowsOf(app.databaseUrl, `SELECT 1 FROM audit_events WHERE organization_id = $1 AND action = 'person.erased'`, [
    organization.id,
  ]);
  expect(events).toHaveLength(1);
}, 600_000);

it('one person of 10,000, with 100,000 rows of the log, is erased in seconds', async () => {
  const organization = await anOrganization(app);
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO users (id, organization_id, account_id, email, email_key, name, role, status, recovery_codes, created_at, updated_at)
      SELECT id, $1, id, id || '@people.example', upper(id || '@people.example'), 'Person ' || id, 'member', 'active', '{}', now(), now()
      FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 10000)) made`,
    [organization.id],
  );
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO audit_entries (organization_id, occurred_at, actor_type, actor_id, actor_name, action,
        resource_type, resource_id, ip_address, changes)
      SELECT organization_id, now(), 'user', id::text, name, 'user.signed_in', 'user', id, '192.0.2.1', '{}'
      FROM users, generate_series(1, 10) WHERE organization_id = $1`,
    [organization.id],
  );
  const audit = app.app.get(AuditService);
  const head = await audit.sealedHead(organization.id);
  expect(head.sequence).toBeGreaterThanOrEqual(100_000);
  const people = await rowsOf<{ id: string }>(app.databaseUrl, 'SELECT id FROM users WHERE organization_id = $1 LIMIT 5', [
    organization.id,
  ]);
  const erasure = app.app.get(PersonErasure);
  const times: number[] = [];
  for (const { id } of people) {
    const start = performance.now();
    for (const found of await erasure.find(organization.id, id)) await erasure.erase(OPERATOR, found);
    times.push(Math.round(performance.now() - start));
  }
  console.log(`a person is erased in ${times.join(', ')} ms`);
  expect(times.sort((one, other) => one - other)[2]).toBeLessThan(20_000);
  expect((await audit.verify(organization.id, head)).fault).toBeNull();
}, 600_000);
