import { expect } from 'vitest';
import type { AuditEventCursorDto, AuditEventDto, AuditEventPageDto } from '../../src/modules/audit/audit.dto.js';
import { SealingService } from '../../src/modules/audit/sealing.service.js';
import { type AuditAction, AuditRecorder } from '../../src/store/audit/audit-recorder.js';
import type { Changes } from '../../src/kernel/changes.js';
import { Clock } from '../../src/kernel/time.js';
import { DatabaseClock } from '../../src/store/database/database-clock.js';
import type { ActorType, Environment } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import { UnitOfWork } from '../../src/store/database/unit-of-work.js';
import type { TestApp } from './app.js';
import type { Client } from './client.js';

export type Query = Readonly<Record<string, string | number>>;
export type AuditRow = AuditEventDto;

const PATH = '/v1/audit/events';

/** The path of a page of the log, with encoded parameters. */
export const auditPath = (query: Query = {}): string =>
  `${PATH}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()}`;

export async function auditPage(api: Client, query: Query = {}): Promise<AuditEventPageDto> {
  const { status, text, body } = await api.get(auditPath(query));
  expect(status, text).toBe(200);
  return body as AuditEventPageDto;
}

/** The query for the next page. */
export function afterCursor(cursor: AuditEventCursorDto | null): Query {
  return cursor === null ? {} : { cursor_created_at: cursor.cursorCreatedAt, cursor_id: cursor.cursorId };
}

/** All pages from a cursor to the end. */
export async function auditPages(api: Client, query: Query = {}, from: AuditEventCursorDto | null = null): Promise<AuditEventPageDto[]> {
  const pages = [await auditPage(api, { ...query, ...afterCursor(from) })];
  while (pages.at(-1)!.hasMore) pages.push(await auditPage(api, { ...query, ...afterCursor(pages.at(-1)!.nextCursor) }));
  return pages;
}

export const rowsOfPages = (pages: readonly AuditEventPageDto[]): AuditRow[] => pages.flatMap(({ data }) => data);

/** The whole log as a client sees it. */
export async function wholeLog(api: Client, query: Query = {}): Promise<AuditRow[]> {
  return rowsOfPages(await auditPages(api, { limit: 500, ...query }));
}

interface WantedEntry {
  readonly action: string;
  readonly actorType: ActorType;
  readonly environment: Environment | null;
  readonly changes: Changes;
}

/** Writes an audit entry, as a change would. */
export async function anEntry({ app }: TestApp, organizationId: string, wanted: Partial<WantedEntry> = {}): Promise<void> {
  const {
    action = 'claim_project.updated',
    actorType = 'api',
    environment = 'live',
    changes = { name: { from: 'Berlin', to: 'Hamburg' } },
  } = wanted;
  const ctx = {
    organizationId,
    environment,
    actor: { type: actorType, id: newId(), name: 'Month-end sync' },
    requestId: newId(),
    ipAddress: '203.0.113.7',
    emits: [],
  };
  await app
    .get(UnitOfWork)
    .run(ctx, (inner) =>
      Promise.resolve(app.get(AuditRecorder).record(inner, { action: action as AuditAction, resourceId: newId(), changes })),
    );
}

/** Writes an audit entry and seals it, so each has its own createdAt. */
export async function aSealedEntry(app: TestApp, organizationId: string, wanted: Partial<WantedEntry> = {}): Promise<void> {
  await anEntry(app, organizationId, wanted);
  await app.app.get(SealingService).sealOrganization(organizationId);
}

/** A new organization id with a log of this many rows. */
export async function aLog(app: TestApp, rows: number): Promise<string> {
  const organizationId = newId();
  for (let count = 1; count <= rows; count += 1)
    await aSealedEntry(app, organizationId, { changes: { name: { from: `Name ${count - 1}`, to: `Name ${count}` } } });
  return organizationId;
}

/** Sets the clocks of the application, its machine's and its database's, while a function runs. */
export async function atTime<T>({ app }: TestApp, time: string, run: () => Promise<T>): Promise<T> {
  const clocks: { now?: () => Date }[] = [app.get(Clock), app.get(DatabaseClock)];
  for (const clock of clocks) clock.now = () => new Date(time);
  try {
    return await run();
  } finally {
    for (const clock of clocks) delete clock.now;
  }
}
