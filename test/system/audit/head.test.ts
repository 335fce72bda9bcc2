import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOfRow } from '../../../src/modules/audit/audit-chain.js';
import type { ChainHead } from '../../../src/modules/audit/index.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aLog, aSealedEntry } from '../../support/audit.js';
import { at, LogDatabase, START } from '../../support/audit-log.js';
import { anOrganization } from '../../support/builders.js';
import { runClaims } from '../../support/process.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
const logs = new LogDatabase(() => app);

/** Rewrites the rows from a sequence on, with valid hashes, as an attacker could. */
async function rewriteFrom(id: string, first: number): Promise<ChainHead> {
  let { hash } = first === 1 ? START : await logs.headAt(id, first - 1);
  for (const row of (await logs.rows(id)).slice(first - 1)) {
    const rewritten = { ...row, actor: { ...row.actor, name: 'Somebody else' }, previousHash: hash };
    hash = hashOfRow(rewritten);
    await logs.change(id, row.sequence, 'actor_name = $3, previous_hash = $4, hash = $5', 'Somebody else', rewritten.previousHash, hash);
  }
  return { sequence: (await logs.rows(id)).length, hash };
}

describe('the head of the log', () => {
  it('as recorded reveals that the end of the log was rewritten with valid hashes', async () => {
    const id = await aLog(app, 5);
    await rewriteFrom(id, 3);
    expect(await logs.verify(id)).toMatchObject({ ...at(5, 'altered', await logs.idAt(id, 5)), head: await logs.headAt(id, 4) });
  });

  it('as kept elsewhere reveals that the end of the log and the recorded head were rewritten', async () => {
    const id = await aLog(app, 5);
    const [early, last] = [await logs.headAt(id, 2), (await logs.verify(id)).head];
    await logs.setHead(id, await rewriteFrom(id, 3));
    expect((await logs.verify(id)).fault).toBeNull();
    expect((await logs.verify(id, early)).fault).toBeNull();
    expect(await logs.verify(id, last)).toMatchObject(at(5, 'altered', await logs.idAt(id, 5)));
  });

  it('as kept elsewhere names the first changed row, even if later rows were changed too', async () => {
    const id = await aLog(app, 6);
    const noted = await logs.headAt(id, 3);
    await logs.setHead(id, await rewriteFrom(id, 2));
    await logs.change(id, 5, `action = 'x'`);
    expect(await logs.verify(id)).toMatchObject(at(5, 'altered', await logs.idAt(id, 5)));
    expect(await logs.verify(id, noted)).toMatchObject(at(3, 'altered', await logs.idAt(id, 3)));
  });

  it('as kept elsewhere reveals that the end of the log was removed and the recorded head set back', async () => {
    const id = await aLog(app, 5);
    const { head } = await logs.verify(id);
    await logs.setHead(id, await logs.headAt(id, 3));
    await logs.sql('DELETE FROM audit_events WHERE organization_id = $1 AND sequence > 3', id);
    expect(await logs.verify(id)).toMatchObject({ rows: 3, fault: null });
    expect(await logs.verify(id, head)).toMatchObject(at(4, 'missing', null));
    // Even after the log has grown past that sequence again.
    for (let count = 0; count < 4; count += 1) await aSealedEntry(app, id);
    expect(await logs.verify(id)).toMatchObject({ rows: 7, fault: null });
    expect(await logs.verify(id, head)).toMatchObject(at(5, 'altered', await logs.idAt(id, 5)));
  });

  it('as kept elsewhere reveals that the whole log was removed', async () => {
    const id = await aLog(app, 2);
    const { head } = await logs.verify(id);
    for (const table of ['audit_events', 'audit_chains']) await logs.sql(`DELETE FROM ${table} WHERE organization_id = $1`, id);
    expect(await logs.verify(id)).toMatchObject({ rows: 0, fault: null });
    expect(await logs.verify(id, head)).toMatchObject(at(1, 'missing', null));
  });

  it.each([
    ['deleted', 0, (id: string) => logs.sql('DELETE FROM audit_chains WHERE organization_id = $1', id)],
    ['set back', 3, async (id: string) => logs.setHead(id, await logs.headAt(id, 3))],
  ])('as recorded is reported if it was %s', async (_how, sequence, undo) => {
    const id = await aLog(app, 5);
    await undo(id);
    const verdict = await logs.verify(id);
    expect(verdict).toMatchObject({ rows: 5, fault: { sequence: sequence + 1, kind: 'out_of_order', id: null } });
    expect(verdict.fault!.message).toMatch(new RegExp(`row ${sequence}, but the log ends at row 5`));
  });

  it('as recorded is reported if it was deleted before more entries were sealed: at the row where the new chain starts', async () => {
    const id = await aLog(app, 3);
    await logs.sql('DELETE FROM audit_chains WHERE organization_id = $1', id);
    await aSealedEntry(app, id);
    // The new head is a first row as well, but not the one the log starts with.
    expect(await logs.verify(id)).toMatchObject(at(1, 'altered', (await logs.rows(id))[0]!.id));
    for (let count = 0; count < 4; count += 1) await aSealedEntry(app, id);
    expect(await logs.verify(id)).toMatchObject({
      rows: 3,
      fault: { sequence: 1, kind: 'out_of_order', id: (await logs.rows(id))[3]!.id },
    });
  });

  it('as recorded is reported if it has another hash, or a sequence after the last row', async () => {
    const [other, ahead] = [await aLog(app, 3), await aLog(app, 3)];
    await logs.setHead(other, { sequence: 3, hash: 'f'.repeat(64) });
    await logs.setHead(ahead, { sequence: 9, hash: 'f'.repeat(64) });
    expect(await logs.verify(other)).toMatchObject(at(3, 'altered', await logs.idAt(other, 3)));
    expect(await logs.verify(ahead)).toMatchObject(at(4, 'missing', null));
  });
});

