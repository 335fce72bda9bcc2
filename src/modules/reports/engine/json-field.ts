import { JobFailure } from '../../../kernel/failure.js';

/**
 * A value within a free-form JSON object, with its path, such as `rules[0].all[1].op`. A value that cannot be read fails the run
 * with a message that has the path and never the value.
 */
export class JsonField {
  constructor(
    private readonly code: string,
    private readonly path: string,
    readonly value: unknown,
  ) {}

  /** `expected` completes the sentence "… must …". */
  fail(expected: string): never {
    throw new JobFailure(this.code, `${this.path} must ${expected}.`);
  }

  get isGiven(): boolean {
    return this.value !== undefined;
  }

  key(name: string): JsonField {
    return new JsonField(this.code, `${this.path}.${name}`, this.object()[name]);
  }

  /** The entries of a list; none if the list was omitted. */
  items({ min = 0, max = Infinity }: { min?: number; max?: number } = {}): JsonField[] {
    if (!this.isGiven) return [];
    if (!Array.isArray(this.value)) this.fail('be a list');
    const values = this.value as unknown[];
    if (values.length < min) this.fail(`have at least ${min} ${min === 1 ? 'entry' : 'entries'}`);
    if (values.length > max) this.fail(`have at most ${max} entries`);
    return values.map((value, index) => new JsonField(this.code, `${this.path}[${index}]`, value));
  }

  text(max: number): string {
    if (typeof this.value !== 'string' || this.value.trim() === '' || this.value.length > max)
      this.fail(`be a text of 1 to ${max} characters`);
    return this.value;
  }

  oneOf<T extends string>(allowed: readonly T[]): T {
    const found = allowed.find((name) => name === this.value);
    return found ?? this.fail(`be one of ${allowed.join(', ')}`);
  }

  private object(): Record<string, unknown> {
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value)) this.fail('be an object');
    return this.value as Record<string, unknown>;
  }
}
