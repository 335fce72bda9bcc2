import { long, moment, type Effect } from './effects.js';
import { plainName, splitList } from './split-sql.js';
import { effectsOfAction } from './table-actions.js';

type Rule = readonly [statement: RegExp, effects: (found: RegExpExecArray, sql: string) => Effect[] | undefined];

const NAME = '([\\w".]+)';
const rule = (pattern: string, effects: Rule[1]): Rule => [new RegExp(`^${pattern}`, 'is'), effects];
const none = (): Effect[] => [];

const IN_BATCHES =
  'Change the rows in batches (… IN (SELECT … LIMIT 1000)) in a migration without a transaction, or in a job: ' +
  'rows stay locked until the end.';

/** The first rule that fits a statement tells its effects. Texts are left out of the statement. */
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

/** What a statement does, undefined if no rule knows it. */
export function effectsOf(statement: string): Effect[] | undefined {
  for (const [pattern, effects] of RULES) {
    const found = pattern.exec(statement);
    if (found) return effects(found, statement);
  }
  return undefined;
}

/** The table or index that a statement creates. */
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
