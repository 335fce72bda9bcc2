import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIST_MAX_BYTES } from '../../kernel/product.js';
import { Problem } from '../../kernel/problems.js';
import type { Answer } from './call.js';
import type { RegisteredOperation } from '../operation/operation.js';

const SIZE_PARAMETERS = ['page_size', 'limit'];
/** From this size on, a text is made bytes once. Node would do so twice: to find the length and to send it. */
const LARGE = 64 * 1024;
/** How much of a list is made in one turn of the event loop: a few milliseconds. The calls of others go on in between. */
const SLICE_LENGTH = 512 * 1024;

type List = Readonly<Record<string, unknown>> & { readonly data: readonly unknown[] };

const isList = (record: unknown): record is List =>
  typeof record === 'object' && record !== null && 'data' in record && Array.isArray(record.data);

/** Beyond `LIST_MAX_BYTES`, the caller asks for a smaller page: one with fewer records than asked for would look like the last one. */
export async function answerText(
  { query: type }: Pick<RegisteredOperation, 'query'>,
  query: Readonly<Record<string, unknown>>,
  record: unknown,
): Promise<Answer['body']> {
  const text = isList(record) ? await listText(record) : (JSON.stringify(record) as string | undefined);
  if (text === undefined || (typeof text === 'string' && text.length < LARGE)) return text;
  const slices = typeof text === 'string' ? [Buffer.from(text)] : text;
  const bytes = lengthOf(slices);
  const field = bytes > LIST_MAX_BYTES ? sizeParameterOf(type, query) : undefined;
  if (field !== undefined) throw tooLarge(field, bytes);
  return slices;
}

export const lengthOf = (slices: readonly Buffer[]): number => slices.reduce((bytes, slice) => bytes + slice.length, 0);

/** Lists become text record by record. As a whole, one of 8 MiB would hold up the calls of others while it is made. */
async function listText(list: List): Promise<string | Buffer[]> {
  const slices = slicesOf(list);
  const [first, second] = [slices.next(), slices.next()];
  if (second.done) return first.value!;
  const bytes = [first.value!, second.value].map((slice) => Buffer.from(slice));
  for (const slice of slices) {
    await nextTurn();
    bytes.push(Buffer.from(slice));
  }
  return bytes;
}

/** The same text as that of `JSON.stringify`. */
function* slicesOf({ data, ...others }: List): Generator<string, undefined> {
  let slice = '{"data":[';
  let separator = '';
  for (const record of data) {
    slice += separator + JSON.stringify(record);
    separator = ',';
    if (slice.length < SLICE_LENGTH) continue;
    yield slice;
    slice = '';
  }
  const rest = JSON.stringify(others).slice(1);
  yield `${slice}]${rest === '}' ? '' : ','}${rest}`;
  return undefined;
}

function sizeParameterOf(type: RegisteredOperation['query'], query: Readonly<Record<string, unknown>>): string | undefined {
  const fields = type ? Object.keys(new type()) : [];
  // No page has less than one record.
  return SIZE_PARAMETERS.find((name) => fields.includes(name) && Number(query[name]) !== 1);
}

function tooLarge(field: string, bytes: number): Problem {
  const mebibytes = (size: number): string => (size / 1024 ** 2).toFixed(1);
  const message = `must be smaller: the answer would have ${mebibytes(bytes)} MiB, and a list has at most ${mebibytes(LIST_MAX_BYTES)} MiB`;
  return Problem.validation([{ location: 'query', field, code: 'answer_too_large', message }]);
}
