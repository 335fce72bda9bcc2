import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { runCommand } from '../../support/command.js';
import { rowsOf } from '../../support/database.js';
import { openStatements, startWorking } from '../../support/statements.js';

const PATIENCE_MS = 300_000;
const CARD = {
  name: 'Corner card',
  columns: { Tag: 'date', Laden: 'description', Preis: 'amount' },
  amounts: 'charges-positive',
  currency: 'EUR',
};
const BILL = 'Tag;Laden;Preis\n05.01.2026;Tea room;4,20\n31.01.2026;Your payment;-1,00\n';
const NUMBERED = { name: 'Numbers', width: 4, columns: { '1': 'date', '2': 'description', '3': 'debit', '4': 'credit' } };

let app: TestApp;
let env: Record<string, string>;
let folder: string;
beforeAll(async () => {
  app = await startWorking();
  env = { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
  folder = await mkdtemp(join(tmpdir(), 'claims-layouts-'));
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

async function aFile(name: string, content: string | object): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

async function claims(...args: readonly string[]) {
  const ended = await runCommand(['statement', ...args, '--json'], env);
  expect([ended.code, ended.stderr], args.join(' ')).toEqual([0, '']);
  return JSON.parse(ended.stdout);
}

/** Why the statement of a command has failed. */
async function failing(...args: readonly string[]): Promise<{ code: string; message: string }> {
  const ended = await runCommand(['statement', ...args, '--json'], env);
  expect([ended.code, ended.stderr], args.join(' ')).toEqual([1, '']);
  return JSON.parse(ended.stdout).failure;
}

async function refusal(...args: readonly string[]): Promise<string> {
  const ended = await runCommand(['statement', ...args], env);
  expect(ended.code, args.join(' ')).toBeGreaterThan(0);
  expect(ended.stdout).toBe('');
  expect(ended.stderr).toMatch(/^claims: [^\n]+\n$/);
  return ended.stderr;
}

async function openTenant() {
  const opened = await openStatements(app);
  const of = ['--org', opened.organizationId, '--environment', 'test'];
  /** The amounts of the lines of a statement, in its order. */
  const amountsOf = async (id: string) => {
    const sql = 'SELECT amount::text FROM statement_lines WHERE statement_id = $1 ORDER BY line_number';
    return (await rowsOf<{ amount: string }>(app.databaseUrl, sql, [id])).map(({ amount }) => amount);
  };
  const kept = async () => ((await claims('layout', 'list', ...of)) as { name: string }[]).map(({ name }) => name);
  return { ...opened, of, amountsOf, kept };
}

const audited = (organizationId: string) =>
  rowsOf<{ action: string; changes: { name: { from: string | null; to: string | null } } }>(
    app.databaseUrl,
    `SELECT action, changes FROM audit_entries WHERE organization_id = $1 AND resource_type = 'statement_layout'
      UNION ALL SELECT action, changes FROM audit_events WHERE organization_id = $1 AND resource_type = 'statement_layout'`,
    [organizationId],
  );

describe('a draft', () => {
  it('is written for a file that is not read, and reads it: all of the output is the layout', async () => {
    const file = await aFile('unknown.csv', 'Grub;Plok;Sarn\n13.04.2026;Tea room;-12,50\n14.04.2026;Kiosk;2,50\n');
    const ended = await runCommand(['statement', 'layout', 'draft', file, '--name', 'Corner bank'], {});
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([0, { name: 'Corner bank', columns: { Grub: 'date', Sarn: 'amount' } }]);
    expect(ended.stderr).toMatch(/guessed: column 1 is read as date[^]*with it: 2 lines are read, plausible/);
  });

  it('is not written for a letter', async () => {
    const ended = await runCommand(['statement', 'layout', 'draft', await aFile('letter.txt', 'Dear all\n')], {});
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([
      1,
      '',
      expect.stringContaining('no_table: No line has a date and an amount'),
    ]);
  });
});

describe('the operator', () => {
  it('keeps a layout for an organization, whose files are then read by it, and those of no other organization', async () => {
    const [ours, others] = [await openTenant(), await openTenant()];
    const failed = await ours.taken({ file: BILL });
    expect(failed.failure?.code).toBe('header_not_found');

    const added = await claims('layout', 'add', await aFile('card.json', CARD), ...ours.of);
    expect(added).toMatchObject([{ environment: 'test', name: CARD.name, layout: CARD }]);
    await claims('retry', failed.id, '--wait');
    expect(await ours.amountsOf(failed.id)).toEqual(['-4.20', '1.00']);
    const next = await ours.taken({ file: BILL });
    expect([next.currency, await ours.amountsOf(next.id)]).toEqual(['EUR', ['-4.20', '1.00']]);

    expect(await others.kept()).toEqual([]);
    expect((await others.taken({ file: BILL })).failure?.code).toBe('header_not_found');
    const live = ['--org', ours.organizationId, '--environment', 'live'];
    expect((await failing('import', await aFile('bill.csv', BILL), ...live, '--wait')).code).toBe('header_not_found');

    expect(await claims('layout', 'remove', CARD.name, ...ours.of)).toMatchObject([{ name: CARD.name }]);
    expect(await claims('layout', 'remove', CARD.name, ...ours.of)).toEqual([]);
    expect((await ours.taken({ file: BILL })).failure?.code).toBe('header_not_found');
    expect((await audited(ours.organizationId)).map(({ action }) => action).sort()).toEqual([
      'statement_layout.kept',
      'statement_layout.removed',
    ]);
  });

  it('imports a file by a layout, which is kept, and read again by the same on a retry', async () => {
    const { of, amountsOf, kept, taken, list } = await openTenant();
    const file = await aFile('bill.csv', BILL);
    const layout = await aFile('wrong.json', { ...CARD, columns: { ...CARD.columns, Ort: 'note' } });
    expect(await failing('import', file, ...of, '--layout', layout, '--wait')).toEqual({
      code: 'layout_does_not_fit',
      message: 'The header on line 1 has no column “Ort”, which the layout “Corner card” has.',
    });
    const [failed] = (await list()).data;
    await claims('import', file, ...of, '--layout', await aFile('card.json', CARD), '--wait');
    expect(await kept()).toEqual([CARD.name]);
    expect(await amountsOf((await taken({ file: BILL })).id)).toEqual(['-4.20', '1.00']);
    expect((await failing('retry', failed!.id, '--wait')).code).toBe('layout_does_not_fit');
  });

  it('imports a file without a header by a kept or a shipped layout that is named', async () => {
    const { of, amountsOf } = await openTenant();
    await claims('layout', 'add', await aFile('numbered.json', NUMBERED), ...of);
    const file = await aFile('headerless.csv', '2026-03-31,LINDEN ENERGY,84.20,\n2026-03-02,TRANSFER,,1250.00\n');
    for (const name of [NUMBERED.name, 'ca/cibc']) {
      const { id } = await claims('import', file, ...of, '--layout', name, '--wait');
      expect(await amountsOf(id), name).toEqual(['-84.20', '1250.00']);
    }
    expect(await refusal('import', file, ...of, '--layout', 'ca/none')).toMatch(/layout “ca\/none” is neither kept .* nor shipped/);
  });

  it('replaces the layout of the same header or name, and keeps at most 100', async () => {
    const { organizationId, of, kept } = await openTenant();
    const add = async (layout: object) => claims('layout', 'add', await aFile('one.json', layout), ...of);
    await add(CARD);
    await add(CARD);
    await add({ ...CARD, name: 'Other name' });
    await add({ ...NUMBERED, name: 'Other name' });
    expect(await kept()).toEqual(['Other name']);
    expect((await audited(organizationId)).map(({ changes }) => [changes.name.from, changes.name.to]).sort()).toEqual(
      [
        [null, CARD.name],
        [CARD.name, null],
        [null, 'Other name'],
        ['Other name', null],
        [null, 'Other name'],
      ].sort(),
    );
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO statement_layouts
        SELECT gen_random_uuid(), $1, 'test', 'Layout ' || n, NULL, '{}', now() FROM generate_series(2, 100) n`,
      [organizationId],
    );
    expect(await refusal('layout', 'add', await aFile('more.json', CARD), ...of)).toMatch(/layout there are 100 layouts already/);
    await add({ ...NUMBERED, name: 'Other name', headerRow: 1 });
  });

  it('sees by which layout a file is read', async () => {
    const file = await aFile('bill.csv', BILL);
    const layout = await aFile('card.json', CARD);
    const shown = await runCommand(['statement', 'check', file, '--layout', layout], {});
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    expect(shown.stdout).toContain('\nlayout Corner card, named at the import\ncolumn 1 “Tag”: date\n');
    const { of } = await openTenant();
    await claims('layout', 'add', layout, ...of);
    expect(await claims('check', file, ...of)).toMatchObject({ layout: { name: CARD.name, from: 'organization' }, lines: 2 });
    expect(await claims('check', file, ...of, '--layout', CARD.name)).toMatchObject({ layout: { name: CARD.name, from: 'import' } });
    expect(await refusal('check', file, '--org', of[1]!)).toMatch(/need each other/);
    const discover = await aFile('card.csv', 'Trans. Date,Post Date,Description,Amount,Category\n03/30/2026,03/31/2026,TEA,4.20,\n');
    expect(await claims('check', discover)).toMatchObject({ layout: { name: 'cards/discover', from: 'shipped' } });
    expect((await claims('layout', 'list')).map(({ name }: { name: string }) => name)).toContain('cards/discover');
  });

  it('is told in one line which field of a layout is wrong, and which file or name', async () => {
    const { of } = await openTenant();
    const file = await aFile('bill.csv', BILL);
    const wrong = await aFile('wrong.json', { ...CARD, amounts: 'upside-down' });
    const said = /amounts must be one of signed, charges-positive\./;
    expect(await refusal('check', file, '--layout', wrong)).toMatch(said);
    expect(await refusal('import', file, ...of, '--layout', wrong)).toMatch(said);
    expect(await refusal('layout', 'add', wrong, ...of)).toMatch(said);
    expect(await refusal('check', file, '--layout', 'nobody/knows')).toMatch(/neither a \.json file nor a shipped layout/);
    expect(await refusal('check', file, '--layout', join(folder, 'none.json'))).toMatch(/none\.json cannot be read \(ENOENT\)/);
    expect(await refusal('import', ...of)).toMatch(/the file to import is missing/);
    expect(await refusal('import', file, ...of, '--file', file)).toMatch(/the file to import is named twice/);
  });
});
