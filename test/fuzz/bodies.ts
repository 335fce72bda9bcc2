import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { newId } from '../../src/kernel/ids.js';
import { anyCategoryFilter, anyOutputOptions, anySourceMapping } from '../support/rule-documents.js';
import { anyText, asBytes, jsonText, oddNames, oddText, oddValue } from './odd-values.js';

type Document = Record<string, unknown>;
type Change = (document: Document) => Document;

/** Stands in a body for a text that no other request has. */
export const UNIQUE = '\u0001unique';

type Path = readonly (string | number)[];

/** Odd values may be deeper. */
const LEVELS = 7;

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || path.length === LEVELS) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [...(path.length > 0 ? [path] : []), ...keys.flatMap((key) => pathsIn((value as Document)[key], [...path, key]))];
}

/** A copy in which the value at a path is another one. */
function withValue(value: unknown, [key, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as Document) }) as Document;
  const changed = withValue(copy[key], rest, change);
  if (changed === undefined) Reflect.deleteProperty(copy, key);
  else Object.defineProperty(copy, key, { value: changed, enumerable: true, configurable: true, writable: true });
  return copy;
}

const somewhere =
  (where: number, change: (old: unknown) => unknown): Change =>
  (document) => {
    const paths = pathsIn(document);
    const path = paths[where % paths.length];
    return path && path.length > 0 ? (withValue(document, path, change) as Document) : document;
  };

/** Ways to change a body. `names` are all properties that bodies have. */
function changesOf(names: readonly string[]): fc.Arbitrary<Change> {
  const where = fc.nat({ max: 10_000 });
  const name = fc.oneof(fc.constantFrom(...names), oddNames, anyText);
  const inRules = fc.oneof(
    anySourceMapping.map((sourceMapping) => ({ sourceMapping })),
    anyCategoryFilter.map((categoryFilter) => ({ categoryFilter })),
    anyOutputOptions.map((outputOptions) => ({ outputOptions })),
  );
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(where, oddValue).map(([at, value]) => somewhere(at, () => value)) },
    { weight: 2, arbitrary: where.map((at) => somewhere(at, () => undefined)) },
    { weight: 1, arbitrary: where.map((at) => somewhere(at, (old) => [old])) },
    { weight: 1, arbitrary: where.map((at) => somewhere(at, (old) => ({ a: old }))) },
    {
      weight: 3,
      arbitrary: fc.tuple(name, oddValue).map(
        ([key, value]): Change =>
          (document) =>
            withValue(document, [key], () => value) as Document,
      ),
    },
    {
      weight: 1,
      arbitrary: inRules.map((rules): Change => (document) => ({ ...document, ...rules })),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(inRules, where, oddValue).map(([rules, at, value]): Change => (document) => ({
        ...document,
        ...(somewhere(at, () => value)(rules) as object),
      })),
    },
  );
}

const junk = fc.constantFrom('\ufeff', '}', '{', '{}', 'x', '\u0000', ' ', ',', '[', '//', '\r\n\r\n', '['.repeat(500));

/** Ways to spoil the bytes of a body. */
const spoilers: fc.Arbitrary<(text: string) => string> = fc.oneof(
  fc.nat({ max: 300 }).map((length) => (text: string) => text.slice(0, length)),
  junk.map((more) => (text: string) => text + more),
  junk.map((more) => (text: string) => asBytes(more) + text),
  fc.tuple(fc.nat({ max: 300 }), fc.constantFrom('\xff', '\xc3', '\xed\xa0\x80', '\xc0\xaf', '\0')).map(
    ([at, bytes]) =>
      (text: string) =>
        text.slice(0, at) + bytes + text.slice(at),
  ),
  fc.constant((text: string) => `[${text}]`),
  fc.constant((text: string) => `{"name":1,${text.slice(1)}`),
  fc.constant((text: string) => gzipSync(Buffer.from(text, 'latin1')).toString('latin1')),
  fc.constant((text: string) => Buffer.from(text, 'utf16le').toString('latin1')),
  oddValue.map((value) => () => asBytes(jsonText(value))),
  fc.constant(() => ''),
);

/** Bodies made from a valid one: it as it is, changed, or with its bytes spoilt. The text has one character for each byte. */
export function bodiesFrom(valid: Document, names: readonly string[]): fc.Arbitrary<string> {
  const change = changesOf(names);
  const changes = fc.oneof(
    { weight: 4, arbitrary: fc.constant<Change[]>([]) },
    { weight: 5, arbitrary: fc.array(change, { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(change, { minLength: 2, maxLength: 4 }) },
  );
  const changed = changes.map((all) => all.reduce((body, apply) => apply(body), valid));
  const text = changed.map((body) => asBytes(jsonText(body).replaceAll(JSON.stringify(UNIQUE), () => JSON.stringify(newId()))));
  return fc.oneof({ weight: 6, arbitrary: text }, { weight: 1, arbitrary: fc.tuple(text, spoilers).map(([whole, spoil]) => spoil(whole)) });
}

/** A form or a query made from valid parameters. */
export function parametersFrom(valid: Readonly<Record<string, readonly string[]>>): fc.Arbitrary<string> {
  const names = Object.keys(valid);
  const name = fc.oneof(fc.constantFrom(...names, 'no_such_parameter', ...names.map((known) => `${known}[]`)), oddNames);
  const value = fc.oneof(oddText, fc.constantFrom(...Object.values(valid).flat(), ''));
  const pair = fc.tuple(name, value).map(([key, text]) => `${encode(key)}=${encode(text)}`);
  const raw = fc.oneof(fc.constantFrom('%', '%zz', '%ff', '%00=%00', '=', '&', 'a', '==', ';', '+', '%u0041', '[]', 'a[b][c]=1'), pair);
  const kept = fc.tuple(...names.map((key) => fc.option(fc.constantFrom(...valid[key]!), { freq: 20 })));
  return fc.tuple(kept, fc.array(fc.oneof(pair, raw), { maxLength: 2 }), fc.nat({ max: 2 })).map(([values, more, isOdd]) => {
    const pairs = values.flatMap((given, index) => (given === null ? [] : [`${encode(names[index]!)}=${encode(given)}`]));
    return [...pairs, ...(isOdd === 0 ? more : [])].join('&');
  });
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
