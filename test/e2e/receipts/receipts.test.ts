import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { allEntriesOf } from '../../../src/kernel/zip-archive.js';
import { verifyPack } from '../../../src/modules/reports/index.js';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { A_MAIL, A_PDF, openReceipts, RECEIPTS, sha256Of } from '../../support/receipts.js';
import { rule } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';

let working: TestApp;
beforeAll(async () => {
  working = await startWorking();
});
afterAll(() => working.close());

describe('a receipt', () => {
  it('belongs to the booking of its line: a new run and the same statement in another file have it', async () => {
    const { claimed, sent, run, linesOf, api } = await openReceipts(working);
    const { projectId, line, statement } = await claimed();
    const receipt = await sent(A_PDF, { claimLineId: line.id, taxAmount: '14.35', note: 'By mail' });
    const known = { fileName: 'invoice.pdf', mediaType: 'application/pdf', sizeBytes: A_PDF.length, sha256: sha256Of(A_PDF) };
    expect(receipt).toMatchObject({
      ...known,
      projectId,
      claimLineId: line.id,
      statementId: statement.id,
      taxAmount: '14.35',
      status: 'active',
    });
    const later = (await linesOf((await run({ projectId })).id)).find(({ amount }) => amount === line.amount)!;
    expect(later.id).not.toBe(line.id);
    const listed = async (query: string) => ((await api.get(`${RECEIPTS}?${query}`)).body.data as { id: string }[]).map(({ id }) => id);
    expect(await listed(`claim_line_id=${later.id}`)).toEqual([receipt.id]);
    expect(await listed(`claim_line_id=${newId()}`)).toEqual([]);
    expect(await listed(`project_id=${projectId}&status=active`)).toEqual([receipt.id]);
  });

  it('is at one place once, and may come again after it was withdrawn, which removes its file', async () => {
    const { claimed, sent, api } = await openReceipts(working);
    const { projectId, line } = await claimed();
    const places: Record<string, string>[] = [{ claimLineId: line.id }, { projectId }];
    const [first, ofProject] = await Promise.all(places.map((place) => sent(A_PDF, place)));
    expect((await sent(A_PDF, places[0]!)).id).toBe(first!.id);
    const atOnce = await Promise.all([1, 2, 3, 4].map(() => sent(A_MAIL, places[1]!, 'mail.eml')));
    expect(new Set(atOnce.map(({ id }) => id)).size).toBe(1);
    expect(ofProject!.id).not.toBe(first!.id);
    expect((await sent(A_MAIL, places[0]!, 'mail.eml')).id).not.toBe(first!.id);
    expect(await api.patch(`${RECEIPTS}/${first!.id}`, { status: 'withdrawn' })).toMatchObject({ status: 200 });
    const again = await sent(A_PDF, places[0]!);
    expect(again.id).not.toBe(first!.id);
    expect(await api.patch(`${RECEIPTS}/${first!.id}`, { status: 'active' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'status', code: 'not_allowed' }] },
    });
    const files = await rowsOf(working.databaseUrl, 'SELECT 1 FROM receipt_files WHERE receipt_id = $1', [first!.id]);
    expect(files).toEqual([]);
  });

  it('is known by its content, and nothing else than a PDF, a picture or a mail is taken', async () => {
    const { project, send } = await openReceipts(working);
    const { id: projectId } = await project();
    const files = {
      'application/pdf': A_PDF,
      'image/jpeg': Buffer.from('ffd8ffe000104a464946', 'hex'),
      'image/png': Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
      'image/heic': Buffer.from('00000024667479706865696300000000', 'hex'),
      'message/rfc822': A_MAIL,
    };
    for (const [mediaType, file] of Object.entries(files))
      expect(await send(file, { projectId }, 'C:\\mails\\receipt.bin')).toMatchObject({
        status: 201,
        body: { mediaType, fileName: 'receipt.bin' },
      });
    expect((await send(A_PDF, { projectId: (await project({ name: 'Other' })).id }, 'x'.repeat(300))).body.fileName).toHaveLength(200);
    for (const wrong of ['<html></html>', 'PK\u0003\u0004', 'Dear Jane,\r\n\r\nFrom: me', 'From: x\r\nno header\r\n\r\n'])
      expect(await send(Buffer.from(wrong), { projectId })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ field: 'file', code: 'not_allowed' }] },
      });
    expect(await send(Buffer.alloc(10 * 1024 * 1024 + 1, A_PDF), { projectId })).toMatchObject({ status: 413 });
  });

  it('whose name says that it is something else is refused, with the place', async () => {
    const { project, send, api } = await openReceipts(working);
    const { id: projectId } = await project();
    const refused = (field: string) => ({ status: 400, body: { errors: [{ field, code: 'not_allowed' }] } });
    for (const name of ['photo.jpg', 'invoice.pdf.exe', 'page.html', 'mail.eml'])
      expect(await send(A_PDF, { projectId }, name), name).toMatchObject(refused('file'));
    expect(await send(A_MAIL, { projectId }, 'invoice.pdf')).toMatchObject(refused('file'));
    const content = A_PDF.toString('base64');
    expect(await api.post(RECEIPTS, { projectId, fileName: 'photo.png', content })).toMatchObject(refused('content'));
    expect(await api.post(RECEIPTS, { projectId, fileName: 'Invoice.PDF', content })).toMatchObject({ status: 201 });
  });

  it('is encrypted where it is kept', async () => {
    const { project, sent, organizationId } = await openReceipts(working);
    await sent(A_PDF, { projectId: (await project()).id });
    const rows = await rowsOf<{ content: Buffer }>(working.databaseUrl, 'SELECT content FROM receipt_files WHERE organization_id = $1', [
      organizationId,
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.content.includes('PDF')).toBe(false);
  });

  it('states at most the tax that is in its line, together with the others', async () => {
    const { claimed, send, sent, api } = await openReceipts(working);
    const { projectId, line } = await claimed();
    expect(line.amount).toBe('-89.90');
    const wrong = { status: 400, body: { errors: [{ field: 'taxAmount' }] } };
    for (const taxAmount of ['-1', '89.91']) expect(await send(A_PDF, { claimLineId: line.id, taxAmount })).toMatchObject(wrong);
    expect(await send(A_PDF, { projectId, taxAmount: '1.00' })).toMatchObject(wrong);
    await sent(A_PDF, { claimLineId: line.id, taxAmount: '80.00' });
    const { id } = await sent(A_MAIL, { claimLineId: line.id, taxAmount: '9.90' }, 'mail.eml');
    expect(await api.patch(`${RECEIPTS}/${id}`, { taxAmount: '9.91' })).toMatchObject(wrong);
  });

  it('needs one place that is there', async () => {
    const { claimed, project, send } = await openReceipts(working);
    const { line } = await claimed();
    const { id: other } = await project({ name: 'Other' });
    const codeOf = async (fields: Record<string, string>) => {
      const { status, body } = await send(A_PDF, fields);
      return [status, ...(body.errors as { field: string; code: string }[]).flatMap(({ field, code }) => [field, code])];
    };
    for (const fields of [{}, { projectId: other, claimLineId: line.id }, { claimItemId: newId(), claimLineId: line.id }])
      expect(await codeOf(fields as Record<string, string>)).toEqual([400, 'projectId', 'required']);
    for (const field of ['projectId', 'claimLineId', 'claimItemId'])
      expect(await codeOf({ [field]: newId() })).toEqual([400, field, 'related_record_missing']);
  });

  it('is locked with the claim of its line or item once that is final', async () => {
    const { claimed, configuration, run, close, send, sent, api } = await openReceipts(working);
    const { projectId, categoryId, line, lines } = await claimed();
    const item = { projectId, categoryId, name: 'Drive', incurredOn: '2026-01-15', rate: '36.00', currency: 'EUR' };
    const { id: claimItemId } = (await api.post('/v1/claim-items', item)).body as { id: string };
    const ofLine = await sent(A_PDF, { claimLineId: line.id });
    await sent(A_PDF, { claimItemId, taxAmount: '5.75' });
    const { id: reportConfigurationId } = await configuration({ projectId, outputOptions: { formats: ['evidence'] } });
    await close((await run({ projectId, reportConfigurationId })).id);
    const refused = { status: 409, body: { code: 'claim_final' } };
    expect(await send(A_MAIL, { claimItemId })).toMatchObject(refused);
    expect(await send(A_MAIL, { claimLineId: lines.at(-1)!.id })).toMatchObject(refused);
    expect(await api.patch(`${RECEIPTS}/${ofLine.id}`, { status: 'withdrawn' })).toMatchObject(refused);
    expect(await send(A_MAIL, { projectId })).toMatchObject({ status: 201 });
  });
});

