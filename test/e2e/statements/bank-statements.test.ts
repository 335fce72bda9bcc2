import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StatementOperatorService } from '../../../src/modules/statements/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { stepsOf } from '../../support/law-database.js';
import { JANUARY, openStatements, OWN_IBAN, PATIENCE_MS, startWorking } from '../../support/statements.js';
import { aProject } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const traceOf = (id: string) => stepsOf(app, id);
const eventsOf = (id: string) =>
  rowsOf<{ kind: string; data: object; changed_fields: string[] | null }>(
    app.databaseUrl,
    'SELECT kind, data, changed_fields FROM events WHERE resource_id = $1 ORDER BY id',
    [id],
  );
/** What comes after it was received. */
const outcomesOf = async (id: string) => (await eventsOf(id)).filter(({ kind }) => kind !== 'bank_statement.received');
const linesOf = (id: string) =>
  rowsOf<Record<string, string | null>>(app.databaseUrl, 'SELECT * FROM statement_lines WHERE statement_id = $1 ORDER BY line_number', [
    id,
  ]);
const partsOf = (id: string) =>
  rowsOf<{ content: Buffer }>(app.databaseUrl, 'SELECT content FROM statement_originals WHERE statement_id = $1', [id]);

describe('an archive of statements', () => {
  const archive = (files: Record<string, string>) =>
    Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))));
  const importAll = (organizationId: string, file: Buffer, isRedacted = false) =>
    app.app.get(StatementOperatorService).importAll(OPERATOR, {
      organizationId,
      environment: 'test',
      projectId: null,
      fileName: '/home/jane/2026.zip',
      file,
      isRedacted,
    });

  it('is imported as a statement for each of its files, which has both names', async () => {
    const { organizationId, settled } = await openStatements(app);
    const imported = await importAll(organizationId, archive({ 'bank/january.csv': JANUARY, 'Max_Mustermann.txt': 'Dear all' }));
    expect(imported.map(({ fileName }) => fileName)).toEqual([
      '2026.zip/january.csv',
      expect.stringMatching(/^2026\.zip\/PERSON-\w{12}\.txt$/),
    ]);
    expect(await settled(imported[0]!.id)).toMatchObject({ redactionStatus: 'succeeded', lineCount: 5 });
    expect(await settled(imported[1]!.id)).toMatchObject({ redactionStatus: 'failed' });
  });

  it('is imported whole or not at all', async () => {
    const { organizationId, list } = await openStatements(app);
    const inner = archive({ 'a.csv': JANUARY });
    const nested = Buffer.from(zipSync({ 'january.csv': Buffer.from(JANUARY), 'more.zip': inner }));
    await expect(importAll(organizationId, nested)).rejects.toMatchObject({
      detail: expect.stringContaining('File 2 of the archive') as string,
    });
    const redacted = archive({ 'a.csv': 'Date,Description,Amount\n2026-01-05,Ticket,-1\n', 'b.csv': JANUARY });
    await expect(importAll(organizationId, redacted, true)).rejects.toMatchObject({
      detail: expect.stringContaining('File 2 of the archive') as string,
    });
    expect((await list()).pagination.total).toBe(0);
  });
});

