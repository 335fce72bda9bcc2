import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StatementNamesService } from '../../../src/modules/statements/index.js';
import { StatementRetention } from '../../../src/modules/statements/retention/statement-retention.js';
import type { TestApp } from '../../support/app.js';
import { aVisitorOf, type ConsoleBrowser, textOf } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { openReports } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking({ STATEMENT_RETENTION: '90d' });
});
afterAll(() => app.close());

const NAMES = '/console/test/statements/names';
/** Erika Mustermann is a person, Example GmbH a company, and nothing is known of the others. */
const FILE = `Date,Description,Amount,Currency,Counterparty
2026-01-05,Invoice 7,-12.50,EUR,Xanthippe Quorl
2026-01-06,Invoice 8,-12.50,EUR,Xanthippe Quorl
2026-01-07,Invoice 9,-30.00,EUR,Ditzo Vamblik
2026-01-08,Rent,-900.00,EUR,Erika Mustermann
2026-01-09,Paper,-5.00,EUR,Example GmbH
`;

async function openNames() {
  const reports = await openReports(app);
  const organization = { id: reports.organizationId };
  const owner = (await aVisitorOf(app, organization)).browser;
  const keep = (isOn: boolean) =>
    owner.fill('/console/test/organization/edit', { keepNames: isOn ? 'yes' : [] }, '/console/test/organization/names');
  const stored = () =>
    rowsOf<{ names: Buffer; doubtful: Buffer | null }>(
      app.databaseUrl,
      'SELECT names, doubtful FROM statement_names WHERE organization_id = $1',
      [organization.id],
    );
  return { ...reports, organization, owner, keep, stored };
}

/** Signs the person in as if it had been a quarter of an hour ago. */
const growOld = (organization: { id: string }) =>
  rowsOf(
    app.databaseUrl,
    `UPDATE console_sessions SET created_at = created_at - interval '15 minutes'
      WHERE user_id IN (SELECT id FROM users WHERE organization_id = $1)`,
    [organization.id],
  );

const namesOn = async (browser: ConsoleBrowser): Promise<string[]> =>
  [...textOf((await browser.visit(NAMES)).text).matchAll(/aria-label="([^"]*) is"/g)].map(([, name]) => name!);

