import { getMetadataArgsStorage } from 'typeorm';
import { snakeCase } from '../../kernel/text.js';
import { classChain } from '../database/sql.js';

// What entities say about themselves for the export and the erasure of an organization. Without a word of theirs, every table with
// an organization_id is exported and erased, and every column but those of bytes is exported.

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
    exportedBytes: noted(columns.exported),
    leftOut: noted(columns.left),
  };
}
