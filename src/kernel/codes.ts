import { wordSections } from './package-folder.js';

const CODES = wordSections<'country' | 'currency'>('iso-codes');
/** The officially assigned codes of ISO 3166-1 alpha-2. A table, because Intl's data changes with the version of Node. */
export const COUNTRY_CODES = CODES.get('country')!;
const COUNTRIES = new Set(COUNTRY_CODES);

/** The codes of ISO 4217 for currencies in use. Codes for funds, metals and tests are not among them. */
const CURRENCIES = new Set(CODES.get('currency'));

export const isCountry = (code: string): boolean => COUNTRIES.has(code);
export const isCurrency = (code: string): boolean => CURRENCIES.has(code);

/** The longest address that mail servers accept (RFC 5321). */
export const EMAIL_MAX_LENGTH = 254;

/** Only a mail can show whether an address exists. White space and control characters are never part of one. */
export const isEmail = (text: string): boolean => /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text) && text.length <= EMAIL_MAX_LENGTH;
