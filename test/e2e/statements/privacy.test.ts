import { afterAll, beforeAll, expect, it } from 'vitest';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { StatementOperatorService } from '../../../src/modules/statements/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { startApp, type TestApp } from '../../support/app.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { everyRowOf } from '../../support/law-database.js';
import type { DocumentedApp } from '../../support/documented-app.js';
import { memoryLog } from '../../support/memory-log.js';
import { CANARIES, JANES_IBAN, openStatements, OWN_IBAN, STATEMENTS } from '../../support/statements.js';

const log = memoryLog();
let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url, ROLE: 'all' }, log.log);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const PERSONAL = [OWN_IBAN, JANES_IBAN, 'Jane Example', 'jane@example.com'];

it('no line, name or number of a statement is in any response, log line, event, audit entry or error', async () => {
  const { organizationId, api, take, taken, settled } = await openStatements(app);
  const bad = `Date,Description,Amount,Counterparty\n2026-01-05,Ticket Berlin-Hamburg,minus 1200.00,Jane Example\n`;
  const statements = [await taken(), await taken({ file: bad }), await take({ isRedacted: true })];
  await app.app.get(StatementOperatorService).retry(OPERATOR, statements[1]!.id);
  await settled(statements[1]!.id);
  const answers = [
    await api.get(STATEMENTS),
    await api.get(`${STATEMENTS}?search=Jane`),
    await api.get('/v1/audit/events'),
    ...(await Promise.all(statements.map(({ id }) => api.get(`${STATEMENTS}/${id}`)))),
  ].map(({ text }) => text);
  const written = await rowsOf<{ text: string }>(
    app.databaseUrl,
    `SELECT events::text AS text FROM events
     UNION ALL SELECT audit_entries::text FROM audit_entries
     UNION ALL SELECT audit_events::text FROM audit_events`,
  );
  const said = [...answers, ...written.map(({ text }) => text), log.text()].join('\n');
  for (const canary of [...CANARIES, 'minus']) expect(said.includes(canary), canary).toBe(false);
  // No table contains personal data either, except encrypted.
  const kept = Object.values(await everyRowOf(app as DocumentedApp, organizationId))
    .flat()
    .join('\n');
  for (const canary of PERSONAL) expect(kept.includes(canary), canary).toBe(false);
  expect(kept).toContain('Ticket Berlin-Hamburg');
});

const PERSONAL_NAME = 'DE89370400440532013000_Max_Mustermann_Kontoauszug.csv';
const REDACTED_NAME = /^ACCOUNT-\w{12}_PERSON-\w{12}_Kontoauszug\.csv$/;

it('a file named after a person and an account has a redacted name in answers, search, events and the audit log', async () => {
  const { organizationId, api, get, take, taken, list } = await openStatements(app);
  const bad = 'Date,Description,Amount\n2026-01-05,Ticket,minus 1\n';
  const statements = [
    await taken({ fileName: `/home/max/${PERSONAL_NAME}` }),
    await taken({ fileName: PERSONAL_NAME, file: bad }),
    await take({ fileName: PERSONAL_NAME, isRedacted: true }),
  ];
  for (const { id } of statements) expect((await get(id)).fileName).toMatch(REDACTED_NAME);
  for (const search of ['mustermann', 'Max', '0532013000']) expect((await list({ search })).pagination.total, search).toBe(0);
  expect((await list({ search: 'kontoauszug' })).pagination.total).toBe(statements.length);
  const kept = Object.values(await everyRowOf(app as DocumentedApp, organizationId)).flat();
  const answers = [await api.get('/v1/audit/events'), await api.get(STATEMENTS)].map(({ text }) => text);
  expect([...kept, ...answers, log.text()].join('\n')).not.toMatch(/mustermann|0532013000/i);
});

it('an organization decides whether counterparties that are not recognised as people stay readable', async () => {
  const { organizationId, taken } = await openStatements(app);
  const file = 'Date,Description,Amount,Counterparty\n2026-01-05,Books,-5.00,Xanthippe Roasters\n2026-01-06,Rent,-6.00,Jane Example\n';
  const counterparties = async () => {
    const { id } = await taken({ file });
    const sql = `SELECT counterparty FROM statement_lines WHERE statement_id = '${id}' ORDER BY line_number`;
    return (await rowsOf<{ counterparty: string }>(app.databaseUrl, sql)).map(({ counterparty }) => counterparty);
  };
  const token = expect.stringMatching(/^PERSON-/) as string;
  expect(await counterparties()).toEqual([token, token]);
  await app.app.get(OrganizationService).change(OPERATOR, organizationId, { redactCounterparties: false });
  expect(await counterparties()).toEqual(['Xanthippe Roasters', token]);
});
