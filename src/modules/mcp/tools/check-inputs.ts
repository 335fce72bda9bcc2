import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { DEPTH_MAX } from '../../../api/validation/read-request.js';
import { isUuid } from '../../../kernel/ids.js';
import { isDeeperThan } from '../../../kernel/json.js';
import type { Tool } from './tool.js';
import { KEY_MAX_LENGTH } from '../../../kernel/product.js';

/** What is wrong with an input, in the form of `errors` of a problem document. */
export type InputError = Readonly<Record<'field' | 'code' | 'message', string>>;

/** Codes of inputs that are left out even of a dry run. */
export const UNSENDABLE: readonly string[] = ['too_deep', 'too_many'];

type Inputs = Readonly<Record<string, unknown>>;

/** More items than any list of a tool may have. It bounds how many errors one list can cause. */
const ITEMS_MAX = 1000;
const UNKNOWN_MAX = 20;
// The API has better messages for the other formats.
const ajv = new Ajv({ allErrors: true, strict: false, logger: false, formats: { uuid: isUuid } });
const checks = new WeakMap<Tool, ValidateFunction>();

/** At most one error for each input. Whether the call is confirmed is checked elsewhere: so a dry run gets the same errors. */
export function errorsOf(tool: Tool, inputs: Inputs): InputError[] {
  const names = Object.keys(inputs);
  const isKnown = (name: string): boolean => Object.hasOwn(tool.inputSchema.properties, name);
  const isPlain = names.every((name) => isKnown(name) && excessOf(name, inputs[name]).length === 0);
  if (isPlain && checkOf(tool)(inputs) && keyErrors(inputs).length === 0) return [];
  const unknown = names
    .filter((name) => !isKnown(name))
    .slice(0, UNKNOWN_MAX)
    .map((name) => unknownInput(tool, name));
  const excessive = names.filter(isKnown).flatMap((name) => excessOf(name, inputs[name]));
  const checked = Object.fromEntries(
    Object.entries(inputs).filter(([name]) => isKnown(name) && !excessive.some(({ field }) => field === name)),
  );
  return firstOfEach([...unknown, ...excessive, ...schemaErrors(tool, checked), ...keyErrors(inputs)]);
}

function unknownInput({ inputSchema }: Tool, name: string): InputError {
  return {
    field: name.slice(0, 100).toWellFormed(),
    code: 'unknown_property',
    message: `is not an input of this tool (inputs: ${Object.keys(inputSchema.properties).join(', ')})`,
  };
}

function excessOf(field: string, value: unknown): InputError[] {
  if (Array.isArray(value) && value.length > ITEMS_MAX)
    return [{ field, code: 'too_many', message: `must have at most ${ITEMS_MAX} items` }];
  return isDeeperThan(value, DEPTH_MAX) ? [{ field, code: 'too_deep', message: `must be nested at most ${DEPTH_MAX} levels` }] : [];
}

function schemaErrors(tool: Tool, inputs: Inputs): InputError[] {
  const check = checkOf(tool);
  return check(inputs) ? [] : check.errors!.map(inputError);
}

/** The key is sent as a header: printable ASCII only, and spaces around it are dropped. */
function keyErrors({ idempotency_key: key }: Inputs): InputError[] {
  const isKey = typeof key !== 'string' || (key.trim() !== '' && /^[\x20-\x7e]+$/.test(key));
  return isKey
    ? []
    : [{ field: 'idempotency_key', code: 'not_allowed', message: `must be 1 to ${KEY_MAX_LENGTH} printable ASCII characters` }];
}

function firstOfEach(errors: readonly InputError[]): InputError[] {
  const first = new Map<string, InputError>();
  for (const error of errors) if (!first.has(error.field)) first.set(error.field, error);
  return [...first.values()];
}

function checkOf(tool: Tool): ValidateFunction {
  const known = checks.get(tool);
  if (known) return known;
  const { required, ...schema } = tool.inputSchema;
  const check = ajv.compile({ ...schema, required: required.filter((name) => name !== tool.confirmedBy) });
  checks.set(tool, check);
  return check;
}

function inputError({ keyword, params, instancePath, message = 'is not allowed' }: ErrorObject): InputError {
  if (keyword === 'required') return { field: params.missingProperty as string, code: 'required', message: 'is required' };
  const [, field = ''] = instancePath.split('/');
  if (keyword === 'enum')
    return { field, code: 'not_allowed', message: `must be one of ${(params.allowedValues as unknown[]).join(', ')}` };
  if (keyword === 'format')
    return { field, code: `invalid_${params.format as string}`, message: `must be a ${(params.format as string).toUpperCase()}` };
  return { field, code: keyword === 'type' ? 'wrong_type' : 'not_allowed', message };
}
