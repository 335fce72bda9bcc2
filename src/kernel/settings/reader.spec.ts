import { describe, expect, it } from 'vitest';
import { durationMs, integer, json, list, oneOf, parseDurationMs, text, url } from './reader.js';

describe('a duration', () => {
  it.each([
    ['0s', 0],
    ['500ms', 500],
    ['5s', 5000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['30d', 2_592_000_000],
    ['007s', 7000],
    ['36500d', 36_500 * 86_400_000],
  ])('%s is %i ms', (value, ms) => {
    expect(parseDurationMs(value)).toBe(ms);
  });

  it.each(['', '5', 's', '-5s', '1.5h', '5 s', '5S', '5sec', '1h30m', '1e3s', '٥s', '5s\n', '36501d', '999999999d', '9999999999ms'])(
    'is not “%s”',
    (value) => {
      expect(() => parseDurationMs(value)).toThrow(/^must be a duration/);
    },
  );

  it('is shown in documents as it is written', () => {
    expect(durationMs('X', { fallback: '24h', about: '' })).toMatchObject({ fallback: 86_400_000, shownDefault: '24h' });
  });
});

it('accepts a whole number within its bounds, in digits', () => {
  const { parse } = integer('X', { min: 1, max: 100 }, { fallback: 1, about: '' });
  expect([parse('1'), parse('100'), parse('007')]).toEqual([1, 100, 7]);
  for (const value of ['0', '101', '-1', '1.0', '1e1', '0x10', ' 1', 'one', '1,000', '99999999999999999999'])
    expect(() => parse(value), value).toThrow('must be a whole number from 1 to 100');
});

it('accepts one of the listed values', () => {
  const { parse } = oneOf('X', ['all', 'api'], { fallback: 'all', about: '' });
  expect(parse('api')).toBe('api');
  for (const value of ['API', 'api ', 'none', 'toString']) expect(() => parse(value)).toThrow('must be one of all, api');
});

it('splits a list at commas, and checks every item', () => {
  const { parse, shownDefault } = list('X', (item) => (item.length > 2 ? 'which is too long' : undefined), { fallback: [], about: '' });
  expect(parse(' a, bc ,,d,')).toEqual(['a', 'bc', 'd']);
  expect(() => parse('a,xyz')).toThrow('holds "xyz", which is too long');
  expect(shownDefault).toBe('none');
});

it('requires one of the protocols of a URL, and drops slashes at its end', () => {
  const { parse } = url('X', ['http:', 'https:'], { fallback: undefined, about: '' });
  expect([parse('https://claims.example/'), parse('http://127.0.0.1:3000'), parse('https://x.example/api//')]).toEqual([
    'https://claims.example',
    'http://127.0.0.1:3000',
    'https://x.example/api',
  ]);
  for (const value of ['claims.example', 'ftp://x', 'https//x', 'javascript:alert(1)', '/', 'redis://x'])
    expect(() => parse(value), value).toThrow('must be a URL that begins with http:// or https://');
});

it('parses JSON, and then checks the value', () => {
  const { parse } = json('X', (value) => Object.keys(value as object), { fallback: [], about: '' });
  expect(parse('{"a":1}')).toEqual(['a']);
  for (const value of ['{a:1}', 'x', '{']) expect(() => parse(value)).toThrow('must be JSON');
});

it('shows the default, or none', () => {
  expect(text('X', { fallback: '.data', about: '' }).shownDefault).toBe('.data');
  expect(text('X', { fallback: undefined, about: '' }).shownDefault).toBe('none');
  expect(text('X', { fallback: undefined, shown: 'from host', about: '' }).shownDefault).toBe('from host');
});
