import { getMetadataArgsStorage } from 'typeorm';

const locked = new Set<object>();

/**
 * For the role of the service, Postgres shows of this table the rows of one organization alone: a second lock, should a statement ever
 * forget its condition. The migration that creates the policy is asked for by a law. Tables whose rows are found before it is known whose
 * they are, such as accounts, credentials and webhooks, have no use for one.
 */
export const LockedRows = (): ClassDecorator => (entity) => void locked.add(entity);

export const lockedTables = (): string[] =>
  getMetadataArgsStorage().tables.flatMap(({ target, name }) => (locked.has(target as object) ? [name!] : []));

/** The setting that the policies of these tables read: an id, or one of these. Without it, as in psql, they show all rows. */
export const SHOWN_SETTING = 'claims.organization';
const ALL = 'all';
/** What a connection begins with: it is no id, so a statement on these tables that does not say whose rows fails. */
export const SHOWS_NONE = 'none';

/** Until the transaction ends, or before the next Sync where there is none: so it leaves in one batch with the statement. */
export const SHOW = { name: 'show_organization', text: `SELECT set_config('${SHOWN_SETTING}', $1, true)` };

interface Declared {
  readonly name: string;
  readonly text: string;
  /** Whether it is on the rows of one organization. */
  readonly isOfOne: boolean;
  /** The place of the parameter that says of which, if the text does not say it as `organization_id = $1`. */
  readonly organizationAt: number | undefined;
}

const declared = new WeakMap<object, Declared>();
/** How the value of the setting is found. Looked for with the first call, when all tables are known. */
const found = new WeakMap<object, number | typeof ALL | 'needs none'>();

export const declareShown = (statement: object, how: Declared): void => void declared.set(statement, how);

/** The value of the setting for a call of a statement; undefined if it is on none of these tables. */
export function shownBy<Value>(statement: object, values: readonly Value[]): Value | typeof ALL | undefined {
  let shows = found.get(statement);
  if (shows === undefined) {
    shows = showsOf(declared.get(statement));
    found.set(statement, shows);
  }
  if (shows === 'needs none') return undefined;
  return shows === ALL ? shows : values[shows];
}

let onLocked: RegExp | undefined;

function showsOf(how: Declared | undefined) {
  onLocked ??= new RegExp(`\\b(?:${lockedTables().join('|')})\\b`);
  if (!how || !onLocked.test(how.text)) return 'needs none';
  if (!how.isOfOne) return ALL;
  const at = how.organizationAt ?? Number(/\borganization_id = \$(\d+)/.exec(how.text)?.[1] ?? 0) - 1;
  if (at < 0) throw new Error(`${how.name} is on a locked table and does not say of which organization.`);
  return at;
}
