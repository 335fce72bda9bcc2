const digitsOf = (text: string): number[] => Array.from(text, Number);
const weighted = (digits: readonly number[], weights: readonly number[]): number =>
  digits.reduce((sum, digit, place) => sum + digit * weights[place % weights.length]!, 0);

/** ISO 7064 mod 97-10 over upper-case letters and digits, as for IBANs. */
export const mod97 = (text: string): number => Number(BigInt(Array.from(text, (character) => parseInt(character, 36)).join('')) % 97n);

export function isLuhn(digits: string): boolean {
  const sum = digitsOf(digits)
    .reverse()
    .reduce((total, digit, place) => total + (place % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}

/** US routing number: a Federal Reserve prefix and a checksum. */
export const isRouting = (digits: string): boolean =>
  /^(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/.test(digits) && !/^0+$/.test(digits) && weighted(digitsOf(digits), [3, 7, 1]) % 10 === 0;

/** ISO 7064 mod 11,10: the German tax id. */
export function isMod11And10(digits: string): boolean {
  const product = digitsOf(digits.slice(0, -1)).reduce((before, digit) => (((digit + before) % 10 || 10) * 2) % 11, 10);
  return (11 - product) % 10 === Number(digits.at(-1));
}

export const isEleven = (digits: string): boolean =>
  Number(digits) > 0 && weighted(digitsOf(digits), [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;

export const isEan13 = (digits: string): boolean => weighted(digitsOf(digits), [1, 3]) % 10 === 0;
export const isPesel = (digits: string): boolean => weighted(digitsOf(digits), [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;

/** Spain: a letter for the rest of 23; the first letter of a foreigner's number counts as a digit. */
export function isDni(number: string): boolean {
  const digits = number.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === number.at(-1);
}

/** France: 97 less the rest is the key; the departments of Corsica count as 19 and 18. */
export function isNir(number: string): boolean {
  const digits = number.replace('2A', '19').replace('2B', '18');
  return 97 - (Number(digits.slice(0, 13)) % 97) === Number(digits.slice(13));
}

export const isBelgian = (digits: string): boolean =>
  ['', '2'].some((century) => 97 - (Number(century + digits.slice(0, 9)) % 97) === Number(digits.slice(9)));

/** Finland: a letter or digit for the rest of 31. */
export const isHetu = (number: string): boolean =>
  '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(number.replace(/\D/g, '').slice(0, 9)) % 31] === number.at(-1);

/** What a letter or digit counts at the odd places of an Italian tax code; at the even ones it counts as itself. */
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
export function isCodiceFiscale(code: string): boolean {
  const values = Array.from(code.slice(0, -1), (character) => (character > '9' ? character.charCodeAt(0) - 65 : Number(character)));
  const sum = values.reduce((total, value, place) => total + (place % 2 === 0 ? ODD[value]! : value), 0);
  return String.fromCharCode(65 + (sum % 26)) === code.at(-1);
}

/** Norway: two check digits, the second of which includes the first. */
export const isBirthNumber = (digits: string): boolean =>
  weighted(digitsOf(digits.slice(0, 10)), [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
  weighted(digitsOf(digits), [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;

export const isDivisibleBy11 = (digits: string): boolean => Number(digits) % 11 === 0;

/** Portugal: the last digit is what the rest leaves of eleven, or zero. */
export function isNif(digits: string): boolean {
  const rest = weighted(digitsOf(digits.slice(0, 8)), [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return Number(digits.at(-1)) === (rest < 2 ? 0 : 11 - rest);
}

/** Brazil: two check digits, the second of which includes the first. */
export const isCpf = (digits: string): boolean =>
  !/^(\d)\1*$/.test(digits) &&
  [9, 10].every((place) => {
    const weights = Array.from({ length: place }, (_, index) => place + 1 - index);
    return ((weighted(digitsOf(digits.slice(0, place)), weights) * 10) % 11) % 10 === Number(digits[place]);
  });

/** Poland: the digits of an IBAN without its country. */
export const isNrb = (digits: string): boolean => mod97(`${digits.slice(2)}PL${digits.slice(0, 2)}`) === 1;

/** Hungary: the bank with its branch, and the account, each with a check digit. */
export const isHungarianAccount = (digits: string): boolean =>
  [digits.slice(0, 8), digits.slice(8)].every((part) => weighted(digitsOf(part), [9, 7, 3, 1]) % 10 === 0) && !/^0+$/.test(digits.slice(8));

/** Czechia and Slovakia: a number of at most ten digits, or the prefix of one. */
export const isCzechNumber = (digits: string): boolean =>
  weighted(digitsOf(digits.padStart(10, '0')), [6, 3, 7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0;

export const isNorwegianAccount = (digits: string): boolean =>
  Number(digits) > 0 && weighted(digitsOf(digits), [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
