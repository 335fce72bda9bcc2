import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitor, aVisitorOf, textOf, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { rule } from '../../support/reports.js';
import { importStatement, PATIENCE_MS, startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const CATEGORIES = '/console/test/categories';
const TICKETS = { code: '', name: '', 'field-0': 'description', 'op-0': 'contains', 'value-0': 'Ticket' };
const JANUARY = { periodStart: '2026-01-01', periodEnd: '2026-01-31' };

/** A visitor whose organization has a redacted statement. */
async function aClaimant(statement: Parameters<typeof importStatement>[2] = {}) {
  const visitor = await aVisitor(app);
  const api = new Client(app.url, (await aKey(app, visitor.organization.id)).key);
  const made = async (path: string, body: object) => ((await api.post(path, body)).body as { id: string }).id;
  const imported = async (wanted: typeof statement) => {
    const { id } = await importStatement(app, visitor.organization.id, wanted);
    const status = () =>
      rowsOf<{ status: string }>(app.databaseUrl, 'SELECT redaction_status AS status FROM bank_statements WHERE id = $1', [id]);
    await eventually(async () => expect(['succeeded', 'skipped']).toContain((await status())[0]!.status), PATIENCE_MS);
    return id;
  };
  return { ...visitor, api, made, imported, statementId: await imported(statement) };
}

const preview = async ({ browser }: Pick<Visitor, 'browser'>, fields: Record<string, string>, path = `${CATEGORIES}/new`) =>
  browser.press(await browser.visit(path), '/preview', fields);

/** What the page says, without its markup. */
const wordsOf = ({ text }: { text: string }): string => textOf(text.replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ');

/** Without what is noted of previews themselves. In one statement: audit entries become sealed ones meanwhile. */
const recordsOf = (organizationId: string) => {
  const of = (table: string, which = 'true') => `(SELECT count(*) FROM ${table} WHERE organization_id = $1 AND ${which})`;
  const isOther = "action <> 'organization.lines_previewed'";
  const audit = `${of('audit_entries', isOther)} + ${of('audit_events', isOther)} AS audit`;
  const keys = `${of('idempotency_keys', "key NOT LIKE '%organization.lines_previewed%'")} AS keys`;
  const others = ['expense_categories', 'events'].map((table) => `${of(table)} AS ${table}`);
  return rowsOf(app.databaseUrl, `SELECT ${[audit, keys, ...others].join()}`, [organizationId]);
};

describe('a preview of rules', () => {
  it('shows the lines that they would claim, redacted, keeps what was entered, and stores nothing', async () => {
    const claimant = await aClaimant();
    const before = await recordsOf(claimant.organization.id);
    const shown = await preview(claimant, { ...TICKETS, name: 'Kept as it is' });
    expect(shown.status).toBe(200);
    expect(wordsOf(shown)).toContain(
      'The rules would claim 2 lines of 5 lines that were read. No other category claims any of them today.',
    );
    for (const part of ['Ticket Berlin-Hamburg', '-89.90 EUR', 'Ticket refunded']) expect(shown.text).toContain(part);
    expect(shown.text).toContain(`/console/test/statements/${claimant.statementId}?page=1#line-1`);
    expect(shown.text).not.toContain('Coffee for the meeting');
    expect([shown.text.includes('value="Kept as it is"'), shown.text.includes('value="Ticket"')]).toEqual([true, true]);
    const person = await preview(claimant, { ...TICKETS, 'value-0': 'Rent' });
    expect([wordsOf(person).includes('PERSON-'), person.text.includes('Jane Example')]).toEqual([true, false]);
    expect(await recordsOf(claimant.organization.id)).toEqual(before);
  });

  it('counts as many lines as a run then claims, and goes on to the category itself', async () => {
    const claimant = await aClaimant();
    // The same bookings again: a run counts them once.
    await claimant.imported({
      fileName: 'january-again.csv',
      projectId: await claimant.made('/v1/claim-projects', { name: 'P', ...JANUARY }),
    });
    const shown = await preview(claimant, { ...TICKETS, code: 'RAIL', name: 'Rail' });
    expect(wordsOf(shown)).toContain('would claim 2 lines of 10 lines');
    expect((await claimant.browser.send(shown, {}, '/categories/new')).text).toContain('The category was created.');
    const run = await claimant.browser.fill('/console/test/reports/new?projectId=', {});
    const id = run.url.pathname.split('/').at(-1)!;
    const result = () =>
      rowsOf<{ result: { categories: object[] } }>(app.databaseUrl, 'SELECT result FROM claim_reports WHERE id = $1', [id]);
    await eventually(async () => expect((await result())[0]!.result.categories).toMatchObject([{ code: 'RAIL', count: 2 }]), PATIENCE_MS);
  });

  it('says which lines another category claims today, and which it goes on claiming', async () => {
    const claimant = await aClaimant();
    await claimant.made('/v1/expense-categories', { code: 'REFUNDS', name: 'Refunds', sourceMapping: { rules: [rule('refunded')] } });
    await claimant.made('/v1/expense-categories', { code: 'B', name: 'Coffee', sourceMapping: { priority: 5, rules: [rule('Coffee')] } });
    // Of rules of the same rank, that of the category whose code comes first.
    const first = await preview(claimant, { ...TICKETS, code: 'A' });
    expect(wordsOf(first)).toContain('would claim 2 lines of 5 lines that were read. Another category claims 1 of them today.');
    expect(wordsOf(first)).toMatch(/Ticket refunded .* 19\.90 EUR REFUNDS/);
    const last = await preview(claimant, { ...TICKETS, code: 'Z', 'field-1': 'description', 'op-1': 'contains', 'value-1': 'Coffee' });
    expect(wordsOf(last)).toContain('would claim 1 line of 5 lines');
    expect(wordsOf(last)).toContain('They also fit 2 lines that a rule of another category claims before them.');
  });

  it('of a category that exists takes its new rules in place of the stored ones', async () => {
    const claimant = await aClaimant();
    const id = await claimant.made('/v1/expense-categories', { code: 'RAIL', name: 'Rail', sourceMapping: { rules: [rule('Ticket')] } });
    const shown = await preview(claimant, { 'value-1': 'Coffee' }, `${CATEGORIES}/${id}/edit`);
    expect(wordsOf(shown)).toContain('would claim 3 lines of 5 lines that were read. The category claims 2 of them already. No other');
    const saved = await claimant.browser.send(shown, {}, `${CATEGORIES}/${id}/edit`);
    expect(saved.text).toContain('description contains Coffee');
  });

  it('is of a project or a period if it is asked for', async () => {
    const claimant = await aClaimant();
    const projectId = await claimant.made('/v1/claim-projects', { name: 'Of nothing', status: 'active', ...JANUARY });
    expect(wordsOf(await preview(claimant, { ...TICKETS, previewProject: projectId }))).toContain('would claim 0 lines of 0 lines');
    expect(wordsOf(await preview(claimant, { ...TICKETS, projectId }))).toContain('would claim 0 lines of 0 lines');
    const days = { previewStart: '2026-01-10', previewEnd: '2026-01-31' };
    expect(wordsOf(await preview(claimant, { ...TICKETS, ...days }))).toContain('would claim 1 line of 5 lines');
    const after = { previewStart: '2026-03-01', previewEnd: '2026-03-31' };
    expect(wordsOf(await preview(claimant, { ...TICKETS, ...after }))).toContain('The rules would claim none of these lines.');
  });

  it('reads the 10,000 lines that were imported last, and says that there are more', async () => {
    const claimant = await aClaimant();
    const lines = Array.from(
      { length: 10_020 },
      (_none, index) => `2026-02-0${(index % 9) + 1},Ticket ${index % 7} of many,-${index}.10,EUR`,
    );
    await claimant.imported({ file: ['Date,Description,Amount,Currency', ...lines].join('\n'), fileName: 'many.csv', isRedacted: true });
    const shown = wordsOf(await preview(claimant, TICKETS));
    expect(shown).toContain('would claim 10,000 lines of 10,000 lines that were read');
    expect(shown).toContain('There are 10,025 lines. Only those of the statements that were imported last were read.');
    expect(shown).toContain('These are 20 of them.');
  });

  it('says at the row or field what is wrong, and keeps what was entered', async () => {
    const claimant = await aClaimant();
    const wrong = await preview(claimant, { ...TICKETS, 'field-1': 'amount', 'op-1': 'contains', 'value-1': '1' });
    expect([wrong.status, textOf(wrong.text)]).toEqual([400, expect.stringMatching(/Rule 2: Op /)]);
    expect(wrong.text).toContain('value="Ticket"');
    const json = await preview(claimant, { ...TICKETS, sourceMapping: '{"rules": [' });
    expect([json.status, json.text]).toEqual([400, expect.stringContaining('id="sourceMapping-error"')]);
    for (const [fields, at] of [
      [{ previewStart: '2026-01-01' }, 'previewEnd'],
      [{ previewStart: '2026-02-01', previewEnd: '2026-01-01' }, 'previewEnd'],
      [{ previewStart: 'x', previewEnd: '2026-01-01' }, 'previewStart'],
      [{ previewProject: 'none' }, 'previewProject'],
    ] as const) {
      const shown = await preview(claimant, { ...TICKETS, ...fields });
      expect([shown.status, shown.text]).toEqual([400, expect.stringContaining(`id="${at}-error"`)]);
    }
  });

  it('shows hostile texts of lines and fields as text', async () => {
    const hostile = '<script>alert(1)</script>';
    const file = `Date,Description,Amount,Currency\n2026-01-05,Ticket ${hostile},-1.00,EUR\n`;
    const claimant = await aClaimant({ file, isRedacted: true });
    const shown = await preview(claimant, { ...TICKETS, name: hostile, 'value-0': hostile });
    expect([shown.status, shown.text.includes('<script>alert')]).toEqual([200, false]);
    expect(wordsOf(shown)).toContain('would claim 1 line');
  });

  it('is for every member, of their own organization and environment only', async () => {
    const claimant = await aClaimant();
    const [member, stranger] = [await aVisitorOf(app, claimant.organization, { role: 'member' }), await aVisitor(app)];
    expect(wordsOf(await preview(member, TICKETS))).toContain('would claim 2 lines');
    expect(wordsOf(await preview(stranger, TICKETS))).toContain('would claim 0 lines of 0 lines');
    expect(wordsOf(await preview(claimant, TICKETS, '/console/live/categories/new'))).toContain('would claim 0 lines of 0 lines');
    const projectId = await claimant.made('/v1/claim-projects', { name: 'Own', status: 'active', ...JANUARY });
    expect((await preview(stranger, { ...TICKETS, previewProject: projectId })).status).toBe(404);
    const id = await claimant.made('/v1/expense-categories', { code: 'RAIL', name: 'Rail', sourceMapping: {} });
    const csrf = /name="csrf" value="([^"]+)"/.exec((await stranger.browser.visit(`${CATEGORIES}/new`)).text)![1]!;
    expect((await stranger.browser.visit(`${CATEGORIES}/${id}/edit/preview`, { csrf, ...TICKETS })).status).toBe(404);
    expect((await stranger.browser.visit(`${CATEGORIES}/new/preview`, { ...TICKETS, csrf: 'x' })).status).toBe(403);
  });
});

