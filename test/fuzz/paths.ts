import fc from 'fast-check';
import { newId } from '../../src/kernel/ids.js';
import type { Parameter } from '../support/law-document.js';
import { parametersFrom } from './bodies.js';
import { anyBytes, asBytes, oddText } from './odd-values.js';

/** What a request line cannot have within its target. */
const inTarget = (bytes: string): string => bytes.replace(/[\0\r\n\t ]/g, '-');

const oddSegment = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    '%2f',
    '%5c',
    '%00',
    '%ff',
    '%c0%af',
    '%ed%a0%80',
    '%',
    '%zz',
    '*',
    ';a=b',
    ':id',
    '{id}',
    '\xff',
    '__proto__',
    'constructor',
    'null',
    '0',
    '-1',
    'x'.repeat(200),
    'x'.repeat(7000),
    '%61'.repeat(500),
    '/'.repeat(50),
  ),
  fc.constant(newId()),
  fc.constant(newId().toUpperCase()),
  fc.webSegment(),
  anyBytes.map(inTarget),
  oddText.map((text) => encodeURIComponent(text.toWellFormed())),
);

const known = fc.constantFrom(
  'v1',
  'claim-projects',
  'webhooks',
  'deliveries',
  'audit',
  'events',
  'oauth',
  'authorize',
  'interaction',
  'mcp',
  'docs',
  'static',
  'swagger-ui.css',
  'swagger-ui-init.js',
  'json',
  'index.html',
  'problems',
  'not_found',
  'openapi.json',
  '.well-known',
  'oauth-protected-resource',
  'health',
  'invitations',
);

const anywhere = fc.array(fc.oneof(known, oddSegment), { maxLength: 5 }).map((segments) => `/${segments.join('/')}`);

const targets = fc.oneof(
  { weight: 6, arbitrary: anywhere },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '*',
      '',
      '/',
      '//',
      '///',
      '?',
      '/?',
      '/#',
      'x',
      'http://',
      'http://a:b@c/',
      'http:///v1',
      '\\',
      '/%',
      '/\xff',
    ),
  },
  { weight: 1, arbitrary: anywhere.map((path) => `http://localhost${path}`) },
);

/** Any target of a request. */
export const anyTarget = fc
  .tuple(targets, fc.option(anyBytes.map(inTarget), { freq: 3 }))
  .map(([path, query]) => (query === null ? path : `${path}?${query}`));

/** A template such as `/v1/webhooks/{webhook_id}` with ids of records in it, sometimes with something odd instead. */
export function pathsFrom(template: string, idsOf: (parameter: string) => readonly string[]): fc.Arbitrary<string> {
  const parts = template.split('/').map((part): fc.Arbitrary<string> => {
    if (!/^[{:*]/.test(part)) return fc.constant(part);
    const ids = idsOf(part.replace(/[{}:]/g, ''));
    return fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...ids) },
      { weight: 1, arbitrary: fc.constant(newId()) },
      { weight: 2, arbitrary: oddSegment },
    );
  });
  const path = fc.tuple(...parts).map((segments) => segments.join('/'));
  const spoilt = fc
    .tuple(
      path,
      fc.constantFrom<(path: string) => string>(
        (whole) => `${whole}/`,
        (whole) => `/${whole}`,
        (whole) => whole.toUpperCase(),
        (whole) => whole.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
        (whole) => `http://localhost${whole}`,
        (whole) => `${whole};a=b`,
        (whole) => `${whole}%20`,
        (whole) => `${whole}.json`,
        (whole) => `/docs/..${whole}`,
        (whole) => `${whole}#fragment`,
      ),
    )
    .map(([whole, spoil]) => spoil(whole));
  return fc.oneof({ weight: 19, arbitrary: path }, { weight: 1, arbitrary: spoilt });
}

/** Queries made from the declared parameters: none, some of them, invalid ones. */
export function queriesFrom(parameters: readonly Parameter[], ids: readonly string[]): fc.Arbitrary<string> {
  const valid = Object.fromEntries(parameters.map((parameter) => [parameter.name, valuesOf(parameter, ids)]));
  const some = fc
    .tuple(fc.subarray(Object.keys(valid)), fc.boolean())
    .chain(([names, isEmpty]) =>
      names.length === 0 || isEmpty ? fc.constant('') : parametersFrom(Object.fromEntries(names.map((name) => [name, valid[name]!]))),
    );
  const odd = fc.oneof(
    anyBytes.map(inTarget),
    oddText.map((text) => inTarget(asBytes(text))),
    fc.webQueryParameters(),
  );
  return fc.oneof({ weight: 9, arbitrary: some }, { weight: 1, arbitrary: odd });
}

function valuesOf({ schema, name }: Parameter, ids: readonly string[]): string[] {
  if (schema.enum) return schema.enum.map(String);
  if (schema.format === 'uuid') return [...ids, newId()];
  if (schema.format === 'date-time') return ['2026-01-01T00:00:00Z', '2099-01-01T00:00:00.000Z', '2026-01-01T00:00:00+02:00'];
  if (schema.type === 'integer') return ['1', '2', '200', '9007199254740991', '0', String(schema.maximum ?? 7)];
  return [name === 'search' ? 'berlin' : 'claim_project.', '%', '_', 'ß'];
}
