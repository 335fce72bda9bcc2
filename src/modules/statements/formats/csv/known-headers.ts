import { keyOf } from './named-column.js';

/** Exports of cards that write charges without a sign and payments with a minus sign. Nothing in the files says so but their headers. */
const CHARGES_POSITIVE: readonly string[] = [
  // American Express, in several countries and with more or less detail
  'Date,Description,Card Member,Account #,Amount',
  'Date,Receipt,Description,Card Member,Account #,Amount',
  'Date,Description,Amount,Extended Details,Appears On Your Statement As,Address,City/State,Zip Code,Country,Reference,Category',
  'Date,Description,Card Member,Account #,Amount,Extended Details,Appears On Your Statement As,Address,City/State,Zip Code,Country,' +
    'Reference,Category',
  'Date,Description,Amount,Extended Details,Appears On Your Statement As,Address,Town/City,Postcode,Country,Reference,Category',
  'Date,Description,Card Member,Account #,Amount,Extended Details,Appears On Your Statement As,Address,Town/City,Postcode,Country,' +
    'Reference,Category',
  'Datum,Beschreibung,Karteninhaber,Konto #,Betrag',
  'Datum,Beschreibung,Karteninhaber,Konto #,Betrag,Weitere Details,Erscheint auf Ihrer Abrechnung als,Adresse,Stadt,PLZ,Land,Betreff',
  // Apple Card
  'Transaction Date,Clearing Date,Description,Merchant,Category,Type,Amount (USD)',
  'Transaction Date,Clearing Date,Description,Merchant,Category,Type,Amount (USD),Purchased By',
  // Discover
  'Trans. Date,Post Date,Description,Amount,Category',
];

/** Equal for headers with equal names, in whatever order, case and accents. */
export const fingerprintOf = (header: readonly string[]): string => header.map(keyOf).filter(Boolean).sort().join(' ');

const FINGERPRINTS: ReadonlySet<string> = new Set(CHARGES_POSITIVE.map((header) => fingerprintOf(header.split(','))));

export const hasChargesPositive = (header: readonly string[]): boolean => FINGERPRINTS.has(fingerprintOf(header));
