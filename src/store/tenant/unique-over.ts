import { Index } from 'typeorm';
import { formatMoney, moneyOf } from '../../kernel/money.js';
import { digestOf, foldText } from '../../kernel/text.js';
import { type TenantRow, TextColumn } from '../database/columns.js';
import { entityColumns } from '../database/sql.js';

interface Declaration {
  readonly index: string;
  readonly fields: readonly string[];
  /** What one record is called: "project". */
  readonly noun: string;
  /** Texts that count as equal only letter by letter. In others neither case nor spelling matters. */
  readonly exact?: readonly string[];
  /** A missing value is equal to another. Without this, a record that lacks one of the values is compared with none. */
  readonly nullsAreEqual?: boolean;
  /** The property that has the digest of the values, for a second rule about the same records. */
  readonly key?: string;
}

type Value = string | number | boolean | null | undefined;
type Values = Readonly<Record<string, Value>>;

/** No two records of a tenant have the same values in the fields. */
export interface UniqueRule {
  readonly index: string;
  readonly fields: readonly string[];
  readonly noun: string;
  readonly key: string;
  readonly keyOf: (row: object) => string | null;
}

const declared = new Map<object, Required<Declaration>[]>();

/**
 * Declares at an entity that no two of its records in a tenant have the same values in these fields, of any number. Column and index
 * are declared with it: the column of the `key`, which has a digest because entries of indexes are limited in size, and a unique index
 * over organization, environment and that column, which decides, also between concurrent calls.
 */
export function UniqueOver(index: string, fields: readonly string[], options: Omit<Declaration, 'index' | 'fields'>): ClassDecorator {
  const { noun, exact = [], nullsAreEqual = false, key = 'uniqueKey' } = options;
  return (entity) => {
    TextColumn({ select: false, nullable: !nullsAreEqual })(entity.prototype as object, key);
    Index(index, ['organizationId', 'environment', key], { unique: true })(entity);
    declared.set(entity, [...(declared.get(entity) ?? []), { index, fields, noun, exact, nullsAreEqual, key }]);
  };
}

/** Times are left out: they are rounded when they are stored. */
const COMPARED = ['text', 'uuid', 'date', 'numeric', 'integer', 'bigint', 'boolean'];

export function uniqueRulesOf(entity: new () => TenantRow): UniqueRule[] {
  const { tableName, columns } = entityColumns(entity);
  return (declared.get(entity) ?? []).map(({ index, fields, noun, exact, nullsAreEqual, key }) => {
    const parts = fields.map((field) => {
      const column = columns.find(({ property }) => property === field);
      if (!column || !COMPARED.includes(column.type)) throw new Error(`Records of ${tableName} cannot be unique over ${field}.`);
      return [field, column.type === 'text' && !exact.includes(field) ? 'spelt' : column.type] as const;
    });
    const keyOf = (row: object): string | null => {
      const values = parts.map(([field, type]) => partOf((row as Values)[field], type, `${tableName}.${field}`));
      return nullsAreEqual || !values.includes(null) ? digestOf(...values) : null;
    };
    return { index, fields, noun, key, keyOf };
  });
}

/** For a migration that declares a rule for rows that are there already: what their columns of the keys have, by property. */
export const uniqueKeysOf = (entity: new () => TenantRow, row: object): Record<string, string | null> => keysBy(uniqueRulesOf(entity), row);

export const keysBy = (rules: readonly UniqueRule[], row: object): Record<string, string | null> =>
  Object.fromEntries(rules.map(({ key, keyOf }) => [key, keyOf(row)]));

function partOf(value: Value, type: string, name: string): string | null {
  if (value === null) return null;
  if (value === undefined) throw new Error(`${name} was not given, and records are unique over it.`);
  const text = String(value);
  if (type === 'spelt') return foldText(text);
  // 12.5 and 12.50 are the same.
  return type === 'numeric' ? formatMoney(moneyOf(text), 0) : text;
}
