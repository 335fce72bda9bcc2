import type { FieldGrammar } from '../../api/validation/field.js';
import { Place, Reading, type Finding, type JsonSchema, type Shape } from './shape.js';
import { refTo } from './shapes.js';

const OWN_KEYS = 'Keys of your own are kept and ignored, unless they look like one of ours.';

/**
 * The grammar of a free-form object. Requests are checked by it, the engine reads by it, and the documents are made from it, so
 * what is accepted can be computed.
 */
export class Grammar<T> implements FieldGrammar {
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** A field with an error is checked twice: once for whether it is valid, and once for what is wrong. */
  private readonly known = new WeakMap<object, readonly Finding[]>();
  /** `#/components/schemas/SourceMapping` */
  readonly ref: string;

  constructor(
    name: string,
    about: string,
    private readonly shape: Shape<T>,
  ) {
    this.ref = refTo(name);
    this.components = { ...shape.components, [name]: { description: `${about} ${OWN_KEYS}`, ...shape.schema } };
  }

  problemsOf(value: object): readonly Finding[] {
    const known = this.known.get(value);
    if (known) return known;
    const { findings } = this.read(value);
    this.known.set(value, findings);
    return findings;
  }

  /** The parsed form, or everything that is wrong. */
  read(value: unknown): { readonly parsed?: T; readonly findings: readonly Finding[] } {
    const reading = new Reading();
    const parsed = this.shape.read(value, new Place(reading));
    return reading.findings.length === 0 ? { parsed: parsed!, findings: [] } : { findings: reading.findings };
  }
}
