import { expect, it } from 'vitest';
import { isCountry, isCurrency, isEmail } from './codes.js';
import { minorDigitsOf } from './money.js';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const pairs = letters.flatMap((first) => letters.map((second) => first + second));

it('a country is a code of ISO 3166-1 in capitals', () => {
  expect(pairs.filter(isCountry)).toHaveLength(249);
  expect(['DE', 'GB', 'US', 'XK', 'UK', 'EU', 'de', 'D', 'DEU', ''].map(isCountry)).toEqual([
    ...[true, true, true],
    ...Array<boolean>(7).fill(false),
  ]);
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  expect(pairs.filter((code) => isCountry(code) && names.of(code) === undefined)).toEqual([]);
});

it('a currency is a code of ISO 4217 in capitals, and each that has no cents is one', () => {
  const codes = pairs.flatMap((pair) => letters.map((third) => pair + third));
  const inUse = codes.filter(isCurrency);
  const known = new Set([...Intl.supportedValuesOf('currency'), 'SLE', 'XCG', 'ZWG']);
  expect(inUse.filter((code) => !known.has(code))).toEqual([]);
  expect(['EUR', 'JPY', 'DEM', 'XAU', 'XXX', 'XTS', 'eur', 'EURO', ''].map(isCurrency)).toEqual([
    true,
    true,
    ...Array<boolean>(7).fill(false),
  ]);
  const units = ['CLF', 'UYI', 'UYW'];
  expect(codes.filter((code) => minorDigitsOf(code) !== 2 && !isCurrency(code))).toEqual(units);
});

it.each([
  ['jane@accountants.example', true],
  ['jürgen@büro.example', true],
  ['jane', false],
  ['jane@', false],
  ['jane@a@b', false],
  ['jane doe@example.com', false],
  ['jane@example.com\u0000', false],
  [`${'x'.repeat(250)}@e.de`, false],
])('%j is an e-mail address: %s', (text, expected) => {
  expect(isEmail(text)).toBe(expected);
});
