import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { runCommand } from '../../support/command.js';
import { rowsOf } from '../../support/database.js';
import { openStatements, startWorking } from '../../support/statements.js';

const PATIENCE_MS = 300_000;
const NAME = 'Xanthippe Roasters';

let app: TestApp;
let env: Record<string, string>;
beforeAll(async () => {
  app = await startWorking();
  env = { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
}, PATIENCE_MS);
afterAll(() => app.close());

async function claims(...args: readonly string[]) {
  const ended = await runCommand(['org', 'counterparties', ...args, '--json'], env);
  expect([ended.code, ended.stderr], args.join(' ')).toEqual([0, '']);
  expect(ended.stdout).not.toContain(NAME);
  return JSON.parse(ended.stdout) as { environment: string; digest: string; decidedAs: string }[];
}

async function openCounterparty() {
  const { organizationId, taken } = await openStatements(app);
  /** The counterparty of a line in a statement that is imported and redacted now. */
  const now = async () => {
    const { id } = await taken({ file: `Date,Description,Amount,Currency,Counterparty\n2026-01-05,Beans,-8.90,EUR,${NAME}\n` });
    const sql = 'SELECT counterparty FROM statement_lines WHERE statement_id = $1';
    return (await rowsOf<{ counterparty: string }>(app.databaseUrl, sql, [id]))[0]!.counterparty;
  };
  return { organizationId, now };
}

describe('the operator', () => {
  it('says that a counterparty is a company, by its name or its token, and changes that again', async () => {
    const { organizationId, now } = await openCounterparty();
    const of = ['--org', organizationId, '--environment', 'test'];
    const token = await now();
    expect(token).toMatch(/^PERSON-/);

    const made = [{ environment: 'test', digest: token, decidedAs: 'company', decidedAt: expect.any(String) }];
    expect(await claims('add', NAME.toUpperCase(), '--as', 'company', ...of)).toEqual(made);
    expect(await now()).toBe(NAME);
    expect(await claims('list', ...of)).toEqual(made);

    expect(await claims('add', token, '--as', 'person', ...of)).toMatchObject([{ digest: token, decidedAs: 'person' }]);
    expect(await now()).toBe(token);
    expect(await claims('remove', NAME, ...of)).toMatchObject([{ digest: token, decidedAs: 'person' }]);
    expect(await claims('remove', NAME, ...of)).toEqual([]);
    expect(await claims('list', '--org', organizationId)).toEqual([]);
  });

  it('decides for both environments unless one is named; each decision is in the audit log once', async () => {
    const { organizationId } = await openCounterparty();
    const both = await claims('add', NAME, '--as', 'company', '--org', organizationId);
    expect(both.map(({ environment }) => environment)).toEqual(['test', 'live']);
    expect(both[0]!.digest).not.toBe(both[1]!.digest);
    await claims('add', NAME, '--as', 'company', '--org', organizationId);
    await claims('remove', NAME, '--org', organizationId, '--environment', 'live');
    const entries = await rowsOf<{ action: string; changes: unknown }>(
      app.databaseUrl,
      `SELECT action, changes FROM audit_entries WHERE organization_id = $1 AND resource_type = 'counterparty_decision'
        UNION ALL SELECT action, changes FROM audit_events WHERE organization_id = $1 AND resource_type = 'counterparty_decision'`,
      [organizationId],
    );
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'counterparty_decision.made',
      'counterparty_decision.made',
      'counterparty_decision.removed',
    ]);
    expect(JSON.stringify(entries)).not.toContain(NAME);
  });
});
