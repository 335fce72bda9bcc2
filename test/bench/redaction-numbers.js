// Valid numbers of each kind, generated without the code that detects them. They are random, so they belong to nobody.
import { countrySpecs } from 'ibantools';

/** A seeded pseudo-random generator, which returns the same values each time (mulberry32). */
export function chanceOf(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit) => Math.floor(next() * limit);
  const oneOf = (list) => list[below(list.length)];
  const some = (letters, count) => Array.from({ length: count }, () => letters[below(letters.length)]).join('');
  return { next, below, oneOf, digits: (count) => some('0123456789', count), some, between: (from, to) => from + below(to - from + 1) };
}

const two = (number) => String(number).padStart(2, '0');
/** The number with the check digit that makes it valid. */
const withCheck = (number, passes) => [...'0123456789'].map((digit) => number + digit).find(passes);
const sum = (number, weightOf) => [...number].reduce((total, digit, place) => total + weightOf(Number(digit), place), 0);
const luhn = (number) =>
  sum([...number].reverse().join(''), (digit, place) => (place % 2 ? [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit] : digit)) % 10 === 0;

const COUNTRIES = Object.entries(countrySpecs)
  .filter(([, { IBANRegistry }]) => IBANRegistry)
  .map(([country, { bban_regexp: form }]) => ({ country, parts: [...form.matchAll(/\[([^\]]+)\]\{(\d+)\}/g)] }))
  .filter(({ country, parts }) => parts.reduce((length, [, , count]) => length + Number(count), 4) === countrySpecs[country].chars);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export function ibanOf(chance) {
  const { country, parts } = chance.oneOf(COUNTRIES);
  const national = parts
    .map(([, letters, count]) =>
      chance.some(`${letters.includes('0') ? '0123456789' : ''}${letters.includes('A') ? LETTERS : ''}`, Number(count)),
    )
    .join('');
  const value = BigInt([...`${national}${country}00`].map((letter) => parseInt(letter, 36)).join(''));
  return `${country}${two(98n - (value % 97n))}${national}`;
}

export function cardOf(chance) {
  const [prefix, length] = chance.oneOf([
    ['4', 16],
    ['4', 16],
    ['51', 16],
    ['54', 16],
    ['2221', 16],
    ['2720', 16],
    ['34', 15],
    ['37', 15],
    ['6011', 16],
    ['65', 16],
    ['36', 14],
    ['3528', 16],
    ['62', 16],
    ['6759', 16],
  ]);
  return withCheck(prefix + chance.digits(length - prefix.length - 1), luhn);
}

export const routingOf = (chance) =>
  withCheck(
    chance.oneOf(['01', '02', '05', '11', '12', '21', '26', '32']) + chance.digits(6),
    (number) => sum(number, (digit, place) => digit * [3, 7, 1][place % 3]) % 10 === 0,
  );

const date = (chance) => ({ year: two(chance.between(40, 99)), month: two(chance.between(1, 12)), day: two(chance.between(1, 28)) });

/** The check digit of a German tax id follows ISO 7064 mod 11,10. */
function taxIdOf(chance) {
  const number = chance.between(1, 9) + chance.digits(9);
  let product = 10;
  for (const digit of number) {
    let rest = (Number(digit) + product) % 10;
    if (rest === 0) rest = 10;
    product = (rest * 2) % 11;
  }
  return number + (product === 1 ? 0 : 11 - product);
}

function bsnOf(chance) {
  for (;;) {
    const number = chance.between(1, 9) + chance.digits(8);
    if (sum(number, (digit, place) => digit * (place === 8 ? -1 : 9 - place)) % 11 === 0) return number;
  }
}

const DNI = 'TRWAGMYFPDXBNJZSQVHLCKE';
const ODD = {
  0: 1,
  1: 0,
  2: 5,
  3: 7,
  4: 9,
  5: 13,
  6: 15,
  7: 17,
  8: 19,
  9: 21,
  A: 1,
  B: 0,
  C: 5,
  D: 7,
  E: 9,
  F: 13,
  G: 15,
  H: 17,
  I: 19,
  J: 21,
  K: 2,
  L: 4,
  M: 18,
  N: 20,
  O: 11,
  P: 3,
  Q: 6,
  R: 8,
  S: 12,
  T: 14,
  U: 16,
  V: 10,
  W: 22,
  X: 25,
  Y: 24,
  Z: 23,
};

function codiceFiscaleOf(chance) {
  const { year, day } = date(chance);
  const code = `${chance.some('BCDFGLMNPRSTVZ', 6)}${year}${chance.oneOf('ABCDEHLMPRST')}${day}${chance.oneOf('ABCDEFGHIL')}${chance.digits(3)}`;
  const total = [...code].reduce(
    (before, letter, place) => before + (place % 2 === 0 ? ODD[letter] : letter > '9' ? letter.charCodeAt(0) - 65 : Number(letter)),
    0,
  );
  return code + LETTERS[total % 26];
}

function nirOf(chance) {
  const { year, month } = date(chance);
  const number = `${chance.oneOf('12')}${year}${month}${two(chance.between(1, 95))}${chance.digits(6)}`;
  return number + two(97n - (BigInt(number) % 97n));
}

function personnummerOf(chance) {
  const { year, month, day } = date(chance);
  return withCheck(`${year}${month}${day}${chance.digits(3)}`, luhn).replace(/^.{6}/, '$&-');
}

function hetuOf(chance) {
  const { year, month, day } = date(chance);
  const serial = chance.digits(3);
  return `${day}${month}${year}-${serial}${'0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(`${day}${month}${year}${serial}`) % 31]}`;
}

const spanishOf = (chance) => {
  const digits = chance.digits(8);
  return digits + DNI[Number(digits) % 23];
};
const foreignerOf = (chance) => {
  const [first, digits] = [chance.below(3), chance.digits(7)];
  return 'XYZ'[first] + digits + DNI[Number(first + digits) % 23];
};
const peselOf = (chance) =>
  withCheck(chance.digits(10), (number) => sum(number, (digit, place) => digit * [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1][place]) % 10 === 0);
const ahvOf = (chance) =>
  withCheck(`756${chance.digits(9)}`, (number) => sum(number, (digit, place) => digit * (place % 2 ? 3 : 1)) % 10 === 0).replace(
    /^(...)(....)(....)(..)$/,
    '$1.$2.$3.$4',
  );

/** Ids with check digits, each with the text before it. */
export const CHECKED_IDS = [
  ['Steuer-ID ', taxIdOf],
  ['IdNr. ', taxIdOf],
  ['BSN ', bsnOf],
  ['BSN: ', bsnOf],
  ['DNI ', spanishOf],
  ['', spanishOf],
  ['NIE ', foreignerOf],
  ['CF ', codiceFiscaleOf],
  ['', codiceFiscaleOf],
  ['NIR ', nirOf],
  ['', personnummerOf],
  ['', hetuOf],
  ['PESEL ', peselOf],
  ['AHV ', ahvOf],
];
/** Ids without check digits. */
export const PLAIN_IDS = [
  ['NI ', (chance) => `${chance.some('ABCEHJLMPRSWXY', 1)}${chance.some('ABCEHJLMPRSWXYZ', 1)}${chance.digits(6)}${chance.oneOf('ABCD')}`],
  ['SSN ', (chance) => `${chance.between(100, 665)}-${two(chance.between(1, 99))}-${chance.between(1000, 9999)}`],
];
