import type { FieldCode } from '../../kernel/field-codes.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The one declaration of what a value may be: how it is documented, checked and read. */
export interface Shape<T> {
  /** As JSON Schema. May accept more than `read`, never less. */
  readonly schema: JsonSchema;
  /** The named schemas that `schema` refers to. */
  readonly components?: Readonly<Record<string, JsonSchema>>;
  /** The value in the form that the engine uses; undefined if something is wrong with it, which the place has then noted. */
  readonly read: (value: unknown, at: Place) => T | undefined;
}

export type ReadBy<S> = S extends Shape<infer T> ? T : never;

/** What is wrong with a value, and where: at `.rules[0].all[1].op`. The message completes the sentence "… must …". */
export interface Finding {
  readonly path: string;
  readonly code: FieldCode;
  readonly message: string;
}

export class Reading {
  readonly findings: Finding[] = [];
  /** What checking the patterns of the document has cost so far. */
  patternCost = 0;
}

const MAX_KEY_SHOWN = 100;

/** A place within a document. */
export class Place {
  constructor(
    readonly reading: Reading,
    private readonly path = '',
  ) {}

  key(name: string): Place {
    const step = /^\w{1,100}$/.test(name) ? `.${name}` : `[${JSON.stringify(name.slice(0, MAX_KEY_SHOWN).toWellFormed())}]`;
    return new Place(this.reading, this.path + step);
  }

  item(index: number): Place {
    return new Place(this.reading, `${this.path}[${index}]`);
  }

  /** Notes what is wrong with the value here. Returns undefined, which stands for a value that could not be read. */
  wrong(value: unknown, code: FieldCode, message: string): undefined {
    this.reading.findings.push({ path: this.path, code: value === undefined ? 'required' : code, message });
    return undefined;
  }
}