describe('an imported statement', () => {
  it('is pending and has name, size and hash', async () => {
    const { take } = await openStatements(app);
    const statement = await take({ fileName: '/home/jane/Kontoauszug Januar.csv' });
    expect(statement).toMatchObject({
      environment: 'test',
      projectId: null,
      fileName: 'Kontoauszug Januar.csv',
      format: null,
      sizeBytes: Buffer.byteLength(JANUARY),
      sha256: createHash('sha256').update(JANUARY).digest('hex'),
      accountLabel: null,
      lineCount: null,
      redactionStatus: 'pending',
      redaction: null,
      failure: null,
    });
  });

  it('is redacted by a worker, with counts of what it masked', async () => {
    const { taken } = await openStatements(app);
    const statement = await taken();
    expect(statement).toMatchObject({
      redactionStatus: 'succeeded',
      format: 'csv',
      accountLabel: `•••• ${OWN_IBAN.slice(-4)}`,
      currency: 'EUR',
      periodStart: '2026-01-05',
      periodEnd: '2026-01-31',
      lineCount: 5,
      redaction: { engineVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/), counts: { iban: 1, email: 1 } },
      failure: null,
    });
    const { startedAt, finishedAt } = statement.redaction!;
    expect([startedAt, finishedAt].toSorted()).toEqual([startedAt, finishedAt]);
  });

  it('keeps dates and amounts, and only tokens of people', async () => {
    const { taken } = await openStatements(app);
    const lines = await linesOf((await taken()).id);
    expect(lines.map(({ amount }) => amount)).toEqual(['-89.90', '-1200.00', '-12.40', '19.90', '-50.00']);
    const [bahn, rent, , refund, pay] = lines;
    expect([bahn!.counterparty, bahn!.description]).toEqual(['Deutsche Bahn AG', 'Ticket Berlin-Hamburg']);
    expect(refund!.counterparty).toBe(bahn!.counterparty);
    expect(rent!.counterparty).toMatch(/^PERSON-[0-9A-Z]{10,}$/);
    expect(pay!.counterparty).toBe(rent!.counterparty);
    expect(rent!.account).toMatch(/^ACCOUNT-[0-9A-Z]{10,} \(6199\)$/);
    expect(pay!.description).toMatch(/^Please pay to ACCOUNT-[0-9A-Z]{10,} or mail \[EMAIL\]$/);
  });

  it('writes an audit entry at every step, and an event of its outcome', async () => {
    const { taken } = await openStatements(app);
    const statement = await taken();
    const trace = await traceOf(statement.id);
    expect(trace.map(({ action, actor_name: actor }) => [action, actor])).toEqual([
      ['bank_statement.imported', 'claims command'],
      ['bank_statement.redaction_started', 'redaction worker'],
      ['bank_statement.redaction_succeeded', 'redaction worker'],
    ]);
    expect(trace[2]!.changes.redactionStatus).toEqual({ from: 'running', to: 'succeeded' });
    expect(await outcomesOf(statement.id)).toEqual([{ kind: 'bank_statement.redaction_succeeded', data: statement, changed_fields: null }]);
  });

  it('can only belong to a project of the same organization', async () => {
    const [mine, theirs] = [await openStatements(app), await openStatements(app)];
    const [own, foreign] = [await aProject(mine.api), await aProject(theirs.api)];
    expect(await mine.take({ projectId: own.id })).toMatchObject({ projectId: own.id });
    for (const projectId of [foreign.id, newId()]) await expect(mine.take({ projectId })).rejects.toThrow();
  });

  it('may have no lines', async () => {
    const { taken } = await openStatements(app);
    expect(await taken({ file: 'Date,Description,Amount\n' })).toMatchObject({
      redactionStatus: 'succeeded',
      lineCount: 0,
      currency: null,
      periodStart: null,
      accountLabel: null,
    });
  });
});

describe('tokens', () => {
  const personOf = async (id: string) => (await linesOf(id))[1]!.counterparty;

  it('are equal for equal names in all statements of a tenant, and different for other tenants', async () => {
    const [one, other, live] = [await openStatements(app), await openStatements(app), await openStatements(app, 'live')];
    const [first, again, foreign, world] = [
      await one.taken(),
      await one.taken({ file: JANUARY.replaceAll('Jane Example', 'JANE  EXAMPLE') }),
      await other.taken(),
      await live.taken(),
    ];
    expect(await personOf(again.id)).toBe(await personOf(first.id));
    expect(await personOf(foreign.id)).not.toBe(await personOf(first.id));
    expect(await personOf(world.id)).not.toBe(await personOf(first.id));
  });

  it('are made with an encrypted secret', async () => {
    const { taken, organizationId } = await openStatements(app);
    await taken();
    const [key] = await rowsOf<{ secret: Buffer }>(app.databaseUrl, 'SELECT secret FROM redaction_keys WHERE organization_id = $1', [
      organizationId,
    ]);
    // Version, key id, IV and tag before 32 encrypted bytes.
    expect(key!.secret).toHaveLength(1 + 4 + 12 + 16 + 32);
  });
});