describe('claims audit verify', () => {
  const claims = (...args: string[]) => runClaims(['audit', 'verify', ...args], { DATABASE_URL: app.databaseUrl });

  async function anOrganizationWithALog() {
    const { id, slug } = await anOrganization(app);
    for (let count = 0; count < 3; count += 1) await aSealedEntry(app, id);
    return { id, slug };
  }

  it('reports a valid log, as text and as JSON, and exits with 0', async () => {
    const { id, slug } = await anOrganizationWithALog();
    const head = await logs.headAt(id, 4);
    const [lines, document] = await Promise.all([
      claims('--org', slug),
      claims('--org', id, '--json', '--head', `${head.sequence}:${head.hash}`),
    ]);
    expect(lines).toEqual({ code: 0, stdout: `rows  4\nhead  4:${head.hash}\nok\n`, stderr: '' });
    expect([document.code, document.stderr, JSON.parse(document.stdout)]).toEqual([
      0,
      '',
      { rows: 4, head, checkpoints: 0, witnessed: [], ok: true, fault: null },
    ]);
  });

  it('names the first invalid row, and exits with 1', async () => {
    const { id, slug } = await anOrganizationWithALog();
    const [noted, row] = [await logs.headAt(id, 4), await logs.idAt(id, 3)];
    await logs.change(id, 3, `actor_name = 'Somebody else'`);
    const head = await logs.headAt(id, 2);
    const [lines, document] = await Promise.all([
      claims('--org', id, '--head', `${noted.sequence}:${noted.hash}`),
      claims('--org', slug, '--json'),
    ]);
    expect(lines).toEqual({
      code: 1,
      stdout: expect.stringMatching(new RegExp(`^rows  2\nhead  2:${head.hash}\nbad   Row 3 \\(${row}\\)[^\n]+\n$`)),
      stderr: '',
    });
    expect([document.code, document.stderr]).toEqual([1, '']);
    expect(JSON.parse(document.stdout)).toEqual({
      rows: 2,
      head,
      checkpoints: 0,
      witnessed: [],
      ok: false,
      fault: { sequence: 3, id: row, kind: 'altered', message: expect.stringContaining(row) },
    });
  });

  it('refuses a malformed head and an unknown organization', async () => {
    const { slug } = await anOrganizationWithALog();
    const hash = 'a'.repeat(64);
    const malformed = await Promise.all(['4', `4:${hash.toUpperCase()}`].map((head) => claims('--org', slug, '--head', head)));
    for (const ended of malformed) expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^claims: .*--head/) });
    const [unknown, unnamed] = await Promise.all([claims('--org', newId()), claims()]);
    expect(unknown).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^claims: There is no organization/) });
    expect(unnamed).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/--org/) });
  });
});
