import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { FORGOTTEN, PERSONAL_FIELDS } from '../../../kernel/audit-actions.js';
import type { AuditEntry } from '../../../store/audit/audit-recorder.js';
import { commitmentOf } from '../audit-chain.js';
import type { AuditEvent } from '../audit-event.entity.js';

/** Of each place, the salt and the value. */
export type Opened = Record<string, readonly [salt: string, value: unknown]>;
type Shown = Pick<AuditEvent, 'actorName' | 'ipAddress' | 'changes'>;

/** An entry as the log holds it, and beside it what it says of each person. */
export type CommittedEntry = AuditEntry & Pick<AuditEvent, 'commitments'> & { readonly of: ReadonlyMap<string, Opened> };

/** Who a change may be about, and who may have made it. Not all of them are users. */
export function peopleOf({ personId, actorType, actorId, resourceType, resourceId }: AuditEntry) {
  const subject = resourceType === 'user' ? resourceId : null;
  // Of a sign-in that failed, the actor is the user who was named: it has no id.
  const actor = personId ?? (actorType === 'user' ? (actorId ?? subject) : null);
  return { actor, subject: subject ?? actor };
}

export function commit(entry: AuditEntry, isPerson: (id: string) => boolean): CommittedEntry {
  const of = new Map<string, Opened>();
  const [committed, commitments]: [AuditEntry, Record<string, string>] = [{ ...entry }, {}];
  const { actor, subject } = peopleOf(entry);
  const hide = (person: string | null, place: string, value: unknown): void => {
    if (person === null || !isPerson(person) || value === null || value === undefined) return;
    const salt = randomBytes(16).toString('hex');
    commitments[place] = commitmentOf(salt, value);
    of.set(person, { ...of.get(person), [place]: [salt, value] });
    show(committed, place, place === 'ipAddress' ? null : FORGOTTEN);
  };
  hide(actor, 'actor.name', entry.actorName);
  hide(actor, 'ipAddress', entry.ipAddress);
  for (const field of PERSONAL_FIELDS[entry.resourceType] ?? [])
    for (const side of ['from', 'to'] as const) hide(subject, `changes.${field}.${side}`, entry.changes[field]?.[side]);
  return { ...committed, commitments: of.size > 0 ? commitments : null, of };
}

export function show(row: Shown, place: string, value: unknown): void {
  const [, field, side] = place.split('.');
  if (place === 'actor.name') row.actorName = value as string;
  else if (place === 'ipAddress') row.ipAddress = value as string | null;
  else row.changes = { ...row.changes, [field!]: { ...row.changes[field!]!, [side!]: value } };
}

const CIPHER = 'aes-256-gcm';
const [IV, TAG] = [12, 16];
export const KEY_BYTES = 32;

export function sealUnder(key: Buffer, opened: Opened, eventId: string): Buffer {
  const iv = randomBytes(IV);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(eventId));
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(opened)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
}

export function openWith(key: Buffer, sealed: Buffer, eventId: string): Opened {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV)).setAAD(Buffer.from(eventId));
  decipher.setAuthTag(sealed.subarray(IV, IV + TAG));
  return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(IV + TAG)), decipher.final()]).toString('utf8')) as Opened;
}
