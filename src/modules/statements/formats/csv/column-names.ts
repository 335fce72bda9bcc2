/** The meaning of a column. The booking date is taken from the first date column in this order. */
export type Column =
  | 'bookingDate'
  | 'date'
  | 'valueDate'
  | 'amount'
  | 'debit'
  | 'credit'
  | 'direction'
  | 'fee'
  | 'currency'
  | 'balance'
  | 'status'
  | 'account'
  | 'ownAccount'
  | 'counterparty'
  | 'counterpartyAccount'
  | 'counterpartyAddress'
  | 'description'
  | 'kind'
  | 'reference'
  | 'bankReference';

/** Column names of banks in English, German, Dutch, French, Spanish and Italian. Ignores accents, blanks and case. */
// prettier-ignore
const NAMES: Readonly<Record<Column, readonly string[]>> = {
  bookingDate: [
    'booking date', 'booked date', 'booked on', 'date booked', 'posting date', 'post date', 'posted date', 'date posted',
    'date processed', 'processed date', 'entry date', 'completed date', 'date completed', 'completed date utc', 'buchungstag',
    'buchungsdatum', 'buchung', 'boekdatum', 'boekingsdatum', 'date de comptabilisation', 'date comptable', 'date operation',
    'date de l operation', 'date d operation', 'date dop', 'fecha operacion', 'fecha de operacion', 'fecha contable', 'f operacion',
    'data contabile', 'data registrazione', 'data operazione', 'bokföringsdag', 'bokföringsdatum', 'bokförd', 'bogføringsdato',
    'bokført dato', 'bokføringsdato', 'kirjauspäivä', 'data księgowania', 'data operacji', 'datum zaúčtování', 'könyvelés dátuma',
    'data lançamento', 'data do movimento', 'data mov',
  ],
  date: [
    'date', 'transaction date', 'date of transaction', 'created', 'created on', 'started date', 'datum', 'umsatzdatum', 'belegdatum',
    'transactiedatum', 'transactie datum', 'date de transaction', 'fecha', 'fecha transaccion', 'data', 'data transazione',
    'data movimento', 'dato', 'transaktionsdag', 'transaktionsdatum', 'kuupäev', 'päivä', 'päivämäärä', 'datums', 'dátum', 'tarih',
  ],
  valueDate: [
    'value date', 'valuta', 'valutadatum', 'wertstellung', 'wertstellungstag', 'wertstellungsdatum', 'wert', 'rentedatum', 'date valeur',
    'date de valeur', 'fecha valor', 'fecha de valor', 'f valor', 'data valuta', 'valutadag', 'rentedato', 'valørdato', 'arvopäivä',
    'data waluty', 'datum valuty', 'értéknap', 'data valor',
  ],
  amount: [
    'amount', 'transaction amount', 'amount transaction', 'value', 'signed amount', 'betrag', 'umsatz', 'buchungsbetrag', 'bedrag',
    'transactiebedrag', 'transactie bedrag', 'bedrag af bij', 'montant', 'montant de l operation', 'importe', 'monto',
    'cantidad',
    'importe movimiento', 'importo', 'ammontare', 'belopp', 'beløb', 'beløp', 'summa', 'määrä', 'kwota', 'kwota operacji', 'částka',
    'összeg', 'valor', 'montante', 'tutar', 'iznos', 'znesek', 'suma',
  ],
  debit: [
    'debit', 'debit amount', 'amount debit', 'debits', 'withdrawal', 'withdrawals', 'withdrawal amount', 'withdrawal amt',
    'withdrawals dr', 'money out', 'paid out', 'payments out', 'out', 'soll', 'lastschrift', 'belastung', 'ausgang', 'ausgaben', 'af',
    'uitgaven', 'debet', 'debit euros', 'montant debit', 'depenses', 'retrait', 'cargo', 'cargos', 'debe', 'debito', 'addebiti',
    'addebito', 'dare', 'uscite', 'uscita',
  ],
  credit: [
    'credit', 'credit amount', 'amount credit', 'credits', 'deposit', 'deposits', 'deposit amount', 'deposit amt', 'deposits cr',
    'money in', 'paid in', 'payments in', 'in', 'haben', 'gutschrift', 'eingang', 'einnahmen', 'bij', 'inkomsten', 'credit euros',
    'montant credit', 'recettes', 'depot', 'abono', 'abonos', 'haber', 'ingreso', 'ingresos', 'credito', 'accrediti', 'accredito',
    'avere', 'entrate', 'entrata',
  ],
  direction: [
    'soll haben', 'soll haben kennzeichen', 's h', 'sh', 'umsatzart soll haben', 'af bij', 'debet credit', 'bij af', 'debit credit',
    'credit debit', 'debit credit indicator', 'credit debit indicator', 'cr dr', 'dr cr', 'd c', 'c d', 'dc', 'cd', 'direction', 'sens',
    'sens operation', 'signe', 'cargo abono', 'debe haber', 'dare avere', 'segno', 'd k', 'debit kredit', 'debet kredit', 'kredit debet',
    'deebet kreedit', 'deebet kreedit d c', 'debetas kreditas', 'debets kredits', 'wn ma', 'strona', 'obciazenie uznanie', 'md d',
    'ma dati dal', 't j', 'terheles jovairas', 'b a', 'borc alacak', 'duguje potrazuje', 'breme dobro', 'debito credito',
  ],
  fee: ['fee'],
  currency: [
    'currency', 'account currency', 'currency code', 'ccy', 'waehrung', 'whg', 'munt', 'muntsoort', 'valuta code', 'devise', 'divisa',
    'moneda', 'divisa importe', 'moneta',
  ],
  balance: [
    'balance', 'running balance', 'account balance', 'balance after transaction', 'balance after', 'closing balance', 'saldo',
    'saldo nach buchung', 'kontostand', 'saldo na trn', 'saldo na mutatie', 'saldo na transactie', 'solde', 'solde apres operation',
    'saldo disponible', 'saldo contabile', 'saldo progressivo',
  ],
  status: ['status', 'state', 'transaction status', 'info', 'buchungsstatus', 'statut', 'etat', 'estado', 'stato'],
  ownAccount: [
    'own account', 'my account', 'statement account', 'account iban', 'iban account', 'auftragskonto', 'iban auftragskonto',
    'eigenes konto', 'eigene iban', 'iban bban', 'eigen rekening', 'eigen rekeningnummer', 'compte titulaire', 'cuenta propia',
    'conto proprio',
  ],
  account: [
    'account', 'account number', 'account no', 'iban', 'konto', 'kontonummer', 'konto nr', 'kontonr', 'rekening', 'rekeningnummer',
    'compte', 'numero de compte', 'n de compte', 'cuenta', 'numero de cuenta', 'conto', 'numero conto',
  ],
  counterparty: [
    'counterparty', 'counterparty name', 'counter party', 'name counterparty', 'payee', 'payer', 'payee name', 'payer payee',
    'beneficiary', 'beneficiary name', 'recipient', 'sender', 'merchant', 'merchant name', 'partner name', 'name', 'other party',
    'beguenstigter zahlungspflichtiger', 'beguenstigter auftraggeber', 'auftraggeber beguenstigter', 'auftraggeber empfaenger',
    'empfaenger', 'auftraggeber', 'name zahlungsbeteiligter', 'zahlungsempfaenger', 'zahlungspflichtige r', 'zahlungsempfaenger in',
    'partnername', 'partner', 'naam tegenpartij', 'naam', 'tegenpartij', 'naam omschrijving', 'naam tegenrekening', 'contrepartie',
    'nom contrepartie', 'beneficiaire', 'tiers', 'beneficiario', 'ordenante', 'contraparte', 'controparte', 'ordinante',
  ],
  counterpartyAccount: [
    'counterparty account', 'counterparty account number', 'counterparty iban', 'counterparty bban', 'counter account', 'contra account',
    'payee account', 'beneficiary account', 'beneficiary iban', 'recipient iban', 'partner iban', 'partner account',
    'account number counterparty', 'kontonummer iban', 'iban zahlungsbeteiligter', 'gegenkonto', 'iban gegenkonto', 'gegen iban',
    'iban des empfaengers', 'iban empfaenger', 'empfaenger iban', 'partnerkonto', 'partner kontonummer', 'beguenstigter iban',
    'tegenrekening', 'tegenrekening iban bban', 'rekening tegenpartij', 'iban tegenpartij', 'compte contrepartie', 'compte beneficiaire',
    'iban beneficiaire', 'cuenta beneficiario', 'cuenta contrapartida', 'iban beneficiario', 'conto controparte', 'iban controparte',
  ],
  counterpartyAddress: ['address', 'counterparty address', 'adresse', 'adres', 'adres tegenpartij', 'direccion', 'indirizzo'],
  description: [
    'description', 'transaction description', 'details', 'transaction details', 'memo', 'narrative', 'narration', 'particulars', 'text',
    'notes', 'remittance information', 'payment reference', 'purpose', 'message', 'verwendungszweck', 'zahlungsgrund', 'zahlungsreferenz',
    'beschreibung', 'vorgang verwendungszweck', 'buchungsdetails', 'buchungs details', 'umsatztext', 'omschrijving', 'omschrijving 1',
    'omschrijving 2', 'omschrijving 3', 'mededelingen', 'mededeling', 'libelle', 'libelle operation', 'libelle simplifie',
    'libelle complementaire', 'libelle de l operation', 'communication', 'motif', 'detail', 'informations complementaires', 'concepto',
    'descripcion', 'observaciones', 'mas datos', 'descrizione', 'descrizione operazione', 'causale', 'descrizione estesa',
  ],
  kind: [
    'type', 'transaction type', 'buchungstext', 'umsatzart', 'umsatztyp', 'vorgang', 'mutatiesoort', 'mutatie soort', 'code',
    'type operation', 'type d operation', 'tipo', 'tipo operacion', 'tipo movimiento', 'tipo operazione', 'category',
  ],
  reference: [
    'reference', 'customer reference', 'end to end id', 'end to end reference', 'endtoend id', 'check number', 'cheque number',
    'check no', 'check or slip', 'kundenreferenz', 'kundenreferenz end to end', 'referenz', 'kenmerk', 'betalingskenmerk',
    'reference client', 'referencia', 'riferimento',
  ],
  bankReference: [
    'id', 'transaction id', 'bank reference', 'bank id', 'fitid', 'transaction reference', 'transaktions id', 'bankreferenz',
    'transactiereferentie', 'volgnr', 'volgnummer', 'reference banque', 'reference operation', 'referencia banco', 'id transazione',
  ],
};

export const keyOf = (name: string): string =>
  name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? 'ss')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '');

const COLUMNS: ReadonlyMap<string, Column> = new Map(
  Object.entries(NAMES).flatMap(([column, names]) => names.map((name) => [keyOf(name), column as Column] as const)),
);

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
export const SYMBOLS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP' };

export interface NamedColumn {
  readonly column: Column;
  /** If the name has one, such as `Amount (EUR)`. */
  readonly currency: string | null;
}

export function columnNamed(name: string): NamedColumn | null {
  const column = COLUMNS.get(keyOf(name));
  const [, bare = '', suffix = ''] = /^(.{1,80}?)[\s(_[]*(?:\bin )?([A-Za-z]{3}|[€£])[\s)\]]*$/.exec(name.slice(0, 100).trim()) ?? [];
  const currency = SYMBOLS[suffix] ?? (CURRENCIES.has(suffix.toUpperCase()) ? suffix.toUpperCase() : null);
  if (column) return { column, currency: suffix in SYMBOLS ? currency : null };
  const base = currency ? COLUMNS.get(keyOf(bare)) : undefined;
  return base ? { column: base, currency } : null;
}

export const isCurrency = (text: string): boolean => CURRENCIES.has(text);
