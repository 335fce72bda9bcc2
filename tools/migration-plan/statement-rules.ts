import { plainName, splitList } from './split-sql.js';

/** The table locks of Postgres that statements of migrations take, from the weakest to the strongest. */
type LockMode = 'ROW EXCLUSIVE' | 'SHARE UPDATE EXCLUSIVE' | 'SHARE' | 'SHARE ROW EXCLUSIVE' | 'ACCESS EXCLUSIVE';

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

const moment = (table: string, lock?: LockMode, facts: Facts = {}): Effect => ({ table, lock, isLong: false, ...facts });
const long = (table: string, lock?: LockMode, facts: Facts = {}): Effect => ({ table, lock, isLong: true, ...facts });

const HARMLESS: readonly (LockMode | undefined)[] = [undefined, 'ROW EXCLUSIVE', 'SHARE UPDATE EXCLUSIVE'];

/** Whether others can neither write to the table, nor with the strongest lock read it. */
export const blocksOthers = ({ lock }: Effect): boolean => !HARMLESS.includes(lock);

/** Defaults that are one value for all rows, so that the rows need not be written. */
const ONE_VALUE = /^(?:now|transaction_timestamp|statement_timestamp|cast|array)$/i;

type ActionRule = readonly [action: RegExp, effect: (table: string, found: RegExpExecArray, action: string) => Effect[]];

const AE: LockMode = 'ACCESS EXCLUSIVE';
const REFUSES = 'The version before may write rows that this refuses.';
const exclusively =
  (breaks?: string) =>
  (table: string): Effect[] => [moment(table, AE, { breaks })];
const gently = (table: string): Effect[] => [moment(table, 'SHARE UPDATE EXCLUSIVE')];
const isNotValid = (action: string): boolean => /\bNOT VALID$/i.test(action);
const VALIDATE_LATER = 'Add the constraint as NOT VALID, and VALIDATE CONSTRAINT in a migration of its own.';