describe('names that are masked', () => {
  it('are not kept, unless an owner wants that', async () => {
    const { taken, stored, owner, organization } = await openNames();
    expect(await taken({ file: FILE })).toMatchObject({ redactionStatus: 'succeeded' });
    expect(await stored()).toEqual([]);
    expect((await owner.visit(NAMES)).text).toContain('does not keep the names');
    const admin = (await aVisitorOf(app, organization, { role: 'admin' })).browser;
    expect((await admin.visit('/console/test/organization/edit')).text).not.toContain('keepNames');
  });

  it('are kept encrypted, and those of which nothing is known are shown to be decided, the most frequent first', async () => {
    const { keep, taken, stored, owner } = await openNames();
    await keep(true);
    await taken({ file: FILE });
    const [{ names, doubtful } = {}] = await stored();
    for (const bytes of [names, doubtful]) expect(bytes!.includes('Xanthippe')).toBe(false);
    expect(await namesOn(owner)).toEqual(['Xanthippe Quorl', 'Ditzo Vamblik']);
  });

  it('are shown from then on if they are decided to be companies, and asked for no more', async () => {
    const { keep, taken, owner, organization, api } = await openNames();
    await keep(true);
    await taken({ file: FILE });
    const shown = await owner.visit(NAMES);
    const [company, person] = [...shown.text.matchAll(/<select name="(PERSON-\w+)"/g)].map(([, token]) => token!);
    const saved = await owner.send(shown, { [company!]: 'company', [person!]: 'person' });
    expect(saved.text).toContain('2 decisions were saved.');
    expect(await namesOn(owner)).toEqual([]);
    const { id } = await taken({ file: FILE.replaceAll('Invoice', 'Bill') });
    const lines = (await owner.visit(`/console/test/statements/${id}`)).text;
    expect([lines.includes('Xanthippe Quorl'), lines.includes('Ditzo')]).toEqual([true, false]);
    expect(await namesOn(owner)).toEqual([]);
    const made = (await api.get('/v1/audit/events?action_prefix=counterparty_decision')).body.data as { actor: { type: string } }[];
    expect(made.map(({ actor }) => actor.type)).toEqual(['user', 'user']);
    expect(organization.id).toBeTruthy();
  });

  it('are decided as they were shown, also if so many others have arrived since that they are on no first page', async () => {
    const { keep, taken, owner } = await openNames();
    await keep(true);
    await taken({ file: FILE });
    const shown = await owner.visit(NAMES);
    const [token] = [...shown.text.matchAll(/<select name="(PERSON-\w+)" aria-label="Ditzo/g)].map(([, found]) => found!);
    const others = Array.from(
      { length: 60 },
      (_, index) => `Quorl${'bdfgklmnprst'[index % 12]}${'aeiou'[index % 5]}x Vam${'bdfgk'[index % 5]}ik`,
    );
    const rows = others.flatMap((name, index) => [1, 2].map((day) => `2026-02-0${day},Bill ${index},-${index + 1}.00,EUR,${name}\n`));
    await taken({ file: `Date,Description,Amount,Currency,Counterparty\n${rows.join('')}` });
    expect(await namesOn(owner)).not.toContain('Ditzo Vamblik');
    expect((await owner.send(shown, { [token!]: 'company' })).text).toContain('One decision was saved.');
  });

  it('are removed when the organization keeps none any more, and with the lines of their statement', async () => {
    const { keep, taken, stored } = await openNames();
    await keep(true);
    const { id } = await taken({ file: FILE });
    await taken({ file: FILE.replaceAll('Invoice', 'Bill') });
    await rowsOf(app.databaseUrl, `UPDATE bank_statements SET created_at = now() - interval '91 days' WHERE id = $1`, [id]);
    await app.app.get(StatementRetention).retain();
    expect(await stored()).toHaveLength(1);
    await keep(false);
    await app.app.get(StatementNamesService).forget();
    expect(await stored()).toEqual([]);
  });
});

describe('the key list of a report', () => {
  it('says which name each token stands for, and is in the audit log', async () => {
    const { keep, taken, run, owner, api } = await openNames();
    await keep(true);
    await taken({ file: FILE });
    const { id } = await run();
    const page = `/console/test/reports/${id}`;
    expect((await owner.visit(page)).text).toContain(`${page}/names`);
    const { status, text, headers } = await owner.fill(`${page}/names`, {});
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const rows = text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((row) => row.replace(/^PERSON-\w{12},/, ''));
    expect(rows.sort()).toEqual(['Ditzo Vamblik,1', 'Erika Mustermann,1', 'Xanthippe Quorl,2']);
    const [saved] = (await api.get('/v1/audit/events?action_prefix=claim_report.names')).body.data as object[];
    expect(saved).toMatchObject({ action: 'claim_report.names_saved', resource: { id }, changes: { names: { from: null, to: 3 } } });
  });

  it('has tokens without names for statements that arrived while none were kept', async () => {
    const { keep, taken, run, owner } = await openNames();
    await taken({ file: FILE });
    await keep(true);
    const { id } = await run();
    const shown = await owner.visit(`/console/test/reports/${id}/names`);
    expect(shown.text).toContain('arrived while your organization kept no names');
    expect((await owner.send(shown)).text).toMatch(/PERSON-\w{12},,2/);
  });

  it('is for owners, and only minutes after they have signed in', async () => {
    const { keep, taken, run, owner, organization } = await openNames();
    await keep(true);
    await taken({ file: FILE });
    const page = `/console/test/reports/${(await run()).id}/names`;
    const admin = (await aVisitorOf(app, organization, { role: 'admin' })).browser;
    expect((await admin.visit(page)).status).toBe(403);
    const open = await owner.visit(page);
    await growOld(organization);
    for (const asked of [await owner.visit(page), await owner.visit(NAMES), await owner.send(open)]) {
      expect([asked.status, asked.text.includes('Sign in once more')]).toEqual([403, true]);
      expect(asked.text).not.toMatch(/Xanthippe|PERSON-/);
    }
    const again = await owner.send(await owner.visit(page), {}, `/console/sign-out?next=${encodeURIComponent(page)}`);
    expect([again.url.pathname, again.url.searchParams.get('next')]).toEqual(['/console/sign-in', page]);
  });
});
