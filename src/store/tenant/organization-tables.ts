import { getMetadataArgsStorage } from 'typeorm';
import { snakeCase } from '../../kernel/text.js';
import { classChain } from '../database/sql.js';

// What entities say about themselves for the export and the erasure of an organization, and for the erasure of a person. Without a word of
// theirs, every table with an organization_id is exported and erased, and every column but those of bytes is exported.

/** Rows that belong to a record of another table, and are found by it. */
export interface Part {
  readonly column: string;
  /** The table of the record, and its column that `column` has the value of. */
  readonly of: string;
  readonly key: string;
}

type Entity = abstract new (...args: never[]) => object;

const parts = new Map<object, Part[]>();
const notExported = new Map<object, string>();
const notErased = new Map<object, string>();
const erasedBy = new Map<object, string>();
const notReset = new Map<object, string>();
const resetWhere = new Map<object, string>();
const people = new Map<object, PersonRule[]>();
const columns = { exported: new Map<object, Set<string>>(), left: new Map<object, Set<string>>() };

/** The rows belong to records of another table. For a table where no index finds the rows of an organization. */
export function PartOf(of: string, column: string, key = 'id'): ClassDecorator {
  return (target) => {
    parts.set(target, [...(parts.get(target) ?? []), { column, of, key }]);
  };
}

/** The table is not exported: `why` is for readers of the code. */
export const TableNotExported: (why: string) => ClassDecorator = saying(notExported);
/** The table is not erased: `why` is for readers of the code. */
export const TableNotErased: (why: string) => ClassDecorator = saying(notErased);

/**
 * The role of the service may not delete the rows. A function of a migration does: from a time on so many that it takes a moment. It
 * returns the time of the last of them, and null if there are none.
 */
export const TableErasedBy: (name: string) => ClassDecorator = saying(erasedBy);

/** A reset of the test environment leaves the rows: `why` is for readers of the code. Without it, all rows of the environment go. */
export const TableNotReset: (why: string) => ClassDecorator = saying(notReset);
/** It deletes those for which this holds, in SQL with `:organizationId` and `:environment`. */
export const ResetWhere: (condition: string) => ClassDecorator = saying(resetWhere);

/** What becomes of the rows that say who a user is, when the user is forgotten. */
export interface PersonRule {
  /** Finds the rows, in SQL with `:person`, `:email` and `:organizationId`. Without it, what they say is of nobody who uses the service. */
  readonly where?: string;
  /** What columns become, in SQL; `stays` instead says why columns stay as they are. With neither, the rows are deleted. */
  readonly set?: Readonly<Record<string, string>>;
  readonly stays?: { readonly columns: readonly string[]; readonly why: string };
}

export const PERSON = ':person::uuid';
/** What people write into it, or it is called, is the business of the organization. */
export const FREE_TEXT = 'What is written there freely is of the organization: look for the person in it.';

/** Of records with the name, and not the id, of who has changed them last. */
export const lastChangedBy = (resource: string): string => `id IN (SELECT resource_id FROM (
    SELECT DISTINCT ON (resource_id) resource_id, actor_id FROM audit_events
      WHERE organization_id = :organizationId AND action LIKE '${resource}.%' ORDER BY resource_id, sequence DESC
  ) last_change WHERE actor_id = (${PERSON})::text)`;

/** Rows that say who a user is are deleted, or columns of them changed. */
export const NamesPerson = (where: string, set?: PersonRule['set']): ClassDecorator => ruled({ where, ...(set && { set }) });

/** Columns that stay as they are. With `where`, rows that say who the user is are counted, and the operator is told of them. */
export const PersonStays = (columns: readonly string[], why = FREE_TEXT, where?: string): ClassDecorator =>
  ruled({ stays: { columns, why }, ...(where !== undefined && { where }) });

function ruled(rule: PersonRule): ClassDecorator {
  return (target) => void people.set(target, [...(people.get(target) ?? []), rule]);
}

/** The tables of entities that say something of people. */
export const tablesWithPeople = (): string[] =>
  getMetadataArgsStorage()
    .tables.filter(({ target }) => people.has(target as object))
    .map(({ name }) => name!)
    .sort();

/** The bytes of the column are content of the customer: they are exported, decrypted if they are encrypted. */
export const Exported = (): PropertyDecorator => note(columns.exported);

/** The column is a secret, or of no use to the customer. */
export const NotExported = (): PropertyDecorator => note(columns.left);

function saying(said: Map<object, string>): (text: string) => ClassDecorator {
  return (text) => (target) => void said.set(target, text);
}

function note(noted: Map<object, Set<string>>): PropertyDecorator {
  return (target, property) => {
    const known = noted.get(target.constructor) ?? new Set<string>();
    noted.set(target.constructor, known.add(snakeCase(String(property))));
  };
}

/** What the entity of a table says. Other tables, such as those of an extension in plain SQL, have none. */
export function saidOf(table: string) {
  const entity = getMetadataArgsStorage().tables.find(({ name }) => name === table)?.target as Entity | undefined;
  const classes = entity ? [...classChain(entity)] : [];
  const noted = (of: Map<object, Set<string>>): Set<string> => new Set(classes.flatMap((type) => [...(of.get(type) ?? [])]));
  return {
    parts: (entity && parts.get(entity)) ?? [],
    notExported: entity && notExported.get(entity),
    notErased: entity && notErased.get(entity),
    erasedBy: entity && erasedBy.get(entity),
    notReset: entity && notReset.get(entity),
    resetWhere: entity && resetWhere.get(entity),
    people: (entity && people.get(entity)) ?? [],
    exportedBytes: noted(columns.exported),
    leftOut: noted(columns.left),
  };
}
