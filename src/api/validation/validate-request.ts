import type { Type } from '@nestjs/common';
import { plainToInstance, Transform } from 'class-transformer';
import { ValidateBy, ValidateIf, validateSync, type ValidationError } from 'class-validator';
import { isUuid } from '../../kernel/ids.js';
import { Problem, type FieldError } from '../../kernel/problems.js';
import type { SentFile } from './read-files.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { meantBy } from '../../kernel/spelling.js';
import { isDecodable, isStorableText } from '../../kernel/text.js';
import { fieldsOf, MERGES, problemsWith, type FieldDeclaration, type FieldProblem, type RangeValue } from './field.js';

type Values = Readonly<Record<string, unknown>>;
export interface Given {
  readonly params: Values;
  readonly query: Values;
  readonly body?: Values | undefined;
  /** Of a form: its fields are the body, or the query says them. */
  readonly file?: SentFile | undefined;
  /** The body is a merge patch (RFC 7396). */
  readonly isMerge?: boolean | undefined;
  /** With the query as it was sent. */
  readonly url: string;
}
interface Valid {
  readonly params: Record<string, string>;
  readonly query: object;
  readonly body: object | undefined;
}

/** Checks path, query and body against their declared classes. One answer names all problems. */
export function validateRequest(operation: RegisteredOperation, given: Given): Valid {
  const errors: FieldError[] = [];
  const params = validParams(operation, given.params, errors);
  const { file, body: sent = {}, isMerge } = given;
  const type = file ? operation.takesFile!.fields : operation.body;
  const query = validQuery(file?.isBody ? type : operation.query, given, errors);
  const body = file?.isBody ? query : type && (check(type, sent, 'body', errors, file !== undefined) ?? sent);
  if (!type) errors.push(...Object.keys(sent).map((name) => unknown(name, 'body')));
  if (errors.length > 0) throw Problem.validation(errors);
  if (body && isMerge) Object.defineProperty(body, MERGES, { value: true });
  return { params, query, body: body && file ? Object.assign(body, { file }) : body };
}

function validParams(operation: RegisteredOperation, params: Values, errors: FieldError[]): Record<string, string> {
  const valid: Record<string, string> = {};
  const { pathIds, fileParam, returnsFile } = operation;
  for (const name of pathIds) {
    const value = String(params[name]);
    if (isUuid(value)) valid[name] = value.toLowerCase();
    else errors.push({ location: 'path', field: name, code: 'invalid_uuid', message: 'must be a UUID' });
  }
  if (fileParam !== undefined) {
    const kinds = Object.keys(returnsFile!);
    valid[fileParam] = String(params[fileParam]);
    if (!kinds.includes(valid[fileParam]))
      errors.push({ location: 'path', field: fileParam, code: 'not_allowed', message: `must be one of ${kinds.join(', ')}` });
  }
  return valid;
}

/** For operations without query parameters: every parameter is unknown. */
class NoQuery {}

function validQuery(type: Type<object> = NoQuery, { query, url }: Given, errors: FieldError[]): object {
  const plain: Record<string, unknown> = {};
  const refuse = (name: string, code: FieldError['code'], message: string): unknown =>
    errors.push({ location: 'query', field: shown(name), code, message });
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) refuse(name, 'repeated', 'must be given once');
    else if (!isStorableText(name)) refuse(name.replace(/\0/g, '\\0'), 'invalid_text', 'must not contain NUL characters');
    else Object.defineProperty(plain, name, { value, enumerable: true });
  }
  for (const name of undecodable(url)) refuse(name, 'invalid_encoding', 'must be percent-encoded UTF-8');
  if (isEmpty(plain)) return new type();
  return check(type, plain, 'query', errors) ?? plain;
}

/** The parameters that are not percent-encoded UTF-8. The query parser leaves them as they are, without an error. */
function undecodable(url: string): string[] {
  if (!url.includes('%')) return [];
  const parameters = url.slice(url.indexOf('?') + 1).split('&');
  return parameters.filter((parameter) => !isDecodable(parameter)).map((parameter) => parameter.split('=')[0]!);
}

function isEmpty(values: Values): boolean {
  for (const _ in values) return false;
  return true;
}