describe('a rule of a line that no category claims', () => {
  /** A run of the statement, and the addresses of the rules that it leads to. */
  async function aRun({ browser, user }: Visitor) {
    const queued = await browser.fill('/console/test/reports/new?projectId=', {});
    const shown = await eventually(async () => {
      const page = await browser.visit(queued.url.pathname);
      expect([user.id, page.text]).toEqual([user.id, expect.stringContaining('data-news="0"')]);
      return page;
    }, PATIENCE_MS);
    return { run: queued.url.pathname, rules: [...shown.text.matchAll(/href="([^"]+\/rule)"/g)].map(([, href]) => href!) };
  }

  it('is suggested, previewed and stored with a new category, once', async () => {
    const claimant = await aClaimant();
    const { browser, user, organization, statementId } = claimant;
    const { run, rules } = await aRun(claimant);
    expect(rules).toContain(`${run}/lines/${statementId}/1/rule`);
    const page = await browser.visit(`${run}/lines/${statementId}/1/rule`);
    for (const part of ['Ticket Berlin-Hamburg', '-89.90 EUR', `href="${run}"`]) expect(page.text).toContain(part);
    expect(page.text).toContain('name="description" type="text" value="Ticket Berlin-Hamburg"');
    expect(page.text).not.toContain('Create the category with this rule');
    const previewed = await browser.press(page, '/rule/preview', { description: 'ticket', code: 'RAIL', name: 'Rail', percent: '80' });
    expect(wordsOf(previewed)).toContain('would claim 2 lines of 5 lines');
    const stored = await browser.press(previewed, '/rule/create');
    expect(stored.text).toContain('The category was created.');
    expect((await browser.press(previewed, '/rule/create')).url.pathname).toBe(stored.url.pathname);
    const categories = await rowsOf(app.databaseUrl, 'SELECT code, source_mapping FROM expense_categories WHERE organization_id = $1', [
      organization.id,
    ]);
    const ticket = { field: 'description', op: 'contains', value: 'ticket' };
    expect(categories).toEqual([{ code: 'RAIL', source_mapping: { rules: [{ claimablePercent: 80, all: [ticket] }] } }]);
    const events = await rowsOf(app.databaseUrl, 'SELECT kind FROM events WHERE organization_id = $1 AND resource_id = $2', [
      organization.id,
      stored.url.pathname.split('/').at(-1),
    ]);
    expect([events, user.organizationId]).toEqual([[{ kind: 'expense_category.created' }], organization.id]);
  });

  it('is added to the rules of a category that exists, once, whatever it has beside them', async () => {
    const claimant = await aClaimant();
    const { browser, statementId } = claimant;
    const mapping = { priority: 3, note: 'ours', rules: [rule('Ticket')] };
    const id = await claimant.made('/v1/expense-categories', { code: 'RAIL', name: 'Rail', sourceMapping: mapping });
    const { run } = await aRun(claimant);
    const previewed = await browser.press(await browser.visit(`${run}/lines/${statementId}/3/rule`), '/rule/preview', { category: id });
    expect(wordsOf(previewed)).toContain('would claim 3 lines of 5 lines that were read. The category claims 2 of them already.');
    await claimant.api.patch(`/v1/expense-categories/${id}`, { sourceMapping: { ...mapping, rules: [rule('Ticket'), rule('Taxi')] } });
    for (const _time of [1, 2]) expect((await browser.press(previewed, '/rule/update')).text).toContain('The rule was added.');
    const [row] = await rowsOf<{ source_mapping: object }>(app.databaseUrl, 'SELECT source_mapping FROM expense_categories WHERE id = $1', [
      id,
    ]);
    expect(row!.source_mapping).toEqual({ ...mapping, rules: [rule('Ticket'), rule('Taxi'), rule('Coffee')] });
  });

  it('is previewed again if it was changed after the preview, and says at its field what is wrong', async () => {
    const claimant = await aClaimant();
    const { browser, statementId } = claimant;
    const stranger = await aClaimant();
    const foreign = await stranger.made('/v1/expense-categories', { code: 'X', name: 'X', sourceMapping: {} });
    const { run } = await aRun(claimant);
    const path = `${run}/lines/${statementId}/3/rule`;
    const previewed = await browser.press(await browser.visit(path), '/rule/preview', { code: 'CAFE', name: 'Cafe' });
    const again = await browser.press(previewed, '/rule/create', { description: 'Ticket' });
    expect([wordsOf(again).includes('would claim 2 lines'), again.text.includes('value="CAFE"')]).toEqual([true, true]);
    for (const [action, fields, field] of [
      ['/rule/preview', { description: ' ' }, 'description'],
      ['/rule/preview', { category: foreign }, 'category'],
      ['/rule/create', { code: '' }, 'code'],
    ] as const) {
      // What was previewed had no code either.
      const shown = field === 'code' ? await browser.press(previewed, '/rule/preview', fields) : previewed;
      const refused = await browser.press(shown, action, fields);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`id="${field}-error"`)]);
      expect(refused.text).toContain('value="Cafe"');
    }
    const percent = await browser.press(previewed, '/rule/preview', { percent: '<script>alert(1)</script>' });
    expect([percent.status, percent.text.includes('<script>alert')]).toEqual([400, false]);
    expect(textOf(percent.text)).toContain('<code>sourceMapping.rules[0].claimablePercent</code>');
  });

  it('is there for members, and for lines of their own organization and environment that are kept', async () => {
    const claimant = await aClaimant();
    const [member, stranger] = [await aVisitorOf(app, claimant.organization, { role: 'member' }), await aVisitor(app)];
    const { run } = await aRun(claimant);
    const path = `${run}/lines/${claimant.statementId}/1/rule`;
    expect((await member.browser.visit(path)).status).toBe(200);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await stranger.browser.visit(`${CATEGORIES}/new`)).text)![1]!;
    expect((await stranger.browser.visit(path)).status).toBe(404);
    for (const action of ['preview', 'create', 'update'])
      expect((await stranger.browser.visit(`${path}/${action}`, { csrf })).status).toBe(404);
    expect((await member.browser.visit(path.replace('/test/', '/live/'))).status).toBe(404);
    for (const line of ['6', '0', 'x', '99999999999'])
      expect((await member.browser.visit(path.replace('/1/rule', `/${line}/rule`))).status).toBe(404);
  });
});
