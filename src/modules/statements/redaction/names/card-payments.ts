const saying = (words: string): ((text: string) => boolean) => {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}])`, 'iu');
  return (text) => pattern.test(text);
};

/** Words with which banks mark card payments, in the languages of our readers. Such payments go to shops. */
export const isCardPaymentText = saying(
  'pos|card|checkcard|debit card|credit card|carte|cb|kartenzahlung|kartenumsatz|kartenverfügung|debitkarte|' +
    'ec-karte|girocard|visa|mastercard|maestro|v pay|bankomat|betaalautomaat|betaalpas|bea|pinpas|pinbetaling|bancontact|' +
    'tarjeta|compra|kortköp|kortkjøp|varekjøp|dankort|korttiosto|karta|kartą|karty|platba kartou|contactless|pagobancomat|' +
    'pagamento pos|cartão|cartao|carta|kort|bankkort|kortti|pin|kortbetalning|kortbetaling|eftpos',
);

/** What only the terminals of shops write: their number, or the code of the merchant's trade. */
const TERMINAL =
  /(?<![\p{L}\p{N}])(?:terminal|term\.?|tid|mcc|pasnr\.?|pas ?nr\.?|kartennr\.?|transactie ?term)[ :.#]{0,3}[\p{L}\d]{0,3}\d{3,}/iu;
export const hasTerminal = (text: string): boolean => TERMINAL.test(text);

/** Words of direct debits. Only organisations have the identifier that collecting them takes. */
export const isDirectDebitText = saying(
  'prlv|prelevement|prélèvement|lastschrift|folgelastschrift|erstlastschrift|basislastschrift|sepa-lastschrift|' +
    'einzugsermächtigung|incasso|direct debit|recibo|adeudo|addebito diretto|sdd|domiciliation|polecenie zapłaty|autogiro',
);

/** A place with its country after a comma, as at the end of what terminals write. */
const PLACE_AND_COUNTRY = /\p{L}, ?(?:AT|BE|CH|CZ|DE|DK|ES|FI|FR|GB|IE|IT|LU|NL|NO|NZ|PL|PT|SE|US)\s*$/u;
export const hasPlaceAndCountry = (text: string): boolean => PLACE_AND_COUNTRY.test(text);

/** Words of transfers, which go to people as well as to firms. */
export const isTransferText = saying(
  'transfer|tfr|trf|virement|vir|überweisung|ueberweisung|uberweisung|gutschrift|dauerauftrag|standing order|fps|' +
    'faster payment|bizum|zelle|venmo|swish|vipps|mobilepay|tikkie|blik|p2p|bonifico|przelew|overboeking|overschrijving|transferencia|' +
    'transferência|överföring|overforing|overføring|tilisiirto',
);
