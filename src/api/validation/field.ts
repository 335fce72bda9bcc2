import type { Type } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { FreeFormProblem } from '../../kernel/json.js';
import type { RelationTo } from '../../store/tenant/relations.js';

/** How good or bad a status is. It is said by the word; the colour repeats it. */
export type Tone = 'good' | 'bad' | 'busy' | 'plain';

/** How people see a field in the console, and enter it. */
export interface ForPeople {
  /** "Client reference"; without it, the name of the field in words. */
  readonly label?: string;
  /** Below the label in forms. */
  readonly hint?: string;
  /** A column of the list. */
  readonly inList?: true;
  /** Not shown with the record, or not asked for: a page of the module does it, or nothing does. */
  readonly onPage?: false;
  readonly inForm?: false;
  /** What people read for each of a list of values. */
  readonly words?: Readonly<Record<string, readonly [word: string, tone?: Tone]>>;
  /** The field of the last day of a period, whose first day this is, and what the period is called: both are shown as one. */
  readonly until?: readonly [field: string, label: string];
}

/** What every field declares. `about` is its documentation for integrators. */
export interface About {
  about: string;
  people?: ForPeople;
  example?: unknown;
  optional?: boolean;
  nullable?: boolean;
  default?: unknown;
  /** Words that other APIs have for it: a request with one of them is told the right one. */
  alsoCalled?: readonly string[];
  /** The record of an event, whose kind the field `type` says. */
  isOfEvent?: true;
  /** It changes without `updatedAt`, and does not keep a caller from changing the record (see record-versions.ts). */
  isSeparate?: boolean;
}

/** What is wrong with a value: a code for programs and a message for people. */
export type FieldProblem = FreeFormProblem;

/** What may stand under those keys of a free-form object that the service itself reads. */
export interface FieldGrammar {
  /** A reference to the component that describes it: `#/components/schemas/Name`. */
  readonly ref: string;
  /** Named schemas for the documents. */
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  problemsOf(value: object): readonly FieldProblem[];
}

/** As queries have it: whole numbers are numbers, all others texts. */
export type RangeValue = string | number;

export interface FieldDeclaration {
  readonly about: About;
  readonly schema: ApiPropertyOptions;
  /** The schema in answers, if it is another: records may be older than a check. */
  readonly answerSchema?: ApiPropertyOptions;
  /** The named schemas that `schema` refers to. */
  readonly components?: FieldGrammar['components'];
  readonly check: (value: unknown) => FieldProblem | readonly FieldProblem[] | undefined;
  /** The class of the object, or of the objects in the list. */
  readonly of?: Type<object>;
  /** Whose id it is. */
  readonly recordOf?: RelationTo;
  /** The type of its column, where the schema does not say it. */
  readonly column?: 'numeric';
  /** Of the end of a range in a query: the parameter that it begins with, and when it ends before that. */
  readonly range?: {
    readonly from: string;
    readonly before: string;
    readonly isBefore: (end: RangeValue, from: RangeValue) => boolean;
  };
  /** Converts a value of a query, where everything arrives as text. */
  readonly fromQuery?: (value: string) => unknown;
}

type Fields = Map<string, FieldDeclaration>;

/** The fields that each class declares itself, by its prototype. */
const declared = new Map<object, Fields>();
/** The same with the fields that the class inherits. */
let all = new WeakMap<object, Fields>();

/**
 * Declares a field. One declaration is both its validation (validate-request.ts) and its documentation (document-fields.ts). Both
 * need large libraries, so both are made when they are first needed: a command needs neither.
 */
export function field(declaration: FieldDeclaration): PropertyDecorator {
  return (prototype, key) => {
    const fields: Fields = declared.get(prototype) ?? new Map<string, FieldDeclaration>();
    declared.set(prototype, fields.set(String(key), declaration));
    // Extensions declare fields of classes that others have asked about.
    all = new WeakMap();
  };
}

export const declaredFields: ReadonlyMap<object, ReadonlyMap<string, FieldDeclaration>> = declared;

/** All fields of a class, with those that it inherits. Asked with every request, so the answer is kept. */
export function fieldsOf(prototype: object): ReadonlyMap<string, FieldDeclaration> {
  const known = all.get(prototype);
  if (known) return known;
  const parent = Object.getPrototypeOf(prototype) as object | null;
  const fields: Fields = new Map([...(parent ? fieldsOf(parent) : []), ...(declared.get(prototype) ?? [])]);
  all.set(prototype, fields);
  return fields;
}

/** What is wrong with a value that is needed: one that may be left out or null is not asked about. */
export function problemsWith({ check }: FieldDeclaration, value: unknown): readonly FieldProblem[] {
  if (value === undefined) return [{ code: 'required', message: 'is required' }];
  const found = check(value) ?? [];
  return 'code' in found ? [found] : found;
}

/** A free-form object that the service does not read itself: a merge patch changes it key by key. */
export const isMergeable = ({ schema, components }: FieldDeclaration): boolean =>
  schema.type === 'object' && 'additionalProperties' in schema && schema.additionalProperties === true && components === undefined;

export const MERGES = Symbol('merges');

/** Declares the fields of one class in another one as well, with some changes. */
export function redeclare(
  from: Type<object>,
  to: Type<object>,
  changes: Partial<About> = {},
  { except = [], asAnswer = false }: { readonly except?: readonly string[]; readonly asAnswer?: boolean } = {},
): void {
  for (const [name, declaration] of declared.get(from.prototype as object) ?? []) {
    if (except.includes(name)) continue;
    const schema = (asAnswer && declaration.answerSchema) || declaration.schema;
    field({ ...declaration, schema, about: { ...declaration.about, ...changes } })(to.prototype as object, name);
  }
}
