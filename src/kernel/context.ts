import type { EventDeclaration } from './declare-event.js';
import type { Trace } from './trace.js';

export const ENVIRONMENTS = ['test', 'live'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Whose rows: nothing reads or writes a tenant's table without these two. */
export interface Tenant {
  readonly organizationId: string;
  readonly environment: Environment;
  /** The only claim projects whose records are reached; left out: all. */
  readonly projects?: readonly string[] | undefined;
}

export const ACTOR_TYPES = ['user', 'system', 'api'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

/** Who makes a change, as the audit log names them. */
export interface Actor {
  readonly type: ActorType;
  readonly id: string | null;
  readonly name: string;
  /** Whose name that is, where the id is not theirs: of a link, the user who made it. */
  readonly person?: string | null | undefined;
  /** The request by which they do it, where there is one. */
  readonly call?: { readonly requestId: string; readonly ipAddress: string };
}

/** The operator at the command line. */
export const OPERATOR: Actor = { type: 'system', id: null, name: 'claims command' };

/** Who changes something, and in which organization. Every change carries one. */
export interface ChangeContext {
  readonly organizationId: string;
  /** null: the change concerns the organization as a whole. */
  readonly environment: Environment | null;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly ipAddress: string | null;
  /** The events that may be appended: those that the operation or job declared. */
  readonly emits: readonly EventDeclaration[];
  readonly trace?: Trace | undefined;
  /** A step of a move, or the end of what a worker had begun before: all else is refused while an organization moves. */
  readonly isMove?: boolean;
  /** The test environment is emptied: what else is written there waits until that is done. */
  readonly isReset?: boolean;
}

/** The context of a change that no API call makes: an operator's, a user's on a page, or a job's. */
export function changeContext(organizationId: string, actor: Actor, environment: Environment | null = null): ChangeContext {
  const { requestId = null, ipAddress = null } = actor.call ?? {};
  return { organizationId, environment, actor, requestId, ipAddress, emits: [] };
}
