/** How many words are suggested at most. */
const MAX_WORDS = 3;
const MIN_LETTERS = 3;

/** Words of bank statements that say nothing about what was bought: of banks, of time, and short ones, by language. */
const COMMON = new Set(
  [
    'card payment payments purchase transfer direct debit credit standing order reference ref invoice from for the and with',
    'please pay via',
    'visa mastercard maestro debitcard contactless online sepa iban bic atm pos fee fees number date',
    'kartenzahlung lastschrift überweisung gutschrift dauerauftrag rechnung zahlung einkauf verwendungszweck',
    'und der die das den für von mit',
    'paiement carte virement prélèvement facture achat les des par pour avec',
    'betaling pinpas incasso overboeking factuur voor van het een met',
    'pago tarjeta transferencia recibo factura compra los las del por para con',
    'january february march april may june july august september october november december',
    'januar februar märz mai juni juli oktober dezember',
    'gmbh ltd limited inc llc plc bv sarl mbh',
  ]
    .join(' ')
    .split(' '),
);
const MASKED = /^(?:PERSON|ACCOUNT|COMPANY)-/;
const EDGES = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/su;

/**
 * The words of a description that are most likely its own, such as the name of a shop. They stand together in it, so the line
 * contains them. Empty if there are none.
 */
export function suggestedWords(description: string): string {
  const runs: string[][] = [[]];
  for (const word of description.normalize('NFKC').split(/\s+/)) {
    const [, before, core, after] = EDGES.exec(word)!;
    if (before !== '') runs.push([]);
    if (isOwn(core!)) runs.at(-1)!.push(core!);
    else runs.push([]);
    if (after !== '') runs.push([]);
  }
  return (runs.find(({ length }) => length > 0) ?? []).slice(0, MAX_WORDS).join(' ');
}

const isOwn = (word: string): boolean =>
  word.length >= MIN_LETTERS && /^\p{L}[^\p{N}]*$/u.test(word) && !MASKED.test(word) && !COMMON.has(word.toLowerCase());
