import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import type { TestApp } from './app.js';
import { openClosings } from './closings.js';
import { rule } from './reports.js';

export const RECEIPTS = '/v1/receipts';
export const A_PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n');
export const A_MAIL = Buffer.from(
  'From: shop@example.com\r\nDate: Thu, 15 Jan 2026 09:00:00 +0000\r\nSubject: Invoice\r\n\r\nEUR 12.50\r\n',
);

export interface ReceiptShown {
  readonly id: string;
  readonly fileName: string;
  readonly sha256: string;
  readonly status: string;
  readonly taxAmount: string | null;
}

export const sha256Of = (file: Uint8Array): string => createHash('sha256').update(file).digest('hex');

const nameFor = (file: Uint8Array): string => (file === A_MAIL ? 'mail.eml' : file[0] === 0xff ? 'photo.jpg' : 'invoice.pdf');

/** An organization with a project, a statement with tickets, and a run whose lines can have receipts. */
export async function openReceipts(app: TestApp) {
  const open = await openClosings(app);
  const { key, project, taken, category, run, api } = open;
  /** Sends a file as a form does. */
  const send = async (file: Uint8Array, fields: Record<string, string>, fileName = nameFor(file)) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append('file', new Blob([Uint8Array.from(file)]), fileName);
    const headers = { 'X-API-Key': key, 'Idempotency-Key': newId() };
    const answer = await fetch(`${app.url}${RECEIPTS}`, { method: 'POST', headers, body });
    const text = await answer.text();
    return { status: answer.status, text, body: JSON.parse(text) as ReceiptShown & { readonly errors: readonly object[] } };
  };
  const sent = async (...wanted: Parameters<typeof send>): Promise<ReceiptShown> => {
    const { status, text, body } = await send(...wanted);
    expect(status, text).toBe(201);
    return body;
  };
  const linesOf = async (reportId: string) =>
    (await api.get(`/v1/claim-reports/${reportId}/lines?page_size=200`)).body.data as { id: string; amount: string; outcome: string }[];
  /** A project whose statement has a ticket, and the line of its run. */
  const claimed = async (mapping: object = {}) => {
    const { id: projectId } = await project();
    const statement = await taken({ projectId });
    const { id: categoryId } = await category('TRAVEL', [], { projectId, sourceMapping: { rules: [rule('ticket')], ...mapping } });
    const report = await run({ projectId });
    expect(report.status).toBe('succeeded');
    const lines = await linesOf(report.id);
    const line = lines.find(({ outcome }) => outcome === 'claimed')!;
    return { projectId, statement, categoryId, report, lines, line };
  };
  return { ...open, send, sent, linesOf, claimed };
}
