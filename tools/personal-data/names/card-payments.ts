import { wordSections } from '../word-lists.js';

const PAYMENTS = wordSections<'card' | 'direct debit' | 'transfer'>('payment-words');
const saying = (payment: 'card' | 'direct debit' | 'transfer'): ((text: string) => boolean) => {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${PAYMENTS.get(payment)!.join('|')})(?![\\p{L}])`, 'iu');
  return (text) => pattern.test(text);
};

/** Words with which banks mark card payments, in the languages of our readers. Such payments go to shops. */
export const isCardPaymentText = saying('card');

/** What only the terminals of shops write: their number, or the code of the merchant's trade. */
const TERMINAL =
  /(?<![\p{L}\p{N}])(?:terminal|term\.?|tid|mcc|pasnr\.?|pas ?nr\.?|kartennr\.?|transactie ?term)[ :.#]{0,3}[\p{L}\d]{0,3}\d{3,}/iu;
export const hasTerminal = (text: string): boolean => TERMINAL.test(text);

/** Words of direct debits. Only organisations have the identifier that collecting them takes. */
export const isDirectDebitText = saying('direct debit');

/** A place with its country after a comma, as at the end of what terminals write. */
const PLACE_AND_COUNTRY = /\p{L}, ?(?:AT|BE|CH|CZ|DE|DK|ES|FI|FR|GB|IE|IT|LU|NL|NO|NZ|PL|PT|SE|US)\s*$/u;
export const hasPlaceAndCountry = (text: string): boolean => PLACE_AND_COUNTRY.test(text);

/** Words of transfers, which go to people as well as to firms. */
export const isTransferText = saying('transfer');
