import type { RunLine } from '../inputs.js';

/** Words that banks add to any booking, and words of tokens. They say nothing about which booking it is. */
// prettier-ignore
const GENERIC = new Set([
  'ACCOUNT', 'PERSON', 'CARD', 'PAYMENT', 'TRANSFER', 'DIRECT', 'DEBIT', 'CREDIT', 'STANDING', 'ORDER', 'PURCHASE', 'SEPA', 'FASTER',
  'FROM',
  'DATE', 'REFERENCE', 'INSTANT', 'ONLINE', 'BANK', 'EREF', 'MREF', 'SVWZ', 'CRED', 'NOTPROVIDED',
  'LASTSCHRIFT', 'ÜBERWEISUNG', 'UEBERWEISUNG', 'GUTSCHRIFT', 'KARTENZAHLUNG', 'BASISLASTSCHRIFT', 'FOLGELASTSCHRIFT', 'DAUERAUFTRAG',
  'VIREMENT', 'PRELEVEMENT', 'PRLV', 'CARTE', 'ACHAT', 'PAIEMENT', 'BETAALPAS', 'PASVOLGNR', 'OVERBOEKING', 'INCASSO', 'IDEAL', 'TRTP',
  'IBAN', 'NAAM', 'OMSCHRIJVING', 'TRANSFERENCIA', 'RECIBO', 'COMPRA', 'TARJETA', 'BONIFICO', 'PAGAMENTO', 'ADDEBITO', 'CARTA', 'PRZELEW',
]);
const WORD = /[\p{L}\p{N}]{4,}/gu;
/** Years, days and short numbers, which many bookings have in common. */
const COMMON_NUMBER = /^(?:\d{4,5}|(?:19|20)\d{6}|\d{4}(?:19|20)\d{2})$/;

/** The words of a line that can tell it from others of the same day and amount, as numbers, which take less memory. */
export function saidWords({ description, counterparty, reference }: RunLine): ReadonlySet<number> {
  const words = `${description} ${counterparty ?? ''} ${reference ?? ''}`.normalize('NFKC').toUpperCase().match(WORD) ?? [];
  return new Set(words.filter((word) => !GENERIC.has(word) && !COMMON_NUMBER.test(word)).map(numberOf));
}

export function sharedWords(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared;
}

/** FNV-1a. */
function numberOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
