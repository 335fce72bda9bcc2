import type { Type } from '@nestjs/common';
import { eventOf } from '../../kernel/declare-event.js';
import { Problem } from '../../kernel/problems.js';
import { snakeCase } from '../../kernel/text.js';
import type { HiddenFields, Viewer } from '../access/hidden-fields.js';
import { fieldsOf } from '../validation/field.js';

/** What says which record it is, and which version of it. */
const NEVER_HIDDEN = ['id', 'environment', 'createdAt', 'updatedAt'];

type Fields = Record<string, unknown>;

/** What an operation says of its answer. */
interface Showing {
  readonly returns?: Type<unknown>;
  readonly returnsFile?: object;
  readonly cannotBeCut?: true;
}

/** What is left of an object of a class: nothing of `without`, and of `within` what is left of theirs. */
interface Cut {
  readonly without: readonly string[];
  readonly within: readonly (readonly [name: string, cut: Cut])[];
  /** The record in `data` is that of an event, whose kind this field says. */
  readonly kindIn?: string;
}

/** What extensions hide, by from whom. Without such an extension, nothing is asked of it. */
export class HiddenAnswers {
  private readonly known = new Map<string, HiddenSet>();

  constructor(private readonly all: readonly HiddenFields[]) {}

  /** undefined: everything may be seen. */
  from(viewer: Viewer): HiddenSet | undefined {
    const hiding = this.all.filter((one) => one.isHiddenFrom(viewer));
    return hiding.length === 0 ? undefined : this.setOf(hiding);
  }

  /** All that is hidden from somebody. */
  get any(): HiddenSet | undefined {
    return this.all.length === 0 ? undefined : this.setOf(this.all);
  }

  get problems(): string[] {
    return this.all.flatMap(({ fields, constructor }) =>
      fields.flatMap(({ of, names }) =>
        names
          .filter((name) => NEVER_HIDDEN.includes(name) || !fieldsOf(of.prototype as object).has(name.split('.')[0]!))
          .map(
            (name) =>
              `${constructor.name} hides ${name} of ${of.name}, which ${NEVER_HIDDEN.includes(name) ? 'says what it is' : 'it has not'}.`,
          ),
      ),
    );
  }

  private setOf(hiding: readonly HiddenFields[]): HiddenSet {
    const key = hiding.map((one) => this.all.indexOf(one)).join();
    const known = this.known.get(key) ?? new HiddenSet(hiding);
    this.known.set(key, known);
    return known;
  }
}

/** A page knows what is hidden from the person who looks. */
export interface Seeing {
  readonly hidden?: HiddenSet | undefined;
}

/** What is hidden from a viewer. */
export class HiddenSet {
  private readonly names = new Map<object, Set<string>>();
  private readonly cuts = new Map<object, Cut>();

  constructor(hiding: readonly HiddenFields[]) {
    for (const { of, names } of hiding.flatMap(({ fields }) => fields)) {
      const known = this.names.get(of.prototype as object) ?? new Set();
      this.names.set(of.prototype as object, new Set([...known, ...names]));
    }
  }

  /** Those of a class that are hidden, or of the classes that it extends. */
  namesIn({ prototype }: Type<unknown>): string[] {
    const found: string[] = [];
    for (let of = prototype as object | null; of; of = Object.getPrototypeOf(of) as object | null)
      found.push(...(this.names.get(of) ?? []));
    return found;
  }

  /** The names of all that is hidden, once each. */
  get fieldNames(): string[] {
    return [...new Set([...this.names.values()].flatMap((names) => [...names]))];
  }

  /** Whether one of these fields of a class is hidden, or something in it; without a class, whether one of any class has such a name. */
  hides(type: Type<unknown> | undefined, fields: readonly string[]): boolean {
    if (!type) return fields.some((field) => this.fieldNames.includes(field));
    const { without, within } = this.cutOf(type);
    return fields.some((field) => without.includes(field) || within.some(([name, cut]) => name === field && isCutting(cut)));
  }

  get hidesNames(): boolean {
    return [...this.names.values()].some((names) => names.has('name'));
  }

  /** Whether something of it would be left out. */
  isIn(type: Type<unknown>): boolean {
    return isCutting(this.cutOf(type));
  }

  /** A copy without what is hidden; the value itself if nothing of it is. */
  cut<Value>(type: Type<unknown>, value: Value): Value {
    return cutBy(this, this.cutOf(type), value) as Value;
  }

  isInEvent(kind: string): boolean {
    const type = eventOf(kind)?.data;
    return type !== undefined && type !== null && this.isIn(type);
  }

  /** The record in an event. */
  cutEvent(kind: string, data: unknown): unknown {
    const type = eventOf(kind)?.data;
    return type ? this.cut(type, data) : data;
  }

  /** Refuses what cannot be cut, and what asks about hidden fields: by searching, their values could be found out. */
  requireShowable({ returnsFile, cannotBeCut, returns }: Showing, query: object): void {
    if (returnsFile || cannotBeCut) throw new Problem('fields_hidden');
    const page = returns && fieldsOf(returns.prototype as object).get('data')?.of;
    const names = page ? this.namesIn(page) : [];
    const isAbout = (parameter: string): boolean => parameter === 'search' || names.some((name) => parameter.startsWith(snakeCase(name)));
    const asked = names.length === 0 ? undefined : givenIn(query).find(isAbout);
    if (asked !== undefined) throw new Problem('fields_hidden', { detail: `\`${asked}\` looks at fields that are hidden from you.` });
  }

  private cutOf(type: Type<unknown>): Cut {
    const prototype = type.prototype as object;
    const known = this.cuts.get(prototype);
    if (known) return known;
    const names = this.namesIn(type);
    const within: [string, Cut][] = [];
    const fields = fieldsOf(prototype);
    const cut: Cut = {
      without: names.filter((name) => !name.includes('.')),
      within,
      ...(fields.get('data')?.about.isOfEvent && { kindIn: 'type' }),
    };
    // Before its fields: a class can have itself within.
    this.cuts.set(prototype, cut);
    for (const [name, { of }] of fields) if (of && !cut.without.includes(name)) within.push([name, this.cutOf(of)]);
    for (const name of names.filter((one) => one.includes('.'))) {
      const [outer, inner] = name.split('.') as [string, string];
      within.push([outer, { without: [inner], within: [] }]);
    }
    return cut;
  }
}

const givenIn = (query: object): string[] => Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : name));

const cutting = new WeakMap<Cut, boolean>();

function isCutting(cut: Cut): boolean {
  const known = cutting.get(cut) ?? findsCut(cut);
  cutting.set(cut, known);
  return known;
}

function findsCut({ without, within, kindIn }: Cut, seen = new Set<Cut>()): boolean {
  return without.length > 0 || kindIn !== undefined || within.some(([, cut]) => !seen.has(cut) && findsCut(cut, seen.add(cut)));
}

function cutBy(hidden: HiddenSet, cut: Cut, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !isCutting(cut)) return value;
  if (Array.isArray(value)) return value.map((one) => cutBy(hidden, cut, one));
  const left: Fields = { ...(value as Fields) };
  for (const name of cut.without) delete left[name];
  for (const [name, inner] of cut.within) if (name in left) left[name] = cutBy(hidden, inner, left[name]);
  if (cut.kindIn !== undefined && left.data !== undefined) left.data = hidden.cutEvent(String(left[cut.kindIn]), left.data);
  return left;
}
