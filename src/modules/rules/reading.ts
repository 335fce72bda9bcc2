import type { FieldCode } from '../../kernel/field-codes.js';

/** What is wrong with a value, and where: at `.rules[0].all[1].op`. The message completes the sentence "… must …". */
export interface Finding {
  readonly path: string;
  readonly code: FieldCode;
  readonly message: string;
}

/** What one reading of a document has found so far. */
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
