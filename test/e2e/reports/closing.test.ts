import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { filesOf } from '../../../src/modules/reports/outputs/fixtures/evidence.js';
import type { ClaimClosingDto, ClaimReportDto } from '../../../src/modules/reports/index.js';
import { TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { ApiKeysService } from '../../../src/modules/api-keys/index.js';
import { Client } from '../../support/client.js';
import { CLOSINGS, openClosings } from '../../support/closings.js';
import { runCommand } from '../../support/command.js';
import { aVisitorOf, textOf } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { REPORTS } from '../../support/reports.js';
import { startWorking, STATEMENTS } from '../../support/statements.js';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await startWorking();
  folder = mkdtempSync(join(tmpdir(), 'closing-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await app.close();
});

const claims = (...args: string[]) => runCommand(args, { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** A final claim. */
async function aFinalClaim() {
  const opened = await openClosings(app);
  const made = await opened.claim();
  return { ...opened, ...made, final: await opened.close(made.report.id) };
}

async function packOf(key: string, reportId: string): Promise<Buffer> {
  const answer = await fetch(`${app.url}${REPORTS}/${reportId}/outputs/evidence`, { headers: { 'X-API-Key': key } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

describe('a claim', () => {
  it('is reviewed, approved by another person, and then final; each step is an event and stands in the audit log', async () => {
    const { api, other, report, projectId, final, take } = await aFinalClaim();
    expect(final).toMatchObject({
      ...{ reportId: report.id, projectId, state: 'final', version: 1, corrects: null, changes: null },
      ...{ periodStart: '2026-01-01', periodEnd: '2026-01-31', inputsHash: report.result!.inputsHash, by: { type: 'api' } },
    });
    const { data } = (await other.get(`${CLOSINGS}?report_id=${report.id}`)).body as { data: ClaimClosingDto[] };
    expect(data.map(({ state }) => state)).toEqual(['final', 'approved', 'reviewed']);
    expect((await api.get(`${CLOSINGS}/${final.id}`)).body).toEqual(final);
    expect((await api.get(`${CLOSINGS}?project_id=${projectId}&state=final`)).body).toMatchObject({ data: [{ id: final.id }] });
    const audited = (await api.get('/v1/audit/events?action_prefix=claim.')).body as { data: { action: string; changes: object }[] };
    expect(audited.data.map(({ action }) => action)).toEqual(['claim.reviewed', 'claim.approved', 'claim.final']);
    expect(audited.data.at(-1)!.changes).toMatchObject({ pack: { to: { sha256: final.pack!.sha256 } } });
    const events = await rowsOf<{ kind: string }>(app.databaseUrl, 'SELECT kind FROM events WHERE data->>$1 = $2 ORDER BY id', [
      ...['reportId', report.id],
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(['claim.reviewed', 'claim.approved', 'claim.final']);
    for (const step of ['reviewed', 'approved', 'final'])
      expect(await take(report.id, step, {}, other)).toMatchObject({
        ...{ status: 409, body: { code: 'claim_state', detail: expect.stringContaining(`is final (claim closing ${final.id})`) } },
      });
  });

  it('is approved by nobody who has reviewed it, and takes its steps in their order', async () => {
    const { claim, take, taking, api, other } = await openClosings(app);
    const { report } = await claim();
    for (const step of ['approved', 'final', 'reopened'])
      expect(await take(report.id, step, { reason: 'why' })).toMatchObject({ status: 409, body: { code: 'claim_state' } });
    await taking(report.id, 'reviewed');
    expect(await take(report.id, 'approved')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('another one approves it') },
    });
    expect(await take(report.id, 'final', {}, other)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('is reviewed') },
    });
    const both = await Promise.all([take(report.id, 'approved', {}, other), take(report.id, 'approved', {}, other)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await take(newId(), 'reviewed', {}, api)).toMatchObject({ status: 400, body: { code: 'related_record_missing' } });
    expect(await take(report.id, 'reviewed', { corrects: newId() })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'corrects' }] },
    });
  });

  it('can be closed if it has a project, statements and an evidence pack', async () => {
    const { claim, configuration, run, take, taking, other, project, queue } = await openClosings(app);
    const whole = await run({ reportConfigurationId: (await configuration()).id });
    const { id: projectId } = await project({ name: 'empty' });
    const empty = await run({ projectId });
    const refused = { [whole.id]: 'no claim project', [empty.id]: 'no bank statement' };
    for (const [id, why] of Object.entries(refused))
      expect(await take(id, 'reviewed')).toMatchObject({
        status: 409,
        body: { code: 'claim_state', detail: expect.stringContaining(why) },
      });
    const { report } = await claim(['json']);
    await taking(report.id, 'reviewed');
    await taking(report.id, 'approved', {}, other);
    const noPack = { status: 409, body: { detail: expect.stringContaining('Add `evidence` to `outputOptions.formats`') } };
    expect(await take(report.id, 'final')).toMatchObject(noPack);
    await queue();
  });
});

describe('the pack of a final claim', () => {
  it('is signed, is the file of the run from then on, and is verified with the key alone', async () => {
    const { report, final, key, get } = await aFinalClaim();
    const pack = await packOf(key, report.id);
    expect(sha256(pack)).toBe(final.pack!.sha256);
    const { outputs } = (await get(report.id)).result!;
    expect(outputs).toEqual([{ format: 'evidence', bytes: pack.length, sha256: final.pack!.sha256 }]);
    const files = filesOf(pack);
    const { signed, signature, publicKey } = JSON.parse(files.get('signature.json')!.toString()) as Record<string, string>;
    const spki = createPublicKey({ key: Buffer.from(publicKey!, 'base64'), format: 'der', type: 'spki' });
    expect(verify(null, Buffer.from(signed!), spki, Buffer.from(signature!, 'base64'))).toBe(true);
    expect(JSON.parse(signed!)).toMatchObject({
      manifest: sha256(files.get('manifest.json')!),
      closing: final.id,
      version: 1,
      run: report.id,
    });
    const path = join(folder, 'pack.zip');
    writeFileSync(path, pack);
    const says = new RegExp(`signed by .+ with key ${final.pack!.keyId}, final, version 1, as run ${report.id} made it\\.`);
    expect(await claims('report', 'verify', path, '--key', publicKey!)).toMatchObject({ code: 0, stdout: expect.stringMatching(says) });
    const alone = await claims('report', 'verify', path, '--offline', '--key', 'MCowBQYDK2VwAyEA');
    expect(alone).toMatchObject({ code: 1, stdout: expect.stringContaining('signed with another key') });
    const changed = Buffer.from(pack);
    changed.write('Z', pack.indexOf(signature!) + 3);
    changed.write('Y', pack.indexOf('claim-final/1'));
    writeFileSync(path, changed);
    expect(await claims('report', 'verify', path, '--offline')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('signature.json is damaged'),
    });
  });
});

