import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { isUuid } from '../../kernel/ids.js';
import { Problem, type FieldError } from '../../kernel/problems.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { applyRules, decodeProblem } from './field-rules.js';
import { unifyIds } from './fields.js';
import { isStorableText } from '../../kernel/text.js';

type Values = Record<string, unknown>;
interface Given {
  readonly params: Values;
  readonly query: Values;
  readonly body?: Values;
  /** The address as it was sent. */
  readonly url: string;
}
interface Valid {
  readonly params: Record<string, string>;
  readonly query: object;
  readonly body: object | undefined;
}

/** Holds path, query and body against their declared classes; every problem is named in one answer. */
export function validateRequest(operation: RegisteredOperation, given: Given): Valid {
  const errors: FieldError[] = [];
  const params = validParams(operation, given.params, errors);
  const query = validQuery(operation.query, given, errors);
  const body = operation.body && validBody(operation.body, given.body ?? {}, errors);
  if (errors.length > 0) throw Problem.validation(errors);
  return { params, query, body };
}

function validParams(operation: RegisteredOperation, params: Values, errors: FieldError[]): Record<string, string> {
  const valid: Record<string, string> = {};
  for (const name of operation.pathParams) {
    const value = String(params[name]);
    if (isUuid(value)) valid[name] = value.toLowerCase();
    else errors.push({ location: 'path', field: name, code: 'invalid_uuid', message: 'must be a UUID' });
  }
  return valid;
}

/** For operations that take no query at all: all that is given is unknown. */
class NoQuery {}

function validQuery(type: Type<object> = NoQuery, { query, url }: Given, errors: FieldError[]): object {
  const plain: Values = {};
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) errors.push({ location: 'query', field: shown(name), code: 'repeated', message: 'must be given once' });
    else if (!isStorableText(name))
      errors.push({
        location: 'query',
        field: shown(name.replace(/\0/g, '\\0')),
        code: 'invalid_text',
        message: 'must not hold NUL characters',
      });
    else Object.defineProperty(plain, name, { value, enumerable: true });
  }
  for (const name of undecodable(url))
    errors.push({ location: 'query', field: shown(name), code: 'invalid_encoding', message: 'must be percent-encoded UTF-8' });
  if (hasNothing(plain)) return new type();
  return check(type, plain, 'query', errors) ?? plain;
}

/** The parameters whose text is not what it should be; the parser of queries lets them pass as they are. */
function undecodable(url: string): string[] {
  if (!url.includes('%')) return [];
  const parameters = url.slice(url.indexOf('?') + 1).split('&');
  return parameters.filter((parameter) => !isDecodable(parameter)).map((parameter) => parameter.split('=')[0]!);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function hasNothing(values: Values): boolean {
  for (const _ in values) return false;
  return true;
}

function validBody(type: Type<object>, body: Values, errors: FieldError[]): object {
  return check(type, body, 'body', errors) ?? body;
}

/** The values as an instance of their class, when every name is declared and every value as it must be. */
function check(type: Type<object>, plain: Values, location: 'body' | 'query', errors: FieldError[]): object | undefined {
  // Refused before anything is copied: a `__proto__` or `constructor` taken over would put another class in place of ours.
  const inherited = Object.keys(plain).filter((name) => name in Object.prototype);
  for (const name of inherited) errors.push(unknown(name, location));
  const ours = inherited.length === 0 ? plain : Object.fromEntries(Object.entries(plain).filter(([name]) => !inherited.includes(name)));
  applyRules(type);
  // What a query holds is text, and becomes what its class says; a body is taken as it is.
  const instance = location === 'query' ? plainToInstance(type, ours) : Object.assign(new type(), ours);
  const found = validateSync(instance, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false });
  for (const error of found) errors.push(fieldError(error, location));
  if (found.length > 0) return undefined;
  unifyIds(instance);
  return instance;
}

const LONGEST_SHOWN = 100;

/** A name of the caller's choice as we may repeat it: well-formed, and no longer than it helps. */
const shown = (name: string): string => (name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name).toWellFormed();

function unknown(name: string, location: 'body' | 'query'): FieldError {
  return {
    location,
    field: shown(name),
    code: 'unknown_property',
    message: location === 'query' ? 'is not a known query parameter' : 'is not a known property',
  };
}

function fieldError({ property, constraints = {} }: ValidationError, location: 'body' | 'query'): FieldError {
  if (constraints.whitelistValidation) return unknown(property, location);
  return { location, field: property, ...decodeProblem(Object.values(constraints)[0] ?? 'not_allowed: is not allowed') };
}
