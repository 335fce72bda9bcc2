import { Problem } from '../../kernel/problems.js';
import { errorIn, inexactNumbers, placeIn } from './json-text.js';

/** More levels than any field may have. A megabyte of brackets would block the process in JSON.parse for a third of a second. */
export const DEPTH_MAX = 100;
/** A double holds every number of so many digits. */
const EXACT_DIGITS = 15;
const [QUOTE, BACKSLASH, OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = Buffer.from('"\\{[}]');
const [ZERO, NINE, POINT, SMALL_E, LARGE_E] = Buffer.from('09.eE') as unknown as [number, number, number, number, number];

/** Reads the bytes once, for what must be known before they are parsed, or is lost afterwards. */
function lookThrough(bytes: Buffer): { isTooDeep: boolean; mayBeInexact: boolean } {
  let depth = 0;
  let inText = false;
  let digits = 0;
  let mayBeInexact = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]!;
    if (byte === QUOTE) inText = !inText;
    else if (inText) index += byte === BACKSLASH ? 1 : 0;
    else if (byte >= ZERO && byte <= NINE) {
      digits += 1;
      if (digits > EXACT_DIGITS) mayBeInexact = true;
    } else if (byte !== POINT) {
      if (digits > 0 && (byte === SMALL_E || byte === LARGE_E)) mayBeInexact = true;
      digits = 0;
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
      if (depth > DEPTH_MAX) return { isTooDeep: true, mayBeInexact };
    }
  }
  return { isTooDeep: false, mayBeInexact };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes as JSON. The problem says where they are none, and which numbers would be stored as others. */
export function parseJson(bytes: Buffer): unknown {
  const { isTooDeep, mayBeInexact } = lookThrough(bytes);
  if (isTooDeep) throw new Problem('malformed_json', { detail: `The body is nested deeper than ${DEPTH_MAX} levels.` });
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed(text, cause);
  }
  if (mayBeInexact) requireExactNumbers(text);
  return value;
}

export function requireObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('malformed_json', { detail: 'The body must be a JSON object.' });
  return value as Record<string, unknown>;
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    const lenient = bytes.toString();
    // What could not be decoded was replaced, so the bytes differ from there on.
    const again = Buffer.from(lenient);
    const wrong = bytes.findIndex((byte, index) => byte !== again[index]);
    const before = bytes.subarray(0, wrong).toString();
    throw new Problem('malformed_json', { detail: `The body is not UTF-8 at ${placeIn(before, before.length)}.`, cause });
  }
}

function malformed(text: string, cause: unknown): Problem {
  const error = errorIn(text);
  if (!error) return new Problem('malformed_json', { cause });
  const place = placeIn(text, error.index);
  return new Problem('malformed_json', { detail: `The body is not JSON at ${place}: ${error.message} is expected.`, cause });
}

function requireExactNumbers(text: string): void {
  const fields = inexactNumbers(text);
  if (fields.length === 0) return;
  const message = 'must be a number that a double can hold exactly, or a string';
  throw Problem.validation(fields.map((field) => ({ location: 'body', field, code: 'inexact_number', message })));
}