describe('a statement that cannot be read', () => {
  it.each([
    ['is empty', '', 'empty_file'],
    ['is not a bank statement', 'Dear Jane, please find enclosed nothing at all.', 'header_not_found'],
    ['has ambiguous dates', 'Date,Description,Amount\n01/02/2026,Coffee,-1.00\n03/04/2026,Tea,-2.00\n', 'ambiguous_dates'],
  ])('fails with a code and a message when it %s, and the message repeats nothing from the file', async (_what, file, code) => {
    const { taken } = await openStatements(app);
    const statement = await taken({ file });
    expect(statement).toMatchObject({
      redactionStatus: 'failed',
      redaction: null,
      failure: { code, message: expect.stringMatching(/^[A-Z].*\.$/) },
    });
    for (const word of file.match(/[A-Za-z]{4,}/g) ?? [])
      if (!/^(Date|Description|Amount)$/.test(word)) expect(statement.failure!.message).not.toContain(word);
    expect(await outcomesOf(statement.id)).toEqual([{ kind: 'bank_statement.redaction_failed', data: statement, changed_fields: null }]);
    expect(await linesOf(statement.id)).toEqual([]);
  });

  it('keeps its original, encrypted, and can be retried', async () => {
    const { taken, settled } = await openStatements(app);
    const statement = await taken({ file: 'Dear Jane, no statement.' });
    const parts = await partsOf(statement.id);
    expect(parts.map(({ content }) => content.includes('Jane'))).toEqual([false]);
    expect(await app.app.get(StatementOperatorService).retry(OPERATOR, statement.id)).toMatchObject({
      redactionStatus: 'queued',
      failure: null,
    });
    expect(await settled(statement.id)).toMatchObject({ redactionStatus: 'failed', failure: { code: 'header_not_found' } });
    expect((await traceOf(statement.id)).map(({ action }) => action.split('.')[1])).toEqual([
      'imported',
      'redaction_started',
      'redaction_failed',
      'retried',
      'redaction_started',
      'redaction_failed',
    ]);
  });

  it('is rejected above 20 MiB', async () => {
    const { take, list } = await openStatements(app);
    await expect(take({ file: Buffer.alloc(20 * 1024 * 1024 + 1, 'a') })).rejects.toThrow('20 MiB');
    expect((await list()).pagination.total).toBe(0);
  });

  it('cannot be retried after it succeeded', async () => {
    const { taken } = await openStatements(app);
    const { id } = await taken();
    await expect(app.app.get(StatementOperatorService).retry(OPERATOR, id)).rejects.toThrow('Only a statement whose redaction has failed');
  });
});

describe('the original', () => {
  it('is deleted after redaction has succeeded', async () => {
    const { taken } = await openStatements(app);
    expect(await partsOf((await taken()).id)).toEqual([]);
  });
});

describe('a statement that is imported as redacted', () => {
  const REDACTED = 'Date,Description,Amount,Currency,Counterparty\n2026-02-01,Rent,-800.00,EUR,Landlord A\n';

  it('is skipped: its lines are stored at once, unchanged', async () => {
    const { take, get } = await openStatements(app);
    const statement = await take({ file: REDACTED, isRedacted: true });
    expect(statement).toMatchObject({ redactionStatus: 'skipped', redaction: null, failure: null, lineCount: 1, format: 'csv' });
    expect(await get(statement.id)).toEqual(statement);
    expect(await linesOf(statement.id)).toMatchObject([{ description: 'Rent', counterparty: 'Landlord A' }]);
    expect((await eventsOf(statement.id)).map(({ kind }) => kind)).toEqual(['bank_statement.received']);
    expect((await traceOf(statement.id)).map(({ action }) => action)).toEqual(['bank_statement.imported']);
  });

  it('fails if it contains personal data, and only the encrypted original is stored', async () => {
    const { take } = await openStatements(app);
    const statement = await take({ isRedacted: true });
    expect(statement).toMatchObject({ redactionStatus: 'failed', failure: { code: 'RESIDUAL_PII' } });
    expect(await linesOf(statement.id)).toEqual([]);
    expect((await eventsOf(statement.id)).map(({ kind }) => kind)).toEqual(['bank_statement.received', 'bank_statement.redaction_failed']);
  });

  it('is redacted by a retry', async () => {
    const { take, settled } = await openStatements(app);
    const { id } = await take({ isRedacted: true });
    await app.app.get(StatementOperatorService).retry(OPERATOR, id);
    expect(await settled(id)).toMatchObject({ redactionStatus: 'succeeded', redaction: { counts: { email: 1 } } });
  });
});