/** The values as an instance of their class, if every name is declared and every value is valid. */
function check(
  type: Type<object>,
  plain: Values,
  location: 'body' | 'query',
  errors: FieldError[],
  areTexts = location === 'query',
): object | undefined {
  // Refused before anything is copied: a copied `__proto__` or `constructor` would replace our class by another.
  const inherited = Object.keys(plain).filter((name) => name in Object.prototype);
  for (const name of inherited) errors.push(unknown(name, location));
  const own = inherited.length === 0 ? plain : Object.fromEntries(Object.entries(plain).filter(([name]) => !inherited.includes(name)));
  applyRules(type.prototype as object);
  // The values of a query or form are texts, and are converted as their class says. Those of JSON are taken as they are.
  const instance = areTexts ? plainToInstance(type, own) : Object.assign(new type(), own);
  const found = validateSync(instance, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false });
  for (const error of found) errors.push(...fieldErrors(type, error, location, errors.length < GUESSES_MAX));
  if (found.length > 0) return undefined;
  if (location === 'query') errors.push(...endsBeforeBeginning(instance));
  lowerCaseIds(instance);
  return instance;
}

function endsBeforeBeginning(query: object): FieldError[] {
  const values = query as Readonly<Record<string, RangeValue | undefined>>;
  return [...fieldsOf(Object.getPrototypeOf(query) as object)].flatMap(([name, { range }]) => {
    const [from, to] = [range && values[range.from], values[name]];
    if (!range || from === undefined || to === undefined || !range.isBefore(to, from)) return [];
    return [{ location: 'query', field: name, code: 'before_start', message: `must not be ${range.before} ${range.from}` }];
  });
}

const MAX_SHOWN = 100;

/** A name that the caller chose, fit for an error: well-formed and not too long. */
const shown = (name: string): string => (name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name).toWellFormed();

function unknown(name: string, location: 'body' | 'query', meant?: string): FieldError {
  const what = location === 'query' ? 'is not a known query parameter' : 'is not a known property';
  const message = meant === undefined ? what : `${what}: did you mean ${meant}?`;
  return { location, field: shown(name), code: 'unknown_property', message };
}

/** A body may have a hundred thousand unknown names: only the first are looked at for what was meant. */
const GUESSES_MAX = 20;

function meantField(name: string, { prototype }: Type<object>): string | undefined {
  if (name.length > MAX_SHOWN) return undefined;
  const fields = fieldsOf(prototype as object);
  const meant = meantBy(name, [...fields.keys()]);
  return meant ?? [...fields].find(([, { about }]) => meantBy(name, about.alsoCalled ?? []) !== undefined)?.[0];
}

function fieldErrors(
  type: Type<object>,
  { property, value, constraints }: ValidationError,
  location: 'body' | 'query',
  mayGuess: boolean,
): FieldError[] {
  if (constraints?.whitelistValidation) return [unknown(property, location, mayGuess ? meantField(property, type) : undefined)];
  const problems = problemsOf(type.prototype as object, property, value);
  return problems.map(({ path = '', code, message }) => ({ location, field: property + path, code, message }));
}

const known = new WeakSet<object>();

export function applyRules(prototype: object): void {
  if (known.has(prototype)) return;
  known.add(prototype);
  for (const [name, declaration] of fieldsOf(prototype)) for (const decorate of rules(declaration)) decorate(prototype, name);
}

function rules(declaration: FieldDeclaration): PropertyDecorator[] {
  const { optional = false, nullable = false } = declaration.about;
  const { fromQuery } = declaration;
  return [
    ...(fromQuery ? [Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? fromQuery(value) : value))] : []),
    ValidateIf((_object, value) => !(value === undefined && optional) && !(value === null && nullable)),
    // class-validator only says which fields are invalid; `problemsOf` says why, by a code and a message.
    ValidateBy({ name: 'field', validator: { validate: (value) => problemsWith(declaration, value).length === 0 } }),
  ];
}

function problemsOf(prototype: object, name: string, value: unknown): readonly FieldProblem[] {
  const declaration = fieldsOf(prototype).get(name);
  return declaration ? problemsWith(declaration, value) : [{ code: 'not_allowed', message: 'is not allowed' }];
}

/** Writes the ids of a valid request in lower case, as the database returns them: equal ids are then equal texts. */
export function lowerCaseIds(valid: object): void {
  const values = valid as Record<string, unknown>;
  for (const [name, { schema, of }] of fieldsOf(Object.getPrototypeOf(valid) as object)) {
    const value = values[name];
    if (schema.format === 'uuid' && typeof value === 'string') values[name] = value.toLowerCase();
    else if (of && typeof value === 'object' && value !== null) values[name] = withLowerCaseIds(of, value);
  }
}

/** The same inside an object or a list of objects. They are copied: what was sent stays as it is. */
function withLowerCaseIds(type: Type<object>, value: object): object {
  if (Array.isArray(value)) return value.map((item) => withLowerCaseIds(type, item as object));
  const copy = Object.assign(new type(), value);
  lowerCaseIds(copy);
  return copy;
}
