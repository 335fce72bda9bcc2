import type { PageContext } from '../../../api/console/page.js';
import { ACTOR_TYPES } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { isCalendarDate, utcTime } from '../../../kernel/time.js';
import type { ChainHead } from '../audit-chain.js';
import type { WantedEvents } from '../audit.service.js';
import type { AuditPosition } from '../audit.repository.js';

const ACTION_MAX = 120;
const DAY_MS = 86_400_000;

/** The filters of the log, by the names of their fields: in an address, or in the form of an export. What makes no sense is left out. */
export function wantedIn(valueOf: (name: string) => string | null): WantedEvents {
  const day = (name: string): string | undefined => [valueOf(name) ?? ''].find(isCalendarDate);
  const [since, until] = [day('since'), day('until')];
  return {
    since: since && `${since}T00:00:00.000Z`,
    // The day that is named is part of what is shown.
    until: until && until < '9999-12-31' ? new Date(Date.parse(until) + DAY_MS).toISOString() : undefined,
    actionPrefix: valueOf('action')?.trim().slice(0, ACTION_MAX) || undefined,
    actorType: ACTOR_TYPES.find((type) => type === valueOf('actor')),
  };
}

/** Where a page begins: after the last event of the page before. */
export const positionIn = ({ query }: Pick<PageContext, 'query'>): AuditPosition | undefined => readPosition(query.get('before') ?? '');

export function readPosition(text: string): AuditPosition | undefined {
  const [time = '', id = ''] = text.split('_');
  const createdAt = utcTime(time);
  return createdAt !== undefined && isUuid(id) ? { createdAt, id } : undefined;
}

export const writtenPosition = ({ createdAt, id }: AuditPosition): string => `${createdAt}_${id}`;
export const writtenHead = ({ sequence, hash }: ChainHead): string => `${sequence}:${hash}`;

export function headIn(text: string): ChainHead | undefined {
  if (text.trim() === '') return undefined;
  const match = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim());
  if (!match)
    throw Problem.invalidField('head', 'not_allowed', 'must be a head as an earlier check showed it: a number, a colon and 64 hex digits');
  return { sequence: Number(match[1]), hash: match[2]! };
}
