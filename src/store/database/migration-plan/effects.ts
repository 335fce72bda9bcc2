/** The table locks of Postgres that statements of migrations take, from the weakest to the strongest. */
export type LockMode = 'ROW EXCLUSIVE' | 'SHARE UPDATE EXCLUSIVE' | 'SHARE' | 'SHARE ROW EXCLUSIVE' | 'ACCESS EXCLUSIVE';

/** What a statement does to one table. */
export interface Effect {
  /** The locked table, or the index, function or the like that the statement is about. */
  readonly table: string;
  /** Undefined if nobody waits for it. */
  readonly lock?: LockMode;
  /** Whether it reads or writes all rows. Otherwise it takes a moment. */
  readonly isLong: boolean;
  /** How to do it without blocking others, if this way does. */
  readonly instead?: string;
  /** Why the version before may fail once this is done. */
  readonly breaks?: string;
}

type Facts = Pick<Effect, 'instead' | 'breaks'>;

export const moment = (table: string, lock?: LockMode, facts: Facts = {}): Effect => ({ table, lock, isLong: false, ...facts });

export const long = (table: string, lock?: LockMode, facts: Facts = {}): Effect => ({ table, lock, isLong: true, ...facts });

const HARMLESS: readonly (LockMode | undefined)[] = [undefined, 'ROW EXCLUSIVE', 'SHARE UPDATE EXCLUSIVE'];

/** Whether others can neither write to the table, nor with the strongest lock read it. */
export const blocksOthers = ({ lock }: Effect): boolean => !HARMLESS.includes(lock);