describe('the list of statements', () => {
  it('can be filtered by project, redaction status, and a substring of name or account', async () => {
    const { api, taken, take, list } = await openStatements(app);
    const project = await aProject(api);
    const [first, second, bad] = [
      await taken({ fileName: 'Grüße_100%.csv', projectId: project.id }),
      await taken({ fileName: 'February.csv' }),
      await taken({ file: 'x', fileName: 'bad.csv' }),
    ];
    const skipped = await take({ file: 'Date,Description,Amount\n2026-02-01,Rent,-800.00\n', isRedacted: true, fileName: 'skipped.csv' });
    const found = async (query: Record<string, string>) => (await list(query)).data.map(({ id }) => id);
    expect(await found({})).toEqual([skipped.id, bad.id, second.id, first.id]);
    expect(await found({ project_id: project.id })).toEqual([first.id]);
    expect(await found({ redaction_status: 'failed' })).toEqual([bad.id]);
    expect(await found({ redaction_status: 'skipped' })).toEqual([skipped.id]);
    expect(await found({ redaction_status: 'succeeded' })).toEqual([second.id, first.id]);
    expect(await found({ search: 'GRÜSSE' })).toEqual([first.id]);
    expect(await found({ search: '100%.' })).toEqual([first.id]);
    expect(await found({ search: '6199' })).toEqual([second.id, first.id]);
    expect(await found({ search: 'csv', redaction_status: 'failed' })).toEqual([bad.id]);
    expect(await found({ search: '_ebruary' })).toEqual([]);
  });
});

describe('a lost worker', () => {
  /** As if a worker had taken it and died. */
  const abandon = (id: string, lostWorkers: number) =>
    rowsOf(
      app.databaseUrl,
      `UPDATE bank_statements SET redaction_status = 'running', lease = $1, leased_until = now() - interval '1 second', lost_workers = $2
       WHERE id = $1 AND redaction_status IN ('failed', 'queued', 'pending')`,
      [id, lostWorkers],
    );

  it(
    'is replaced by another one, and the statement is redacted once',
    async () => {
      const { taken, settled } = await openStatements(app);
      const { id } = await taken({ file: '' });
      await rowsOf(app.databaseUrl, 'UPDATE bank_statements SET failure = NULL WHERE id = $1', [id]);
      await abandon(id, 0);
      expect(await settled(id)).toMatchObject({ redactionStatus: 'failed', failure: { code: 'empty_file' } });
      expect((await traceOf(id)).filter(({ action }) => action === 'bank_statement.redaction_failed')).toHaveLength(2);
    },
    PATIENCE_MS,
  );

  it(
    'fails the statement the third time',
    async () => {
      const { taken, get } = await openStatements(app);
      const { id } = await taken({ file: '' });
      await abandon(id, 2);
      await eventually(
        async () =>
          expect(await get(id)).toMatchObject({
            redactionStatus: 'failed',
            failure: { code: 'worker_lost', message: 'Given up after 3 workers stopped responding. Contact support if it happens again.' },
          }),
        PATIENCE_MS,
      );
    },
    PATIENCE_MS,
  );
});
