/** The meaning of a column. The booking date is taken from the first date column in this order. */
export type Column =
  | 'bookingDate'
  | 'date'
  | 'valueDate'
  | 'otherDate'
  | 'amount'
  | 'debit'
  | 'credit'
  | 'direction'
  | 'fee'
  | 'gross'
  | 'net'
  | 'currency'
  | 'balance'
  | 'status'
  | 'account'
  | 'ownAccount'
  | 'counterparty'
  | 'payer'
  | 'payee'
  | 'holder'
  | 'counterpartyAccount'
  | 'counterpartyAddress'
  | 'description'
  | 'kind'
  | 'reference'
  | 'bankReference'
  | 'note'
  | 'technical';

/** Column names of banks in English, German, Dutch, French, Spanish and Italian. Ignores accents, blanks and case. */
// prettier-ignore
export const NAMES: Readonly<Record<Column, readonly string[]>> = {
  bookingDate: [
    'booking date', 'booked date', 'booked on', 'date booked', 'posting date', 'post date', 'posted date', 'date posted',
    'date processed', 'processed date', 'entry date', 'completed date', 'date completed', 'completed date utc', 'buchungstag',
    'buchungsdatum', 'buchung', 'boekdatum', 'boekingsdatum', 'date de comptabilisation', 'date comptable', 'date operation',
    'date de l operation', 'date d operation', 'date dop', 'fecha operacion', 'fecha de operacion', 'fecha contable', 'f operacion',
    'data contabile', 'data registrazione', 'data operazione', 'bokföringsdag', 'bokföringsdatum', 'bokförd', 'bogføringsdato',
    'bokført dato', 'bokføringsdato', 'kirjauspäivä', 'data księgowania', 'data operacji', 'datum zaúčtování', 'könyvelés dátuma',
    'data lançamento', 'data do movimento', 'data mov', 'settlement date', 'posted transactions date', 'date posted utc',
    'reskontradatum', 'dateop', 'bogfort', 'bogforingsdag', 'data rozliczenia', 'datum provedeni', 'kirjaus pvm', 'booked at',
    'date de l ecriture', 'datum odepsani', 'data de lancamento', 'data operazione contabile', 'data movimento conta', 'clearing date',
  ],
  date: [
    'date', 'transaction date', 'date of transaction', 'created', 'created on', 'started date', 'datum', 'umsatzdatum', 'belegdatum',
    'transactiedatum', 'date de transaction', 'fecha', 'fecha transaccion', 'data', 'data transazione', 'data movimento', 'dato',
    'transaktionsdag', 'transaktionsdatum', 'kuupäev', 'päivä', 'päivämäärä', 'datums', 'tarih', 'trans date', 'transaction date utc',
    'timestamp', 'date time', 'created utc', 'completed utc', 'operation date', 'uitvoeringsdatum', 'verrichtingsdatum', 'tapahtumapaiva',
    'datum transakce', 'data transakcji', 'dato transaksjon', 'umsatztag', 'maksupaiva', 'data transacao', 'date transaction',
    'datum pohybu', 'abschlussdatum', 'transaktionsdato', 'fecha movimiento', 'kopdatum', 'kjopsdato', 'purchase date', 'date utc',
    'trade date', 'kaufdatum', 'data de transaccio',
  ],
  valueDate: [
    'value date', 'valuta', 'valutadatum', 'wertstellung', 'wertstellungstag', 'wertstellungsdatum', 'wert', 'rentedatum', 'date valeur',
    'date de valeur', 'fecha valor', 'fecha de valor', 'f valor', 'data valuta', 'valutadag', 'rentedato', 'valørdato', 'arvopäivä',
    'data waluty', 'datum valuty', 'értéknap', 'data valor', 'valutadato', 'interest date', 'date val', 'valuuttapaiva', 'data wartosci',
    'arvo pvm', 'data da valuta', 'valuta date', 'valorimispaiva', 'data de valor', 'renteberegningsdato',
  ],
  /** Other times of a booking. The line has the day on which it was booked. */
  otherDate: [
    'available on', 'available on utc', 'arrival date', 'arrival date utc', 'started', 'authorized on', 'finished on', 'created at',
    'updated at', 'due date', 'date of birth', 'booking time', 'value date time', 'original date', 'fecha de proceso',
    'data autorizzazione', 'processed on', 'statement date',
  ],
  amount: [
    'amount', 'transaction amount', 'amount transaction', 'value', 'signed amount', 'betrag', 'umsatz', 'buchungsbetrag', 'bedrag',
    'transactiebedrag', 'bedrag af bij', 'montant', 'montant de l operation', 'importe', 'monto', 'cantidad', 'importe movimiento',
    'importo', 'ammontare', 'belopp', 'beløb', 'beløp', 'summa', 'määrä', 'kwota', 'kwota operacji', 'částka', 'összeg', 'valor',
    'montante', 'tutar', 'iznos', 'znesek', 'suma', 'credit debit amount', 'transaction value', 'betrag in', 'umsatz in', 'netto umsatz',
    'total amount', 'total amount incl vat', 'objem', 'castka v mene uctu', 'kwota transakcji', 'kwota w walucie rachunku',
    'montant operation', 'movimento importo', 'sum', 'movimiento importe', 'cantitate', 'tutari', 'euro', 'zaciagnieta kwota',
    'billing amount', 'posted amount', 'settlement amount', 'amount in account currency', 'betrag in kontowaehrung', 'transaktionsbetrag',
  ],
  debit: [
    'debit', 'debit amount', 'amount debit', 'debits', 'withdrawal', 'withdrawals', 'withdrawal amount', 'withdrawal amt',
    'withdrawals dr', 'money out', 'paid out', 'payments out', 'out', 'soll', 'lastschrift', 'belastung', 'ausgang', 'ausgaben', 'af',
    'uitgaven', 'debet', 'montant debit', 'depenses', 'retrait', 'cargo', 'cargos', 'debe', 'debito', 'addebiti', 'addebito', 'dare',
    'uscite', 'uscita', 'ut', 'ut fra konto', 'ut av konto', 'money spent', 'spent', 'charges', 'auszahlung', 'zahlungsausgang',
    'belastungen', 'obciazenia', 'obciazenie', 'wyplaty', 'debetas', 'saidas', 'saida', 'levantamentos', 'debitos', 'montant du debit',
    'lastschrift in', 'belastung in', 'ausgaben in', 'charge', 'debit amt', 'debitbelopp', 'debet belopp', 'ingave', 'uttag', 'udgift',
    'debitering', 'veloitus', 'panot otot', 'withdraw', 'hist debit', 'payment amount out', 'outgoing', 'outgoing amount',
    'debit transaction amount',
  ],
  credit: [
    'credit', 'credit amount', 'amount credit', 'credits', 'deposit', 'deposits', 'deposit amount', 'deposit amt', 'deposits cr',
    'money in', 'paid in', 'payments in', 'in', 'haben', 'gutschrift', 'eingang', 'einnahmen', 'bij', 'inkomsten', 'montant credit',
    'recettes', 'depot', 'abono', 'abonos', 'haber', 'ingreso', 'ingresos', 'credito', 'accrediti', 'accredito', 'avere', 'entrate',
    'entrata', 'inn', 'inn pa konto', 'inn til konto', 'money received', 'received', 'payments', 'einzahlung', 'zahlungseingang',
    'gutschriften', 'uznania', 'uznanie', 'wplaty', 'kreditas', 'entradas', 'creditos', 'montant du credit', 'gutschrift in',
    'einnahmen in', 'credit amt', 'kreditbelopp', 'insattning', 'indtaegt', 'kreditering', 'hyvitys', 'incoming', 'incoming amount',
    'credit transaction amount',
  ],
  direction: [
    'soll haben', 'soll haben kennzeichen', 's h', 'umsatzart soll haben', 'af bij', 'debet credit', 'bij af', 'debit credit',
    'credit debit', 'debit credit indicator', 'credit debit indicator', 'cr dr', 'dr cr', 'd c', 'c d', 'direction', 'sens',
    'sens operation', 'signe', 'cargo abono', 'debe haber', 'dare avere', 'segno', 'd k', 'debit kredit', 'debet kredit', 'kredit debet',
    'deebet kreedit', 'deebet kreedit d c', 'debetas kreditas', 'debets kredits', 'wn ma', 'strona', 'obciazenie uznanie', 'md d',
    'ma dati dal', 't j', 'terheles jovairas', 'b a', 'borc alacak', 'duguje potrazuje', 'breme dobro', 'debito credito', 'creditdebet',
    'dr cr indicator', 'debit or credit', 'transaction direction', 'debet of credit', 'kennzeichen', 'typ obratu', 'smer', 'soort',
    'debit credit flag', 'wskaznik', 'cr db',
  ],
  fee: [
    'fee', 'entgelt', 'gebuehr', 'fees', 'commission', 'frais', 'total fees',
  ],
  /** With a fee of its own, which `net` contains. */
  gross: [
    'gross', 'brutto', 'brut', 'bruto', 'lordo', 'gross amount',
  ],
  net: [
    'net', 'netto', 'neto', 'net amount', 'netto betrag',
  ],
  currency: [
    'currency', 'account currency', 'currency code', 'ccy', 'waehrung', 'whg', 'munt', 'muntsoort', 'valuta code', 'devise', 'divisa',
    'moneda', 'divisa importe', 'moneta', 'posted currency', 'waluta', 'mena', 'penznem', 'valuutta', 'devies', 'munteenheid',
    'valuta rekening', 'valiuta', 'valuuta', 'moeda', 'wahrung', 'kontowaehrung', 'monnaie', 'currency settled', 'account ccy',
    'settlement currency', 'devizanem', 'para birimi', 'waluta rachunku', 'mena uctu', 'devise operation',
  ],
  balance: [
    'balance', 'running balance', 'account balance', 'balance after transaction', 'balance after', 'closing balance', 'saldo',
    'saldo nach buchung', 'kontostand', 'saldo na trn', 'saldo na mutatie', 'saldo na transactie', 'solde', 'solde apres operation',
    'saldo disponible', 'saldo contabile', 'saldo progressivo', 'running bal', 'account running balance', 'bokfort saldo',
    'saldo po transakcji', 'zustatek', 'zustatek po pohybu', 'saldo contabilistico', 'saldo apos', 'saldo dopo', 'saldo efter',
    'saldo na boeking', 'kontostand nach', 'available balance', 'saldo po operacji', 'disponible', 'saldo nach umsatz', 'balance in',
    'saldo in', 'saldo efter transaktion', 'kontosaldo', 'balance carried', 'saldo final', 'ledger balance', 'egyenleg',
    'saldo nach transaktion', 'saldo tili', 'tilin saldo', 'current balance', 'ending balance', 'saldo po zauctovani',
  ],
  status: [
    'status', 'state', 'transaction status', 'info', 'buchungsstatus', 'statut', 'etat', 'estado', 'stato', 'contabilizzazione', 'stav',
    'tila', 'betalingsstatus', 'transaction state', 'statuss', 'stato operazione',
  ],
  ownAccount: [
    'own account', 'my account', 'statement account', 'account iban', 'iban account', 'auftragskonto', 'iban auftragskonto',
    'eigenes konto', 'eigene iban', 'iban bban', 'eigen rekening', 'eigen rekeningnummer', 'compte titulaire', 'cuenta propia',
    'conto proprio', 'iban kontoinhaber', 'posted account', 'bank account', 'konto auftraggeber', 'numer rachunku',
    'numer rachunku karty', 'cislo uctu', 'kontonummer auftraggeber', 'compte emetteur', 'accountnum', 'eigen iban', 'oma tili',
    'zichtrekening', 'first bank card', 'tilinumero', 'cislo meho uctu', 'konto eigen', 'rachunek', 'iban eigenes konto', 'conto o carta',
    'referenzkonto',
  ],
  account: [
    'account', 'account number', 'account no', 'iban', 'konto', 'kontonummer', 'konto nr', 'rekening', 'rekeningnummer', 'compte',
    'numero de compte', 'n de compte', 'cuenta', 'numero de cuenta', 'conto', 'numero conto', 'rekening nr', 'kontonummer iban bban',
    'account iban number', 'card no', 'card number', 'kartennummer', 'numero carta', 'card', 'last 4 digits', 'masked card number',
    'numer karty', 'kort', 'kortnummer', 'kontonavn',
  ],
  counterparty: [
    'counterparty', 'counterparty name', 'name counterparty', 'payer payee', 'merchant', 'merchant name', 'partner name', 'name',
    'other party', 'beguenstigter zahlungspflichtiger', 'beguenstigter auftraggeber', 'auftraggeber beguenstigter',
    'auftraggeber empfaenger', 'name zahlungsbeteiligter', 'partner', 'naam tegenpartij', 'naam', 'tegenpartij', 'naam omschrijving',
    'naam tegenrekening', 'contrepartie', 'nom contrepartie', 'tiers', 'contraparte', 'controparte', 'sender empfaenger',
    'empfaenger auftraggeber', 'auftraggeber zahlungsempfaenger', 'sender recipient', 'naam van de tegenpartij', 'naam tegenpartij bevat',
    'tegenrekeninghouder', 'naam tegenrekeninghouder', 'navn', 'namn', 'nimi', 'saaja maksaja', 'dane kontrahenta', 'kontrahent',
    'nazwa kontrahenta', 'odbiorca zleceniodawca', 'nadawca odbiorca', 'nazev protiuctu', 'nazev protistrany', 'protistrana',
    'supplierfound', 'avsandare mottagare', 'mottagare avsandare', 'mottager avsender', 'target name', 'merchant description', 'to from',
    'from to', 'payer or payee', 'empfaenger zahlungspflichtiger', 'name des partners', 'beguenstigter',
    'zahlungspflichtiger beguenstigter', 'name of counterparty', 'other account name', 'counterpart', 'vendor', 'handelspartner',
    'umsatz partner', 'transaktionspartner', 'haendler', 'naam begunstigde', 'benaming tegenpartij', 'nombre', 'nome', 'nome contraparte',
    'intestatario controparte', 'auftraggeber empfaenger name', 'zahlungsempfaenger auftraggeber',
    'name zahlungsempfaenger zahlungspflichtiger', 'counterparty s name',
  ],
  /** Who paid: the other party if it is money in, else the holder of the account. */
  payer: [
    'payer', 'payer name', 'sender', 'sender name', 'from', 'zahlungspflichtige r', 'auftraggeber', 'auftraggebername',
    'name auftraggeber', 'ordenante', 'ordinante', 'avsander', 'avsandare', 'avsender', 'afsender', 'maksaja', 'maksajan nimi', 'nadawca',
    'nazwa nadawcy', 'platce', 'emetteur', 'donneur d ordre', 'remitter', 'ordonnateur', 'opdrachtgever', 'from name', 'ordering party',
    'source name',
  ],
  /** Who was paid: the other party if it is money out, else the holder of the account. */
  payee: [
    'payee', 'payee name', 'beneficiary', 'beneficiary name', 'recipient', 'recipient name', 'to', 'zahlungsempfaenger in',
    'zahlungsempfaenger', 'empfaenger', 'empfaengername', 'name empfaenger', 'beneficiario', 'mottagare', 'mottaker', 'modtager', 'saaja',
    'saajan nimi', 'maksunsaaja', 'odbiorca', 'nazwa odbiorcy', 'prijemce', 'beneficiaire', 'begunstigde', 'ontvanger', 'to name',
  ],
  /** The holder of the account itself, who is the same on every line. */
  holder: [
    'account name', 'account holder', 'card holder full name', 'cardholder name', 'card holder', 'card member', 'karteninhaber',
    'kontoinhaber', 'rekeninghouder', 'naam van de rekening', 'inhaber', 'titulaire', 'titular', 'intestatario', 'purchased by',
    'kortinnehavare', 'account label', 'account owner', 'user', 'person name', 'kontobezeichnung', 'rubrieknaam', 'spent by',
    'nazwa wlasciciela', 'customer name', 'nome titolare',
  ],
  counterpartyAccount: [
    'counterparty account', 'counterparty account number', 'counterparty iban', 'counterparty bban', 'counter account', 'contra account',
    'payee account', 'beneficiary account', 'beneficiary iban', 'recipient iban', 'partner iban', 'partner account',
    'account number counterparty', 'kontonummer iban', 'iban zahlungsbeteiligter', 'gegenkonto', 'iban gegenkonto', 'gegen iban',
    'iban des empfaengers', 'iban empfaenger', 'empfaenger iban', 'partnerkonto', 'partner kontonummer', 'beguenstigter iban',
    'tegenrekening', 'tegenrekening iban bban', 'rekening tegenpartij', 'iban tegenpartij', 'compte contrepartie', 'compte beneficiaire',
    'iban beneficiaire', 'cuenta beneficiario', 'cuenta contrapartida', 'iban beneficiario', 'conto controparte', 'iban controparte',
    'iban konto nr', 'tegenrekeningnummer', 'rekeningnummer tegenpartij', 'iban rekening tegenpartij', 'payee account number',
    'partner account number', 'empfaengerkonto', 'auftraggeberkonto', 'saajan tilinumero', 'cislo uctu protiuctu', 'protiucet',
    'cislo protiuctu', 'nr rachunku', 'numer konta', 'na konto z konta', 'til konto', 'fra konto', 'iban kontonummer',
    'recipient account number', 'to account', 'from account', 'sender account', 'kontonr empfaenger', 'counterparty account iban',
    'numero de cuenta beneficiario', 'konto partner', 'ucet protistrany', 'other account number', 'iban kontrahenta',
    'iban tegenrekening', 'iban zahlungspflichtiger', 'to account number', 'from account number', 'from or to account',
    'rachunek kontrahenta', 'rachunek nadawcy odbiorcy', 'cislo uctu protistrany',
  ],
  counterpartyAddress: [
    'address', 'counterparty address', 'adresse', 'adres', 'adres tegenpartij', 'direccion', 'indirizzo', 'straat en nummer',
    'postcode en plaats', 'adresse tegenpartij', 'address line', 'merchant address', 'city state', 'zip code', 'country', 'adress',
  ],
  description: [
    'description', 'transaction description', 'details', 'transaction details', 'memo', 'narrative', 'narration', 'particulars', 'text',
    'notes', 'remittance information', 'payment reference', 'purpose', 'message', 'verwendungszweck', 'zahlungsgrund', 'zahlungsreferenz',
    'beschreibung', 'vorgang verwendungszweck', 'buchungsdetails', 'umsatztext', 'omschrijving', 'omschrijving 1', 'omschrijving 2',
    'omschrijving 3', 'mededelingen', 'mededeling', 'libelle', 'libelle operation', 'libelle simplifie', 'libelle complementaire',
    'libelle de l operation', 'communication', 'motif', 'detail', 'informations complementaires', 'concepto', 'descripcion',
    'observaciones', 'mas datos', 'descrizione', 'descrizione operazione', 'causale', 'descrizione estesa', 'tekst', 'forklaring',
    'beskrivelse', 'beskrivning', 'rubrik', 'tittel', 'titel', 'otsikko', 'selitys', 'viesti', 'selgitus', 'opis', 'opis operacji',
    'opis transakcji', 'tytul', 'tytul operacji', 'szczegoly', 'popis', 'zprava pro prijemce', 'poznamka', 'descricao', 'descritivo',
    'kozlemeny', 'explanation', 'zahlungszweck', 'avisierungstext', 'buchungs info', 'booking text', 'booking details',
    'original description', 'comment', 'comments', 'commentaire', 'comentario', 'label', 'libelle de l ecriture', 'detail de l ecriture',
    'dettagli', 'operazione', 'descrizione completa', 'descrizione operazioni', 'movimiento', 'conceptos', 'extended details',
    'additional information', 'name description', 'aciklama', 'belegdaten', 'vrije mededeling', 'gestructureerde mededeling',
    'beschrijving', 'bericht', 'detail van de omzet', 'statement description', 'transaction text', 'mitteilung', 'sub description',
    'transaction particulars', 'notes and tags', 'melding', 'kommentar', 'besked', 'transactie', 'sonstige angaben', 'notiz',
    'interne notiz', 'uzivatelska identifikace', 'upresneni', 'komentar', 'transactie omschrijving', 'betalingsomschrijving',
    'transaktionstext', 'maksun selite', 'meddelande', 'egen notering',
  ],
  kind: [
    'type', 'transaction type', 'buchungstext', 'umsatzart', 'umsatztyp', 'vorgang', 'mutatiesoort', 'code', 'type operation',
    'type d operation', 'tipo', 'tipo operacion', 'tipo movimiento', 'tipo operazione', 'category', 'trn type', 'mode', 'betalingstype',
    'tapahtumalaji', 'laji', 'rodzaj transakcji', 'typ transakcji', 'typ operacji', 'typ', 'tipo de movimento', 'categories', 'kategorie',
    'kategoria', 'kategori', 'categorie', 'categoria', 'catergory', 'subcategory', 'subcategoria', 'sous categorie', 'spending category',
    'categoryparent', 'bewegungstyp', 'transaktionstyp', 'transaktionsart', 'umsatzkategorie', 'type verrichting', 'type betaling',
    'betaalwijze', 'payment method', 'payment type', 'tags', 'stichwoerter', 'subject', 'transaction code', 'tran type', 'transaction',
    'details type', 'label type', 'tipologia', 'soort mutatie', 'category group',
  ],
  reference: [
    'reference', 'customer reference', 'end to end id', 'end to end reference', 'check number', 'cheque number', 'check no',
    'check or slip', 'kundenreferenz', 'kundenreferenz end to end', 'referenz', 'kenmerk', 'betalingskenmerk', 'reference client',
    'referencia', 'riferimento', 'end to end referenz', 'mandate reference', 'mandatsreferenz', 'glaeubiger id',
    'glaeubiger identifikation', 'creditor id', 'sammlerreferenz', 'serial', 'serial number', 'cheque', 'cheque no', 'check', 'viite',
    'viitenumero', 'referens', 'vs', 'ks', 'ss', 'variabilni symbol', 'konstantni symbol', 'specificky symbol', 'machtigingsnummer',
    'incassant id', 'referentie', 'payee reference', 'invoice number', 'kid', 'referenznummer', 'your reference', 'customer ref',
    'numero de cheque', 'no cheque', 'sequence', 'vytaj', 'referencia cliente', 'mandaatreferentie', 'kenmerk opdrachtgever', 'numref',
    'kundennummer', 'reference number',
  ],
  bankReference: [
    'id', 'transaction id', 'bank reference', 'bank id', 'fitid', 'transaction reference', 'transaktions id', 'bankreferenz',
    'transactiereferentie', 'volgnr', 'volgnummer', 'reference banque', 'reference operation', 'referencia banco', 'id transazione',
    'transferwise id', 'arkistointitunnus', 'verifikationsnummer', 'transaktionsnummer', 'transaktions nr', 'nr transakcji', 'id pohybu',
    'id transakcji', 'tx id', 'transaction code id', 'transaction number', 'transactienummer', 'omzetnummer', 'uuid', 'record id',
    'bank reference number', 'numero operazione', 'zkb referenz', 'belegnummer', 'transaktionscode', 'balance transaction id',
    'payment id', 'archive id', 'id pokynu', 'num operacion', 'transaktion id', 'rekeninguittrekselnummer transactienummer',
    'buchungsnummer',
  ],
  /** Shown with the description, under its name. */
  note: [
    'original amount', 'original currency', 'local amount', 'local currency', 'local currency amount', 'foreign spend amount',
    'foreign amount', 'foreign currency amount', 'foreign currency', 'amount foreign currency', 'currency of transaction',
    'exchange rate', 'wechselkurs', 'kurs', 'original ccy', 'fremdwaehrungsbetrag', 'betrag fremdwaehrung', 'fremdwaehrung', 'fx rate',
    'exchange from', 'exchange to', 'exchange fee', 'kwota platnosci w walucie', 'lastschrift ursprungsbetrag',
    'auslagenersatz ruecklastschrift', 'betrag ursprungswaehrung', 'kwota oryginalna', 'taux de change', 'cambio', 'tipo de cambio',
    'orig currency', 'orig amount', 'orig payment amount', 'originalbelopp', 'originalvaluta', 'betrag detail', 'einzelbetrag',
    'commission amount', 'amount in foreign currency', 'ursprungsbetrag', 'ursprungswaehrung', 'source amount', 'source currency',
    'target amount', 'target currency', 'source fee amount', 'source fee currency', 'vat amount', 'vat rate', 'vat', 'amount excl vat',
    'conversion rate',
  ],
  /** They repeat or describe the account, or are of use to the pages of the bank alone. */
  technical: [
    'bic', 'bic swift', 'bic swift code', 'swift', 'swift code', 'bic blz', 'blz', 'bankleitzahl', 'sort code', 'kod banky', 'bank code',
    'saajan pankin bic', 'saajan bic tunnus', 'partner bic', 'bic tegenpartij', 'auftraggeber blz', 'empfaenger blz', 'bank rtn',
    'routing number', 'landcode', 'emoji', 'imagen', 'image', 'receipt', 'attachment', 'time', 'uhrzeit', 'buchungszeit', 'abschlusszeit',
    'radnummer', 'row', 'number', 'afstemt', 'pointage operation', 'reconciled', 'clearingnummer', 'umsatz geteilt', 'bic code',
    'bank bic', 'category split', 'partner blz', 'empfaenger bic', 'tijd', 'heure', 'hora', 'cas', 'filter', 'hash',
    'bank name country code', 'zeit', 'icon',
  ],
};