describe('a run', () => {
  const entriesOf = async (url: string, key: string, reportId: string) => {
    const answer = await fetch(`${url}/v1/claim-reports/${reportId}/outputs/evidence`, { headers: { 'X-API-Key': key } });
    const pack = Buffer.from(await answer.arrayBuffer());
    return { pack, entries: allEntriesOf(pack, { files: 100, unpackedBytes: 2 ** 30 }) };
  };

  it('names the receipts of its lines, items and project in each file, and packs them with their hashes', async () => {
    const { claimed, configuration, run, sent, api, key } = await openReceipts(working);
    const { projectId, categoryId, line } = await claimed();
    const item = { projectId, categoryId, name: 'Drive', incurredOn: '2026-01-15', rate: '36.00', currency: 'EUR' };
    const { id: claimItemId } = (await api.post('/v1/claim-items', item)).body as { id: string };
    const big = Buffer.concat([A_PDF, randomBytes(2_500_000)]);
    const files = [A_PDF, A_MAIL, big, Buffer.from('ffd8ffe0', 'hex')];
    await sent(files[0]!, { claimLineId: line.id });
    await sent(files[1]!, { claimLineId: line.id }, 'mail.eml');
    await sent(files[2]!, { claimItemId }, 'drive.pdf');
    await sent(files[3]!, { projectId }, 'all.jpg');
    const gone = await sent(Buffer.from('ffd8ffe1', 'hex'), { projectId });
    expect((await api.patch(`${RECEIPTS}/${gone.id}`, { status: 'withdrawn' })).status).toBe(200);
    const formats = ['json', 'csv', 'xlsx', 'pdf', 'evidence'];
    const { id: reportConfigurationId } = await configuration({ projectId, outputOptions: { formats, detail: 'lines' } });
    const { id, result, failure } = await run({ projectId, reportConfigurationId });
    expect(failure).toBeNull();
    expect(result!.controls.every(({ ok }) => ok)).toBe(true);
    expect(result!.receipts!.map(({ reference, fileName, sha256 }) => [reference, fileName, sha256])).toEqual([
      ['R1', 'invoice.pdf', sha256Of(files[0]!)],
      ['R2', 'mail.eml', sha256Of(files[1]!)],
      ['R3', 'drive.pdf', sha256Of(files[2]!)],
      ['R4', 'all.jpg', sha256Of(files[3]!)],
    ]);
    const csv = (await api.get(`/v1/claim-reports/${id}/outputs/csv`)).text;
    expect(csv.split('\r\n')[0]).toContain(',receipts');
    expect(csv).toContain('"R1, R2"');
    const json = (await api.get(`/v1/claim-reports/${id}/outputs/json`)).body as { lines: { receipts: string | null; amount: string }[] };
    expect(json.lines.map(({ amount, receipts }) => [amount, receipts])).toContainEqual(['-36.00', 'R3']);
    const { pack, entries } = await entriesOf(working.url, key, id);
    expect(entries.map(({ path }) => path).filter((path) => path.startsWith('receipts/'))).toEqual(
      ['R1.pdf', 'R2.eml', 'R3.pdf', 'R4.jpg'].map((name) => `receipts/${name}`),
    );
    for (const [index, file] of files.entries())
      expect(
        entries
          .filter(({ path }) => path.startsWith('receipts/'))
          [index]!.content()
          .equals(file),
      ).toBe(true);
    expect(verifyPack(pack).findings).toEqual([]);
  });

  it('without receipts has the inputs and the files that it has always had', async () => {
    const { claimed, api } = await openReceipts(working);
    const { report } = await claimed();
    expect(report.result).not.toHaveProperty('receipts');
    const [row] = await rowsOf<{ inputs: object }>(working.databaseUrl, 'SELECT inputs FROM claim_reports WHERE id = $1', [report.id]);
    expect(row!.inputs).not.toHaveProperty('receipts');
    expect((await api.get(`/v1/claim-reports/${report.id}`)).text).not.toContain('receipt');
  });

  it('warns of lines without a receipt from the amount on that their category says', async () => {
    const { claimed, run, sent } = await openReceipts(working);
    const { projectId, line, report } = await claimed({ receipt: { from: '89.90' } });
    const missing = ({ result }: typeof report) =>
      result!.warnings.filter(({ code }) => code === 'receipt_missing').map(({ message }) => message);
    expect(missing(report)).toEqual(['1 line of TRAVEL has no receipt: 89.90 in all.']);
    await sent(A_PDF, { claimLineId: line.id });
    expect(missing(await run({ projectId }))).toEqual([]);
  });

  it('takes the tax of an item from its receipts instead of from the percentage of its rule', async () => {
    const { claimed, configuration, run, sent } = await openReceipts(working);
    const { projectId, line } = await claimed({ rules: [{ ...rule('ticket', 50), taxPercent: 7 }] });
    const { id: reportConfigurationId } = await configuration({
      projectId,
      outputOptions: { formats: ['json', 'xlsx', 'pdf'], detail: 'lines' },
    });
    await sent(A_PDF, { claimLineId: line.id, taxAmount: '10.00' });
    await sent(A_MAIL, { claimLineId: line.id, taxAmount: '4.35' });
    const { result } = await run({ projectId, reportConfigurationId });
    // Half of 14.35, and of the refund of 19.90 half of what 7 percent are in it.
    expect(result!.totals).toMatchObject({ claimable: '35.00', claimableTax: '6.52', claimableNet: '28.48' });
    expect(result!.controls.every(({ ok }) => ok)).toBe(true);
  });
});
