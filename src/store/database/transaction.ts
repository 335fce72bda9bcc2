import type pg from 'pg';
import type { ChangeContext, Tenant } from '../../kernel/context.js';
import type { LastWrite } from './last-writes.js';

/** An open transaction, and what it writes at its end. */
export interface Unit {
  readonly client: pg.PoolClient;
  /** Collected while the work runs: events, audit rows, the remembered answer. */
  readonly lastWrites: LastWrite[];
  /** Called after the commit: wake-ups. Any earlier, and a worker would find nothing yet. */
  readonly afterCommit: (() => void)[];
}

/** A context inside a transaction. Writes ask for one, so a write outside a transaction does not compile. */
export type InTransaction<C extends ChangeContext> = C & { readonly unit: Unit };

/** What a read asks for: whose rows, and the open transaction if there is one. */
export type ReadContext = Tenant & { readonly unit?: Unit };

/** What a write asks for. */
export type WriteContext = InTransaction<ChangeContext & Tenant>;
