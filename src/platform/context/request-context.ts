import type { EventDeclaration } from '../events/declare-event.js';
import type { Operation } from '../operation/operation.js';
import type { Unit } from '../database/unit-of-work.js';
import type { Principal } from '../access/principal.js';

export const ENVIRONMENTS = ['test', 'live'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Whose rows: no read or write of a tenant's table exists without these two. */
export interface Tenant {
  readonly organizationId: string;
  readonly environment: Environment;
}

export const ACTOR_TYPES = ['user', 'system', 'api'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

export interface Actor {
  readonly type: ActorType;
  readonly id: string | null;
  readonly name: string;
}

/** Who does something, to which organization: what every change needs to know. */
export interface ChangeContext {
  readonly organizationId: string;
  /** null: what is done concerns the organization as a whole. */
  readonly environment: Environment | null;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly ipAddress: string | null;
  /** The events that may be appended: those the operation or job declared. */
  readonly emits: readonly EventDeclaration[];
  /** The open transaction, inside UnitOfWork.run. */
  readonly unit?: Unit;
}

/** A context inside a transaction: what a write asks for, so that one outside does not compile. */
export type InTransaction<C extends ChangeContext> = C & { readonly unit: Unit };

/** What a read asks for. */
export type ReadContext = Tenant & { readonly unit?: Unit };

/** What a write asks for: it does not compile outside a transaction. */
export type WriteContext = InTransaction<ChangeContext & Tenant>;

/** A call of the API: the context of its operation's handler. */
export interface RequestContext extends ChangeContext, Tenant {
  readonly environment: Environment;
  readonly requestId: string;
  readonly principal: Principal;
  readonly operation: Operation;
}