/** The first rule that fits an action of ALTER TABLE tells its effects. Texts are left out of the action. */
const ACTION_RULES: readonly ActionRule[] = [
  [/^ADD (?:CONSTRAINT \S+ )?(?:PRIMARY KEY|UNIQUE) USING INDEX\b/i, exclusively()],
  [/^ADD (?:CONSTRAINT \S+ )?(?:PRIMARY KEY|UNIQUE|EXCLUDE)\b/i, buildsIndex],
  [/^ADD (?:CONSTRAINT \S+ )?CHECK\b/i, addsCheck],
  [/^ADD (?:CONSTRAINT \S+ )?FOREIGN KEY\b.*\bREFERENCES ([\w".]+)/i, addsForeignKey],
  [/^ADD (?!CONSTRAINT\b|NOT NULL\b)(?:COLUMN )?(?:IF NOT EXISTS )?\S+ (.+)$/i, (table, [, column]) => [addsColumn(table, column!)]],
  [/^VALIDATE CONSTRAINT /i, (table) => [long(table, 'SHARE UPDATE EXCLUSIVE')]],
  [/^DROP CONSTRAINT /i, exclusively('The version before may name it in ON CONFLICT.')],
  [/^DROP (?:COLUMN )?/i, exclusively('The version before reads and writes this column.')],
  [/^RENAME CONSTRAINT /i, exclusively('The version before may name it in ON CONFLICT.')],
  [/^RENAME /i, exclusively('The version before uses the old name.')],
  [/^ALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE /i, changesType],
  [/^ALTER (?:COLUMN )?\S+ SET NOT NULL$/i, requiresValue],
  [/^ALTER (?:COLUMN )?\S+ DROP NOT NULL$/i, exclusively('The version before may not expect to read NULL.')],
  [/^ALTER (?:COLUMN )?\S+ SET DEFAULT /i, exclusively()],
  [/^ALTER (?:COLUMN )?\S+ DROP DEFAULT$/i, exclusively('The version before may leave the value to the default.')],
  [/^ALTER (?:COLUMN )?\S+ (?:SET|RESET) (?:STATISTICS |\()/i, gently],
  [/^ALTER (?:COLUMN )?\S+ SET (?:STORAGE|COMPRESSION) /i, exclusively()],
  [/^ATTACH PARTITION /i, attachesPartition],
  [/^(?:SET|RESET) \(/i, gently],
  [/^(?:OWNER TO|REPLICA IDENTITY) /i, exclusively()],
  [/^(?:ENABLE|FORCE) ROW LEVEL SECURITY$/i, exclusively('The version before does not say whose rows it works on.')],
  [/^(?:DISABLE|NO FORCE) ROW LEVEL SECURITY$/i, exclusively()],
];

function effectsOfAction(table: string, action: string): Effect[] | undefined {
  for (const [pattern, effects] of ACTION_RULES) {
    const found = pattern.exec(action);
    if (found) return effects(table, found, action);
  }
  return undefined;
}

function buildsIndex(table: string): Effect[] {
  const instead = 'CREATE UNIQUE INDEX CONCURRENTLY in a migration without a transaction, then ADD CONSTRAINT … USING INDEX.';
  return [long(table, AE, { instead, breaks: REFUSES })];
}

function addsCheck(table: string, _found: RegExpExecArray, action: string): Effect[] {
  if (isNotValid(action)) return [moment(table, AE, { breaks: REFUSES })];
  return [long(table, AE, { instead: VALIDATE_LATER, breaks: REFUSES })];
}

function addsForeignKey(table: string, [, other]: RegExpExecArray, action: string): Effect[] {
  const tables = [table, plainName(other!)];
  if (isNotValid(action)) return tables.map((name) => moment(name, 'SHARE ROW EXCLUSIVE', { breaks: REFUSES }));
  return tables.map((name) => long(name, 'SHARE ROW EXCLUSIVE', { instead: VALIDATE_LATER, breaks: REFUSES }));
}

/** `column` is what follows the name: type, default and constraints. */
function addsColumn(table: string, column: string): Effect {
  if (/\bGENERATED\b|^(?:small|big)?serial\b/i.test(column))
    return long(table, AE, { instead: 'Add an ordinary column, and let the program fill it.' });
  if (/\b(?:PRIMARY KEY|UNIQUE|CHECK|REFERENCES)\b/i.test(column))
    return long(table, AE, { instead: 'Add the column alone, and then the constraint with a statement of its own.' });
  const [, value] = /\bDEFAULT (.+)$/i.exec(column) ?? [];
  if (value !== undefined && callsFunction(value))
    return long(table, AE, { instead: 'Add the column without a default, then SET DEFAULT, and fill the rows in batches.' });
  const isMissed = /\bNOT NULL\b/i.test(column) && value === undefined;
  return moment(table, AE, isMissed ? { breaks: 'The version before inserts rows without this column: give it a default.' } : {});
}

function callsFunction(value: string): boolean {
  const called = [...value.matchAll(/(?<!::)\b(\w+) ?\(/g)].map(([, name]) => name!);
  return called.some((name) => !ONE_VALUE.test(name));
}

function changesType(table: string): Effect[] {
  const instead = 'Add a column of the new type, write both, fill it in batches, and drop the old one in a later release.';
  return [long(table, AE, { instead, breaks: 'The version before writes values of the old type.' })];
}

function requiresValue(table: string): Effect[] {
  const instead = 'ADD CONSTRAINT … CHECK (… IS NOT NULL) NOT VALID, VALIDATE it in a second migration, and SET NOT NULL in a third.';
  return [long(table, AE, { instead, breaks: 'The version before may write NULL.' })];
}

function attachesPartition(table: string): Effect[] {
  const instead = 'SELECT create_partition(…), which bounds how many rows it looks at.';
  return [moment(table, 'SHARE UPDATE EXCLUSIVE'), long(`the default partition of ${table}`, AE, { instead })];
}

type Rule = readonly [statement: RegExp, effects: (found: RegExpExecArray, sql: string) => Effect[] | undefined];

const NAME = '([\\w".]+)';
const rule = (pattern: string, effects: Rule[1]): Rule => [new RegExp(`^${pattern}`, 'is'), effects];
const none = (): Effect[] => [];

const IN_BATCHES =
  'Change the rows in batches (… IN (SELECT … LIMIT 1000)) in a migration without a transaction, or in a job: ' +
  'rows stay locked until the end.';

const RULES: readonly Rule[] = [
  rule(`ALTER TABLE (?:IF EXISTS )?(?:ONLY )?${NAME} (.+)$`, altersTable),
  rule(`CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?${NAME} PARTITION OF ${NAME}`, createsPartition),
  rule('CREATE (?:UNLOGGED )?TABLE ', (_found, sql) => referenced(sql).map((table) => moment(table, 'SHARE ROW EXCLUSIVE'))),
  rule(`CREATE (UNIQUE )?INDEX (CONCURRENTLY )?(IF NOT EXISTS )?(?:${NAME} )?ON (ONLY )?${NAME}`, createsIndex),
  rule(`DROP INDEX (CONCURRENTLY )?(?:IF EXISTS )?(.+?)(?: CASCADE| RESTRICT)?$`, dropsIndexes),
  rule('DROP TABLE (?:IF EXISTS )?(.+?)(?: CASCADE| RESTRICT)?$', ([, list]) => lost(list!, 'The version before uses this table.')),
  rule('TRUNCATE (?:TABLE )?(?:ONLY )?(.+?)(?: CASCADE| RESTRICT)?$', ([, list]) => lost(list!, 'The version before uses these rows.')),
  rule(`ALTER INDEX (?:IF EXISTS )?${NAME} `, ([, index]) => [moment(plainName(index!), 'SHARE UPDATE EXCLUSIVE')]),
  rule(`CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER .+? ON ${NAME}`, ([, table]) => [moment(plainName(table!), 'SHARE ROW EXCLUSIVE')]),
  rule(`CREATE POLICY \\S+ ON ${NAME}`, ([, table]) => [moment(plainName(table!), 'ACCESS EXCLUSIVE')]),
  rule(`DROP (?:TRIGGER|POLICY) (?:IF EXISTS )?\\S+ ON ${NAME}`, ([, table]) => lost(table!, 'The version before may rely on it.')),
  rule(`DROP (?:FUNCTION|TYPE|EXTENSION|VIEW|SEQUENCE|SCHEMA) (?:IF EXISTS )?${NAME}`, ([, name]) => [
    moment(plainName(name!), undefined, { breaks: 'The version before may use it.' }),
  ]),
  rule(`UPDATE (?:ONLY )?${NAME} `, changesRows),
  rule(`DELETE FROM (?:ONLY )?${NAME}`, changesRows),
  rule(`INSERT INTO ${NAME}`, ([, table], sql) => [(/\bSELECT\b/i.test(sql) ? long : moment)(plainName(table!), 'ROW EXCLUSIVE')]),
  rule('CREATE (?:OR REPLACE )?(?:FUNCTION|EXTENSION|TYPE|SEQUENCE|SCHEMA|VIEW) ', none),
  rule(`COMMENT ON (?:TABLE|COLUMN) ${NAME}`, commentsOn),
  rule('(?:COMMENT ON|GRANT|REVOKE|SET|RESET|ANALYZE|ALTER DEFAULT PRIVILEGES|SELECT) ', none),
];

export function effectsOf(statement: string): Effect[] | undefined {
  for (const [pattern, effects] of RULES) {
    const found = pattern.exec(statement);
    if (found) return effects(found, statement);
  }
  return undefined;
}

export function createdBy(statement: string): string | undefined {
  const pattern = new RegExp(`^CREATE (?:UNLOGGED |UNIQUE )?(?:TABLE|INDEX) (?:CONCURRENTLY )?(?:IF NOT EXISTS )?${NAME}`, 'i');
  const [, name] = pattern.exec(statement) ?? [];
  return name && plainName(name);
}

function altersTable([, name, actions]: RegExpExecArray): Effect[] | undefined {
  const found = splitList(actions!).map((action) => effectsOfAction(plainName(name!), action));
  return found.every((effects) => effects !== undefined) ? found.flat() : undefined;
}

const referenced = (sql: string): string[] =>
  [...sql.matchAll(new RegExp(`\\bREFERENCES ${NAME}`, 'gi'))].map(([, table]) => plainName(table!));

function createsPartition([, , parent]: RegExpExecArray): Effect[] {
  const instead = 'SELECT create_partition(…), which takes a weaker lock and bounds how many rows it looks at.';
  return [long(plainName(parent!), 'ACCESS EXCLUSIVE', { instead })];
}

function createsIndex([, unique, concurrently, ifMissing, , only, name]: RegExpExecArray): Effect[] {
  const table = plainName(name!);
  const breaks = unique && 'The version before may write rows that the index refuses.';
  if (concurrently) {
    const instead = ifMissing && 'DROP INDEX CONCURRENTLY IF EXISTS first: what an interrupted build left is invalid, but exists.';
    return [long(table, 'SHARE UPDATE EXCLUSIVE', { instead, breaks })];
  }
  // Of a partitioned table: the indexes of its partitions are built beforehand, and attached.
  if (only) return [moment(table, 'SHARE', { breaks })];
  const instead =
    'CREATE INDEX CONCURRENTLY in a migration without a transaction. ' +
    'For a partitioned table: on each partition, then ON ONLY the table, then ALTER INDEX … ATTACH PARTITION.';
  return [long(table, 'SHARE', { instead, breaks })];
}

function dropsIndexes([, concurrently, list]: RegExpExecArray): Effect[] {
  const breaks = 'The version before may need it for its queries, or for ON CONFLICT.';
  const lock = concurrently ? 'SHARE UPDATE EXCLUSIVE' : 'ACCESS EXCLUSIVE';
  return splitList(list!).map((index) => moment(plainName(index), lock, { breaks }));
}

const lost = (list: string, breaks: string): Effect[] =>
  splitList(list).map((table) => moment(plainName(table), 'ACCESS EXCLUSIVE', { breaks }));

function changesRows([, name]: RegExpExecArray, sql: string): Effect[] {
  const table = plainName(name!);
  if (/\bLIMIT\b/i.test(sql)) return [moment(table, 'ROW EXCLUSIVE')];
  return [long(table, 'ROW EXCLUSIVE', { instead: IN_BATCHES })];
}

function commentsOn([about, name]: RegExpExecArray): Effect[] {
  // A column has the name of its table before it.
  const table = /^COMMENT ON COLUMN/i.test(about) ? name!.split('.').slice(0, -1).join('.') : name!;
  return [moment(plainName(table), 'SHARE UPDATE EXCLUSIVE')];
}
