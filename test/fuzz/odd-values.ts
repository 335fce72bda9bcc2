import fc from 'fast-check';

/** Text of any UTF-16 code units, including lone surrogates. */
export const anyText = fc.string({ unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 20 });

/** Any bytes, as text of one character for each. */
export const anyBytes = fc.string({ unit: fc.nat({ max: 0xff }).map((byte) => String.fromCharCode(byte)), maxLength: 40 });

/** Text whose UTF-8 bytes are its characters. */
export const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

export const oddNames = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  'id',
  'organizationId',
  'createdAt',
  '',
  ' ',
  'a.b',
  'a[0]',
  '$ref',
  '\u0000',
  '\ud800',
);

const oddTexts = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00\ud800',
  '\ufeff',
  '\u202e',
  'ﬁ',
  'İ',
  'ß',
  '%',
  '%00',
  '_',
  '\\',
  "'",
  '"',
  "'; DROP TABLE claim_projects; --",
  '${jndi:ldap://127.0.0.1/a}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-1',
  '0',
  '1e400',
  '9007199254740993',
  '99999999999999999999999999999999',
  'true',
  '[]',
  '{}',
  '2026-02-30',
  '2026-12-31',
  '0000-01-01',
  '9999-12-31',
  '-271821-04-20',
  '+275760-09-13T00:00:00.001Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-12-31T23:59:60Z',
  '1970-01-01T00:00:00.000000001Z',
  '0001-01-01T00:00:00+14:00',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'https://127.0.0.1/',
  'https://[::ffff:7f00:1]/',
  'https://user:password@example.com/',
  'https://example.com:0/',
  'https://xn--/',
  'https://a..b/',
  'http://0x7f.1/',
  'https://exämple.invalid/\u0000',
  'draft',
  'active',
  'archived',
  'test',
  'live',
);

export const oddText = fc.oneof(
  { weight: 6, arbitrary: oddTexts },
  { weight: 2, arbitrary: anyText },
  { weight: 1, arbitrary: fc.constantFrom(200, 201, 255, 256, 2048, 2049, 40_000).map((length) => 'x'.repeat(length)) },
  { weight: 1, arbitrary: fc.constantFrom(100, 200, 201).map((length) => '👩'.repeat(length)) },
);

/** Starts a text that `jsonText` writes as it is, without quotes. */
const RAW = '\u0001raw:';

/** What JSON does not allow, or a double cannot hold. */
const rawValue = fc
  .constantFrom(
    '1e999',
    '-1e999',
    '-0',
    '1E+2',
    '1e-400',
    '0.1e1',
    '123456789012345678901234567890',
    '9007199254740993',
    '0.10000000000000000000001',
    `${'9'.repeat(5000)}`,
    '01',
    '1.',
    '.5',
    '+1',
    '0x10',
    'NaN',
    'Infinity',
    'undefined',
    'True',
    "'x'",
    '"\\ud800"',
    '"\\u0000"',
    '"\\x41"',
    '"a\tb"',
    '"\\',
    '{"a":1,"a":2}',
    '{"__proto__":{"a":1}}',
    '[1,]',
    '{"a":1,}',
    '/**/1',
  )
  .map((raw) => RAW + raw);

/** A value as JSON, with the raw parts as they are. */
export function jsonText(value: unknown): string {
  // JSON.stringify escapes the character that marks raw parts.
  return (JSON.stringify(value) ?? '').replace(/"\\u0001raw:((?:[^"\\]|\\.)*)"/g, (_all, raw: string) => String(JSON.parse(`"${raw}"`)));
}

const nested = (depth: number, isList: boolean): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = isList ? [value] : { a: value };
  return value;
};

const large = fc.constantFrom(
  nested(19, false),
  nested(21, true),
  nested(99, true),
  nested(101, false),
  nested(3000, true),
  Array.from({ length: 3000 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`k${index}`, index])),
  { a: 'x'.repeat(32 * 1024) },
);

const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.integer(),
    anyText,
    oddNames,
    tie('list'),
    tie('record'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.dictionary(fc.oneof(anyText, oddNames), tie('value'), { maxKeys: 4 }),
}));

/** Any value in place of a valid one. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 20, arbitrary: oddText },
  {
    weight: 15,
    arbitrary: fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e21, 2 ** 31, 2 ** 53, [], {}, [null], [[]], [{}], ''),
  },
  { weight: 15, arbitrary: anyValue },
  { weight: 10, arbitrary: rawValue },
  { weight: 1, arbitrary: large },
);
