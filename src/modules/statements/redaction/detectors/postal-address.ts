import { findingsOf, type Finding } from '../finding.js';
import type { SearchableText } from '../searchable-text.js';

const BEFORE = '(?<![\\p{L}\\p{N}.-])';
const AFTER = '(?![\\p{L}\\p{N}])';
const HOUSE = '\\d{1,4}(?: ?[a-z])?';
const CITY = '(?: \\p{L}[\\p{L}-]{2,30})?';

const ENGLISH_STREET =
  'street|st|road|rd|avenue|ave|lane|ln|close|drive|dr|way|court|ct|place|pl|gardens|gdns|terrace|crescent|cres|' +
  'square|sq|hill|grove|mews|row|walk|boulevard|blvd|parkway|pkwy|highway|hwy';
const STATES = 'a[klrz]|c[aot]|d[ce]|fl|ga|hi|i[adln]|k[sy]|la|m[adeinost]|n[cdehjmvy]|o[hkr]|pa|ri|s[cd]|t[nx]|ut|v[at]|w[aivy]';
const STREET_IN_ENGLISH = `\\d{1,5}[a-z]?,? (?:[\\p{L}'.-]{1,20} ){1,4}?(?:${ENGLISH_STREET})(?![\\p{L}\\p{N}])[.,]?`;
const GERMANIC_STREET =
  'straße|strasse|str\\.?|weg|platz|allee|gasse|ring|damm|ufer|steig|chaussee|promenade|straat|laan|plein|kade|gracht|dijk|singel|dreef';
const FRENCH_STREET = 'rue|avenue|av|boulevard|bd|place|allée|allee|chemin|impasse|quai|route|cours';

/** Street, house number and postcode in the notation of the country. Less than that may be a shop or an invoice number. */
const ADDRESSES: readonly RegExp[] = [
  // United Kingdom.
  new RegExp(`${BEFORE}(${STREET_IN_ENGLISH}(?:,? [\\p{L}'.-]{1,20},?){0,4} [a-z]{1,2}\\d[a-z\\d]? ?\\d[a-z]{2})${AFTER}`, 'giu'),
  // United States.
  new RegExp(`${BEFORE}(${STREET_IN_ENGLISH}(?:,? [\\p{L}\\d#'.-]{1,20},?){0,6} (?:${STATES}),? \\d{5}(?:-\\d{4})?)${AFTER}`, 'giu'),
  // Germany, Austria, Switzerland, Netherlands: four digits alone may be a year, so a place has to follow them.
  new RegExp(
    `${BEFORE}((?:[\\p{L}.-]{1,30} (?:${GERMANIC_STREET})|` +
      `[\\p{L}.-]{0,30}?(?:${GERMANIC_STREET})) ?${HOUSE},? (?:(?:d-?)?\\d{5}${CITY}|(?:a-|` +
      `ch-)?\\d{4}(?: ?[a-z]{2}(?!\\p{L})${CITY}| \\p{L}[\\p{L}-]{2,30})))${AFTER}`,
    'giu',
  ),
  // France.
  new RegExp(`${BEFORE}(\\d{1,4}(?: ?(?:bis|ter))?,? (?:${FRENCH_STREET})(?: [\\p{L}'.-]{1,20}){1,6}?,? \\d{5}${CITY})${AFTER}`, 'giu'),
];

export const findPostalAddresses = ({ hasDigits, text }: SearchableText): readonly Finding[] =>
  hasDigits ? ADDRESSES.flatMap((pattern) => findingsOf('postal_address', pattern, text)) : [];
