import type { AuditAction } from './audit-actions.js';
import type { Permission } from './permissions.js';

export interface EventDeclaration {
  /** `claim_project.created`: the resource and what happened to it. Also the action of its audit row. */
  readonly kind: string;
  /** Other actions that its audit row may have, because they say more. */
  readonly actions?: readonly AuditAction[];
  readonly status: 'emitted' | 'planned' | 'test';
  readonly summary: string;
  /** The record as REST returns it; for a deletion, the record as it was. null for a planned event whose data is not settled. */
  readonly data: (new (...args: never[]) => unknown) | null;
  /** Who may read the record, and so be given the event. Left out: those who may call a GET that returns `data`. */
  readonly read?: Permission;
  /** Where the record is, by its id. Receivers fetch it from there if it is too large to be sent. */
  readonly collection?: string;
  /** What is otherwise in the example of this event than in that of its record. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** In an example: a field that may be null has a value. */
export const FILLED = Symbol('filled');
const kinds = new Map<string, EventDeclaration>();

/** Declares an event; a kind is declared once in the whole program. The error has it, so that its two owners can be found. */
export function declareEvent(event: EventDeclaration): EventDeclaration {
  if (kinds.has(event.kind)) throw Object.assign(new Error(`The event ${event.kind} is declared twice.`), { eventKind: event.kind });
  kinds.set(event.kind, event);
  return event;
}

export function isDeclared(event: EventDeclaration | undefined): event is EventDeclaration {
  return event !== undefined && kinds.get(event.kind) === event;
}

export const eventOf = (kind: string): EventDeclaration | undefined => kinds.get(kind);
export const declaredEvents = (): EventDeclaration[] => [...kinds.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));

/** The kinds that can be subscribed to: also planned ones, so that clients are ready before they are emitted. */
export const subscribableKinds = (): string[] =>
  declaredEvents()
    .filter(({ status }) => status !== 'test')
    .map(({ kind }) => kind);
