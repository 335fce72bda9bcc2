import { Readable } from 'node:stream';
import { withoutFormulas } from '../../../kernel/formula.js';
import type { AuditEventDto } from '../audit.dto.js';

export const FILE_FORMATS = ['jsonl', 'csv'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const MEDIA_TYPES: Record<FileFormat, string> = { jsonl: 'application/jsonl', csv: 'text/csv; charset=utf-8' };

/** The columns of a CSV, with what stands in them. */
const COLUMNS: Readonly<Record<string, (event: AuditEventDto) => string | number | null>> = {
  sequence: ({ sequence }) => sequence,
  createdAt: ({ createdAt }) => createdAt,
  occurredAt: ({ occurredAt }) => occurredAt,
  environment: ({ environment }) => environment,
  action: ({ action }) => action,
  actorType: ({ actor }) => actor.type,
  actorId: ({ actor }) => actor.id,
  actorName: ({ actor }) => actor.name,
  resourceType: ({ resource }) => resource.type,
  resourceId: ({ resource }) => resource.id,
  ipAddress: ({ ipAddress }) => ipAddress,
  requestId: ({ requestId }) => requestId,
  changes: ({ changes }) => JSON.stringify(changes),
  id: ({ id }) => id,
  hash: ({ hash }) => hash,
};

/** Without it, Excel reads UTF-8 as the code page of the machine. */
const BYTE_ORDER_MARK = '\ufeff';

/** Events as a file, which is written while it is sent. JSON Lines have each event as the API returns it, so they can be verified. */
export const fileOf = (events: AsyncIterable<readonly AuditEventDto[]>, format: FileFormat): Readable =>
  Readable.from(format === 'csv' ? csv(events) : jsonLines(events));

async function* jsonLines(pages: AsyncIterable<readonly AuditEventDto[]>): AsyncGenerator<string> {
  for await (const events of pages) yield events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

async function* csv(pages: AsyncIterable<readonly AuditEventDto[]>): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${Object.keys(COLUMNS).join(',')}\r\n`;
  for await (const events of pages) yield events.map(rowOf).join('');
}

function rowOf(event: AuditEventDto): string {
  const fields = Object.values(COLUMNS).map((valueIn) => fieldOf(String(valueIn(event) ?? '')));
  return `${fields.join(',')}\r\n`;
}

function fieldOf(value: string): string {
  const text = withoutFormulas(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
