import type { Answer } from './client.js';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { EXPOSED_HEADERS } from '../../src/api/http/answer-headers.js';
import { FIELD_CODES } from '../../src/kernel/field-codes.js';
import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import { documented, placeOf, type OpenApi } from './law-document.js';

export type { OpenApi };

const PROBLEM = /^application\/problem\+json\b/;
const JSON_TYPE = /^application\/json\b/;
const validators = new WeakMap<OpenApi, Ajv2020>();

/** Expects that the document declares the answer: its status, media type, schema, and problem code. */
export function expectDeclared(document: OpenApi, operation: RegisteredOperation, answer: Answer): void {
  const { status, headers } = answer;
  const declared = documented(document, operation).responses[status];
  expect(declared, `${operation.id} answered ${status}, which is not declared: ${answer.text}`).toBeDefined();
  expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  const told = EXPOSED_HEADERS.filter((name) => headers[name.toLowerCase()] !== undefined);
  expect(Object.keys(declared!.headers ?? {}), `headers of ${status} of ${operation.id}`).toEqual(expect.arrayContaining(told));
  if (status === 204 || status === 304) return void expect(answer.text).toBe('');
  const isProblem = status >= 400;
  if (!isProblem && operation.returnsFile) return void expect(Object.keys(declared!.content!)).toContain(headers['content-type']);
  expect(headers['content-type']).toMatch(isProblem ? PROBLEM : JSON_TYPE);
  const mediaType = isProblem ? 'application/problem+json' : 'application/json';
  expectValid(
    document,
    ['paths', operation.path, operation.method.toLowerCase(), 'responses', String(status), 'content', mediaType, 'schema'],
    answer.body,
  );
  if (isProblem) expectConsistent(declared!.description, answer);
}

/** Expects that the problem's members match each other, the headers and the declaration. */
function expectConsistent(description: string, { status, body, headers }: Answer): void {
  const problem = body as { type: string; detail: string; code: string; title: string; errors: { code: string }[] };
  for (const { code } of problem.errors) expect(Object.keys(FIELD_CODES)).toContain(code);
  expect(problem).toMatchObject({ status, requestId: headers['x-request-id'] });
  expect(problem.type.endsWith(`/problems/${problem.code}`)).toBe(true);
  expect(problem.detail.replace(/\.$/, ''), 'the detail says more than the title').not.toBe(problem.title);
  expect(description, `${problem.code} is not declared for ${status}`).toContain(`\`${problem.code}\``);
}

/** Expects a value that fits the schema at a path of the document, without undeclared properties. */
export function expectValid(document: OpenApi, path: readonly string[], value: unknown): void {
  const validate = validatorAt(document, path);
  const fits = validate(value);
  expect(fits, `${JSON.stringify(validate.errors)} in ${JSON.stringify(value)}`).toBe(true);
}

function validatorAt(document: OpenApi, path: readonly string[]): ValidateFunction {
  const pointer = placeOf(document, path)
    .path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const $ref = `openapi#/${pointer}`;
  const ajv = validators.get(document) ?? validatorsOf(document);
  validators.set(document, ajv);
  return ajv.getSchema($ref) ?? ajv.compile({ $ref });
}

/** Expects that a value is what the schema of this name says, and has nothing more. */
export function expectMatches(document: OpenApi, schema: string, value: unknown): void {
  const ajv = validatorsOf(document);
  ajv.validate({ $ref: `openapi#/components/schemas/${schema}` }, value);
  expect(ajv.errors, schema).toBeNull();
}

function validatorsOf(document: OpenApi): Ajv2020 {
  // Each validator is used a few times: optimizing its code takes longer than it saves.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats.default(ajv);
  return ajv.addSchema(closed(document) as object, 'openapi');
}

/** The same schemas, but without undeclared properties: an answer with more than the document says is a leak. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, closed(inner)]));
  const isObjectSchema = copy.type === 'object' && copy.properties !== undefined && copy.additionalProperties === undefined;
  return isObjectSchema ? { ...copy, unevaluatedProperties: false } : copy;
}
