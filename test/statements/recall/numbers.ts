import type { Chance } from './chance.js';

/** Numbers with check digits, computed here as their countries define them and not by what the product checks them with. */
const sumOf = (digits: string, weights: readonly number[]): number =>
  Array.from(digits, Number).reduce((sum, digit, place) => sum + digit * weights[place % weights.length]!, 0);
const two = (number: number): string => String(number).padStart(2, '0');

/** The digit that makes the Luhn sum of all digits a multiple of ten. */
function luhnDigit(digits: string): string {
  let sum = 0;
  for (const [place, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return String((10 - (sum % 10)) % 10);
}

function rest97(text: string): bigint {
  return BigInt([...text].map((character) => String(parseInt(character, 36))).join('')) % 97n;
}

/** The national part of an IBAN. */
const NATIONAL: Readonly<Record<string, string>> = {
  GB: 'MIDL##############',
  DE: '##################',
  FR: '##########00#########*#',
  ES: '####################',
  IT: 'X##########00##########',
  PT: '#####################',
  NL: 'RABO0#########',
  PL: '########################',
  CZ: '####################',
  SE: '####################',
  FI: '##############',
  DK: '##############',
  NO: '###########',
};
const IBAN_OF_OTHERS = 'DE';

export function iban(chance: Chance, country: string): string {
  const code = country in NATIONAL ? country : IBAN_OF_OTHERS;
  const national = chance.filled(NATIONAL[code]!);
  const whole = `${code}${two(98 - Number(rest97(`${national}${code}00`)))}${national}`;
  return chance.one([whole, whole.replace(/(.{4})(?=.)/g, '$1 ')]);
}

export function card(chance: Chance): string {
  const digits = chance.filled(chance.one(['4##############', '51#############', '53#############', '2221###########']));
  const whole = digits + luhnDigit(digits);
  return chance.one([whole, whole.replace(/(.{4})(?=.)/g, '$1 '), whole.replace(/(.{4})(?=.)/g, '$1-')]);
}

interface Birth {
  readonly day: number;
  readonly month: number;
  readonly year: number;
}
const birth = (chance: Chance): Birth => ({ day: chance.from(1, 28), month: chance.from(1, 12), year: chance.from(1940, 1999) });

/** The last digit is what the rest of the sum leaves of eleven; numbers for which that has two digits are not given out. */
function withRestOf11(chance: Chance, form: string, checkOf: (digits: string) => number): string {
  for (;;) {
    const digits = chance.filled(form);
    const check = checkOf(digits);
    if (check < 10) return `${digits}${check}`;
  }
}

function steuerId(chance: Chance): string {
  const digits = chance.filled('*#########');
  let product = 10;
  for (const digit of digits) product = (((Number(digit) + product) % 10 || 10) * 2) % 11;
  const whole = `${digits}${(11 - product) % 10}`;
  return chance.one([whole, whole.replace(/(..)(...)(...)(...)/, '$1 $2 $3 $4')]);
}

function nir(chance: Chance): string {
  const { month, year } = birth(chance);
  const digits = `${chance.one(['1', '2'])}${two(year % 100)}${two(month)}${two(chance.from(1, 95))}${chance.filled('######')}`;
  const whole = `${digits}${two(97 - Number(BigInt(digits) % 97n))}`;
  return chance.one([whole, whole.replace(/(.)(..)(..)(..)(...)(...)(..)/, '$1 $2 $3 $4 $5 $6 $7')]);
}

function dni(chance: Chance): string {
  const digits = chance.filled('########');
  const letterOf = (number: number): string => 'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]!;
  const foreign = chance.filled('#######');
  return chance.one([
    `${digits}${letterOf(Number(digits))}`,
    `${digits}-${letterOf(Number(digits))}`,
    `Y${foreign}${letterOf(Number(`1${foreign}`))}`,
  ]);
}

const ODD_PLACES = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
function codiceFiscale(chance: Chance): string {
  const { day, month, year } = birth(chance);
  const letters = [1, 2, 3, 4, 5, 6].map(() => chance.one([...'BCDFGLMNPRSTVZ'])).join('');
  const code = `${letters}${two(year % 100)}${'ABCDEHLMPRST'[month - 1]!}${two(day)}${chance.one(['F', 'H', 'L'])}${chance.filled('###')}`;
  const sum = [...code].reduce((total, character, place) => {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65;
    return total + (place % 2 === 0 ? ODD_PLACES[value]! : value);
  }, 0);
  return code + String.fromCharCode(65 + (sum % 26));
}

function nif(chance: Chance): string {
  const digits = chance.one(['1', '2']) + chance.filled('#######');
  const rest = sumOf(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  const whole = `${digits}${rest < 2 ? 0 : 11 - rest}`;
  return chance.one([whole, whole.replace(/(...)(...)/, '$1 $2 ')]);
}

const bsn = (chance: Chance): string => withRestOf11(chance, '*#######', (digits) => sumOf(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);

function pesel(chance: Chance): string {
  const { day, month, year } = birth(chance);
  const digits = `${two(year % 100)}${two(month)}${two(day)}${chance.filled('####')}`;
  return `${digits}${(10 - (sumOf(digits, [1, 3, 7, 9]) % 10)) % 10}`;
}

function rodneCislo(chance: Chance): string {
  for (;;) {
    const { day, month, year } = birth(chance);
    const date = `${two(Math.max(year, 1954) % 100)}${two(month + chance.one([0, 50]))}${two(day)}`;
    const serial = chance.filled('####');
    if (Number(`${date}${serial}`) % 11 === 0) return chance.one([`${date}/${serial}`, `${date}/${serial}`, `${date}${serial}`]);
  }
}

function personnummer(chance: Chance): string {
  const { day, month, year } = birth(chance);
  const date = `${two(year % 100)}${two(month)}${two(day)}`;
  const serial = chance.filled('###');
  const end = `${serial}${luhnDigit(`${date}${serial}`)}`;
  return chance.one([`${date}-${end}`, `${Math.floor(year / 100)}${date}-${end}`, `${Math.floor(year / 100)}${date}${end}`]);
}

function hetu(chance: Chance): string {
  const { day, month, year } = birth(chance);
  const date = `${two(day)}${two(month)}${two(year % 100)}`;
  const serial = chance.filled('###');
  return `${date}-${serial}${'0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(`${date}${serial}`) % 31]!}`;
}

/** Without check digit, since Denmark gave it up. */
function cpr(chance: Chance): string {
  const { day, month, year } = birth(chance);
  return `${two(day)}${two(month)}${two(year % 100)}-${chance.filled('####')}`;
}

function fodselsnummer(chance: Chance): string {
  for (;;) {
    const { day, month, year } = birth(chance);
    const digits = `${two(day)}${two(month)}${two(year % 100)}${chance.filled('###')}`;
    const first = (11 - (sumOf(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11;
    const second = (11 - (sumOf(`${digits}${first}`, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
    const serial = `${digits.slice(6)}${first}${second}`;
    if (first < 10 && second < 10) return chance.one([`${digits.slice(0, 6)}${serial}`, `${digits.slice(0, 6)} ${serial}`]);
  }
}

const IDS: Readonly<Record<string, (chance: Chance) => string>> = {
  GB: (chance) => chance.one([chance.filled('AB ## ## ## C'), chance.filled('JK######D')]),
  US: (chance) => chance.filled('4##-2#-3###'),
  DE: steuerId,
  FR: nir,
  ES: dni,
  IT: codiceFiscale,
  PT: nif,
  NL: bsn,
  PL: pesel,
  CZ: rodneCislo,
  SE: personnummer,
  FI: hetu,
  DK: cpr,
  NO: fodselsnummer,
};
export const nationalId = (chance: Chance, country: string): string => IDS[country]!(chance);

function polishAccount(chance: Chance): string {
  const digits = iban(chance, 'PL').replace(/\D/g, '');
  return chance.one([digits, digits.replace(/(..)(....)(....)(....)(....)(....)/, '$1 $2 $3 $4 $5 $6 ')]);
}

const czechAccount = (chance: Chance): string =>
  `${withRestOf11(chance, '*########', (digits) => (11 - (sumOf(digits, [6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11)) % 11)}/0800`;

const norwegianAccount = (chance: Chance): string =>
  withRestOf11(chance, '*#########', (digits) => (11 - (sumOf(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11).replace(
    /(....)(..)/,
    '$1.$2.',
  );

function bankgiro(chance: Chance): string {
  const digits = chance.filled('*#####');
  return `${digits.slice(0, 3)}-${digits.slice(3)}${luhnDigit(digits)}`;
}

const ACCOUNTS: Readonly<Record<string, (chance: Chance) => string>> = {
  GB: (chance) => chance.filled('40-4#-*# ########'),
  PL: polishAccount,
  CZ: czechAccount,
  NO: norwegianAccount,
  SE: bankgiro,
};
/** In the notation of the country; an IBAN where no other is in use. */
export const account = (chance: Chance, country: string): string => (ACCOUNTS[country] ?? ((any) => iban(any, country)))(chance);