describe('while a claim is final', () => {
  it('its days of the project are locked, and what would change them is refused with its closing', async () => {
    const { api, statement, projectId, final, taken, project, report } = await aFinalClaim();
    const locked = { status: 409, body: { code: 'claim_final', conflictingId: final.id } };
    expect(await api.patch(`${STATEMENTS}/${statement.id}`, { projectId: null })).toMatchObject(locked);
    const strange = await taken({ file: 'Date,Description,Amount,Currency\n2026-01-03,Ticket,-1.00,EUR\n' });
    expect(await api.patch(`${STATEMENTS}/${strange.id}`, { projectId })).toMatchObject(locked);
    const later = await taken({ file: 'Date,Description,Amount,Currency\n2026-02-03,Ticket,-1.00,EUR\n', fileName: 'february.csv' });
    expect(await api.patch(`${STATEMENTS}/${later.id}`, { projectId })).toMatchObject({ status: 200 });
    expect(await api.patch(`/v1/claim-projects/${projectId}`, { periodEnd: '2026-02-28' })).toMatchObject(locked);
    const [line] = (await api.get(`/v1/claim-reports/${report.id}/lines`)).body.data;
    expect(await api.post('/v1/claim-line-decisions', { lineIds: [line.id], outcome: 'not_claimed' })).toMatchObject(locked);
    expect(await api.patch(`/v1/claim-projects/${projectId}`, { name: newId() })).toMatchObject({ status: 200 });
    const { id } = await project({ name: 'another' });
    expect(await api.patch(`${STATEMENTS}/${strange.id}`, { projectId: id })).toMatchObject({ status: 200 });
  });

  it('Postgres refuses to change its inputs, result, files and steps', async () => {
    const { report, final } = await aFinalClaim();
    for (const sql of [
      `UPDATE claim_reports SET inputs = NULL WHERE id = '${report.id}'`,
      `UPDATE claim_reports SET result = NULL WHERE id = '${report.id}'`,
      `DELETE FROM claim_reports WHERE id = '${report.id}'`,
      `UPDATE claim_report_files SET content = '' WHERE report_id = '${report.id}'`,
      `DELETE FROM claim_report_files WHERE report_id = '${report.id}'`,
      `UPDATE claim_closings SET state = 'reviewed' WHERE id = '${final.id}'`,
      `DELETE FROM claim_closings WHERE id = '${final.id}'`,
    ])
      await expect(rowsOf(app.databaseUrl, sql)).rejects.toThrow('a final claim never changes');
  });

  it('it is corrected by another run, which says what changed and why', async () => {
    const { report, projectId, final, taken, run, reportConfigurationId, take, taking, close, other, get } = await aFinalClaim();
    await taken({ file: 'Date,Description,Amount,Currency\n2026-01-03,Ticket,-10.00,EUR\n', projectId });
    const second = await run({ projectId, reportConfigurationId });
    await taking(second.id, 'reviewed');
    await taking(second.id, 'approved', {}, other);
    expect(await take(second.id, 'final')).toMatchObject({ status: 409, body: { code: 'claim_final', conflictingId: final.id } });
    const strange = (await aFinalClaim()).final.id;
    for (const corrects of [newId(), strange])
      expect(await take(second.id, 'final', { corrects, reason: 'more' })).toMatchObject({
        ...{ status: 400, body: { code: 'related_record_missing', errors: [{ field: 'corrects' }] } },
      });
    expect(await take(second.id, 'final', { corrects: final.id })).toMatchObject({ status: 400, body: { errors: [{ field: 'reason' }] } });
    const reason = 'A ticket was missing.';
    const correction = await taking(second.id, 'final', { corrects: final.id, reason });
    expect(correction).toMatchObject({
      version: 2,
      corrects: final.id,
      reason,
      changes: { sameInputs: false, totals: { claimable: { difference: '10.00' } } },
    });
    expect(await rowsOf(app.databaseUrl, 'SELECT kind FROM events WHERE resource_id = $1', [correction.id])).toEqual([
      { kind: 'claim.corrected' },
    ]);
    const third = await run({ projectId, reportConfigurationId });
    const late = await close(third.id, { corrects: correction.id, reason }).catch((error: unknown) => error);
    expect(late).toMatchObject({ version: 3 });
    expect((await get(report.id)).result!.inputsHash).toBe(final.inputsHash);
  });

  it('two people reopen it, with a reason; then its days are open, and its run stays as it is', async () => {
    const { api, other, statement, report, final, take, taking, close, run, projectId, reportConfigurationId } = await aFinalClaim();
    expect(await take(report.id, 'reopened')).toMatchObject({ status: 400, body: { errors: [{ field: 'reason' }] } });
    const reason = 'A statement is of another project.';
    expect(await taking(report.id, 'reopened', { reason })).toMatchObject({ state: 'reopening', version: 1, reason });
    expect(await take(report.id, 'reopened')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('another one reopens it') },
    });
    const move = () => api.patch(`${STATEMENTS}/${statement.id}`, { projectId: null });
    expect(await move()).toMatchObject({ status: 409 });
    expect(await taking(report.id, 'reopened', {}, other)).toMatchObject({ state: 'reopened', version: 1 });
    const second = await run({ projectId, reportConfigurationId });
    expect(await move()).toMatchObject({ status: 200 });
    expect(await close(second.id, { corrects: final.id, reason })).toMatchObject({ version: 2 });
    await expect(rowsOf(app.databaseUrl, `UPDATE claim_reports SET inputs = NULL WHERE id = $1`, [report.id])).rejects.toThrow(
      'final claim',
    );
  });
});

