import { long, moment, type Effect, type LockMode } from './effects.js';
import { plainName } from './split-sql.js';

/** Defaults that are one value for all rows, so that the rows need not be written. */
const ONE_VALUE = /^(?:now|transaction_timestamp|statement_timestamp|cast|array)$/i;

type Rule = readonly [action: RegExp, effect: (table: string, found: RegExpExecArray, action: string) => Effect[]];

const AE: LockMode = 'ACCESS EXCLUSIVE';
const REFUSES = 'The version before may write rows that this refuses.';
const exclusively =
  (breaks?: string) =>
  (table: string): Effect[] => [moment(table, AE, { breaks })];
const gently = (table: string): Effect[] => [moment(table, 'SHARE UPDATE EXCLUSIVE')];

const isNotValid = (action: string): boolean => /\bNOT VALID$/i.test(action);
const VALIDATE_LATER = 'Add the constraint as NOT VALID, and VALIDATE CONSTRAINT in a migration of its own.';

/** The first rule that fits an action of ALTER TABLE tells its effects. Texts are left out of the action. */
const RULES: readonly Rule[] = [
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

/** Undefined if no rule knows the action. */
export function effectsOfAction(table: string, action: string): Effect[] | undefined {
  for (const [pattern, effects] of RULES) {
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