it('the run of a project keeps its inputs', async () => {
  const { claim, run } = await openClosings(app);
  const { report } = await claim(['json']);
  const kept = async ({ id }: ClaimReportDto) =>
    rowsOf(app.databaseUrl, 'SELECT inputs IS NOT NULL AS kept FROM claim_reports WHERE id = $1', [id]);
  expect(await kept(report)).toEqual([{ kept: true }]);
  expect(await kept(await run())).toEqual([{ kept: false }]);
});

describe('in the console', () => {
  it('a run has its state, who took which step, and the next one as a button; two people close the claim', async () => {
    const { claim, organizationId, taking, run } = await openClosings(app);
    const { projectId, reportConfigurationId } = await claim();
    const [jane, max] = await Promise.all([
      aVisitorOf(app, { id: organizationId }, { role: 'member', name: 'Jane Example' }),
      aVisitorOf(app, { id: organizationId }, { role: 'member', name: 'Max Example' }),
    ]);
    const { id } = await run({ projectId, reportConfigurationId });
    const page = `/console/test/reports/${id}`;
    expect(textOf((await jane.browser.visit(page)).text)).toContain(`<a class="button" href="${page}/close">Review the claim</a>`);
    expect((await jane.browser.fill(`${page}/close`, { reason: 'Compared.' })).text).toContain('Reviewed');
    const own = await jane.browser.fill(`${page}/close`, {});
    expect([own.status, textOf(own.text)]).toEqual([409, expect.stringContaining('Jane Example has reviewed the claim')]);
    expect((await max.browser.fill(`${page}/close`, {})).text).toContain('Approved');
    const final = textOf((await max.browser.fill(`${page}/close`, {})).text);
    for (const said of ['Final, version 1', 'Jane Example', 'Max Example', 'Compared.', 'Reopen the claim']) expect(final).toContain(said);
    const second = await run({ projectId, reportConfigurationId });
    await taking(second.id, 'reviewed');
    const next = `/console/test/reports/${second.id}/close`;
    await max.browser.fill(next, {});
    expect(textOf((await jane.browser.visit(next)).text)).toContain('is final as version 1. This one replaces it');
    expect((await jane.browser.fill(next, { reason: '' })).status).toBe(400);
    expect(textOf((await jane.browser.fill(next, { reason: 'Once more.' })).text)).toContain('Final, version 2');
    expect((await jane.browser.fill(`${page}/close`, { reason: 'A mistake.' })).text).toContain('to be reopened');
    expect((await max.browser.fill(`${page}/close`, {})).text).toContain('Reopened');
    expect((await max.browser.visit(`${page}/close`)).text).toContain('There is no next step');
  });

  it('a key that somebody has made is no second person beside them', async () => {
    const { claim, organizationId, take } = await openClosings(app);
    const { report } = await claim();
    const { user, browser } = await aVisitorOf(app, { id: organizationId }, { role: 'owner', name: 'Jane Example' });
    const wanted = { organizationId, environment: 'test', name: 'Of Jane', scopes: 'all' } as const;
    const { key } = await app.app.get(ApiKeysService).create({ type: 'user', id: user.id, name: user.name }, wanted);
    await browser.fill(`/console/test/reports/${report.id}/close`, {});
    const own = await take(report.id, 'approved', {}, new Client(app.url, key));
    expect(own).toMatchObject({ status: 409, body: { code: 'claim_state', detail: expect.stringContaining('Jane Example has reviewed') } });
    expect(await take(report.id, 'approved')).toMatchObject({ status: 201 });
  });
});
