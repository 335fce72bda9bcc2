import type { Finding } from '../../../engine/checks/findings.js';
import { hasTax, type Report } from '../../report.js';
import { nameOfControl, namesOf, sentenceOf } from '../../wording/sentences.js';
import { type Wording, wordingOf } from '../../wording/wording.js';

const GERMAN: OwnWords = {
  sheets: {
    summary: 'Zusammenfassung',
    categories: 'Kategorien',
    months: 'Monate',
    items: 'Posten',
    otherLines: 'Weitere Zeilen',
    rates: 'Wechselkurse',
    statements: 'Kontoauszüge',
    exceptions: 'Auffälligkeiten',
  },
  page: 'Seite &P von &N',
  firstDay: 'Erster Tag',
  lastDay: 'Letzter Tag',
  coverage: 'Von Kontoauszügen abgedeckte Tage, %',
  startedAt: 'Begonnen am (UTC)',
  code: 'Kürzel',
  number: 'Nr.',
  claimedTotal: 'Summe der Kategorien',
  allLines: 'Alle Zeilen',
  otherCurrencies: 'Nicht in den Summen: Zeilen in anderen Währungen',
  noCurrency: 'ohne Währung',
  check: 'Posten, addiert und einmal gerundet',
  difference: 'Differenz',
  largestDifference: 'Größte Differenz zwischen einem Betrag und seinen Posten',
  bankReference: 'Referenz der Bank',
  taxCheck: 'Steuer der Posten, addiert und einmal gerundet',
  taxDifference: 'Differenz der Steuer',
  taxNotRounded: 'Steuer, nicht gerundet',
  rule: 'Regel',
  notRounded: 'Geltend gemacht, nicht gerundet',
  statementId: 'Kennung des Kontoauszugs',
};

const ENGLISH: OwnWords = {
  sheets: {
    summary: 'Summary',
    categories: 'Categories',
    months: 'Months',
    items: 'Items',
    otherLines: 'Other lines',
    rates: 'Exchange rates',
    statements: 'Statements',
    exceptions: 'Exceptions',
  },
  page: 'Page &P of &N',
  firstDay: 'First day',
  lastDay: 'Last day',
  coverage: 'Days covered by statements, %',
  startedAt: 'Started at (UTC)',
  code: 'Code',
  number: 'No.',
  claimedTotal: 'Total of the categories',
  allLines: 'All lines',
  otherCurrencies: 'Not in the totals: lines in other currencies',
  noCurrency: 'no currency',
  check: 'Items, added up and rounded once',
  difference: 'Difference',
  largestDifference: 'Largest difference between a claim and its items',
  bankReference: 'Reference of the bank',
  taxCheck: 'Tax of the items, added up and rounded once',
  taxDifference: 'Difference of tax',
  taxNotRounded: 'Tax, not rounded',
  rule: 'Rule',
  notRounded: 'Claim, not rounded',
  statementId: 'Statement id',
};

const SPANISH: OwnWords = {
  sheets: {
    summary: 'Resumen',
    categories: 'Categorías',
    months: 'Meses',
    items: 'Partidas',
    otherLines: 'Otras líneas',
    rates: 'Tipos de cambio',
    statements: 'Extractos',
    exceptions: 'Incidencias',
  },
  page: 'Página &P de &N',
  firstDay: 'Primer día',
  lastDay: 'Último día',
  coverage: 'Días cubiertos por extractos, %',
  startedAt: 'Comenzado el (UTC)',
  code: 'Código',
  number: 'N.º',
  claimedTotal: 'Total de las categorías',
  allLines: 'Todas las líneas',
  otherCurrencies: 'Fuera de los totales: líneas en otras monedas',
  noCurrency: 'sin moneda',
  check: 'Partidas, sumadas y redondeadas una vez',
  difference: 'Diferencia',
  largestDifference: 'Mayor diferencia entre un importe y sus partidas',
  bankReference: 'Referencia del banco',
  taxCheck: 'Impuesto de las partidas, sumado y redondeado una vez',
  taxDifference: 'Diferencia del impuesto',
  taxNotRounded: 'Impuesto, sin redondear',
  rule: 'Regla',
  notRounded: 'Importe reclamado, sin redondear',
  statementId: 'Identificador del extracto',
};

const FRENCH: OwnWords = {
  sheets: {
    summary: 'Synthèse',
    categories: 'Catégories',
    months: 'Mois',
    items: 'Postes',
    otherLines: 'Autres lignes',
    rates: 'Cours de change',
    statements: 'Relevés',
    exceptions: 'Points à vérifier',
  },
  page: 'Page &P sur &N',
  firstDay: 'Premier jour',
  lastDay: 'Dernier jour',
  coverage: 'Jours couverts par les relevés, %',
  startedAt: 'Commencé le (UTC)',
  code: 'Code',
  number: 'N°',
  claimedTotal: 'Total des catégories',
  allLines: 'Toutes les lignes',
  otherCurrencies: 'Hors des totaux\u00a0: lignes en d’autres devises',
  noCurrency: 'sans devise',
  check: 'Postes, additionnés et arrondis une fois',
  difference: 'Écart',
  largestDifference: 'Plus grand écart entre un montant et ses postes',
  bankReference: 'Référence de la banque',
  taxCheck: 'Taxe des lignes, additionnée et arrondie une fois',
  taxDifference: 'Écart de taxe',
  taxNotRounded: 'Taxe, sans arrondi',
  rule: 'Règle',
  notRounded: 'Montant réclamé, non arrondi',
  statementId: 'Identifiant du relevé',
};

const DUTCH: OwnWords = {
  sheets: {
    summary: 'Samenvatting',
    categories: 'Categorieën',
    months: 'Maanden',
    items: 'Posten',
    otherLines: 'Overige regels',
    rates: 'Wisselkoersen',
    statements: 'Afschriften',
    exceptions: 'Bijzonderheden',
  },
  page: 'Pagina &P van &N',
  firstDay: 'Eerste dag',
  lastDay: 'Laatste dag',
  coverage: 'Dagen gedekt door afschriften, %',
  startedAt: 'Begonnen op (UTC)',
  code: 'Code',
  number: 'Nr.',
  claimedTotal: 'Totaal van de categorieën',
  allLines: 'Alle regels',
  otherCurrencies: 'Niet in de totalen: regels in andere valuta',
  noCurrency: 'zonder valuta',
  check: 'Posten, opgeteld en één keer afgerond',
  difference: 'Verschil',
  largestDifference: 'Grootste verschil tussen een bedrag en zijn posten',
  bankReference: 'Kenmerk van de bank',
  taxCheck: 'Belasting van de posten, opgeteld en eenmaal afgerond',
  taxDifference: 'Verschil in belasting',
  taxNotRounded: 'Belasting, niet afgerond',
  rule: 'Regel (code)',
  notRounded: 'Gedeclareerd, niet afgerond',
  statementId: 'Id van het afschrift',
};

const OWN: Readonly<Record<string, OwnWords>> = { en: ENGLISH, de: GERMAN, fr: FRENCH, es: SPANISH, nl: DUTCH };

/** Every word of a workbook, in the language of the report. */
export interface WorkbookWords extends Wording {
  readonly own: OwnWords;
  /** The headings of figures. */
  readonly figures: readonly string[];
  readonly sentenceOf: (finding: Finding) => string;
  readonly nameOfControl: (name: string) => string;
}

export function workbookWordsOf({ options, statements, result }: Report): WorkbookWords {
  const wording = wordingOf(options.locale);
  const { words } = wording;
  const { columns } = words;
  const own = OWN[new Intl.Locale(wording.language).language]!;
  const nameOf = namesOf(statements);
  return {
    ...wording,
    own,
    figures: [
      ...[columns.read, columns.expenses, columns.refunds, columns.net, columns.claim],
      ...(hasTax(result) ? [columns.tax, columns.withoutTax] : []),
    ],
    sentenceOf: (finding) => sentenceOf(wording, nameOf, finding),
    nameOfControl: (name) => nameOfControl(wording, nameOf, name),
  };
}

type SheetName = 'summary' | 'categories' | 'months' | 'items' | 'otherLines' | 'rates' | 'statements' | 'exceptions';

/** The words that only a workbook has. A language that lacks one does not compile. */
interface OwnWords {
  /** Names of sheets: at most 31 characters, without `'` and `: \\ / ? * [ ]`. */
  readonly sheets: Readonly<Record<SheetName, string>>;
  /** `&P` is the number of the page, and `&N` that of all pages. */
  readonly page: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly coverage: string;
  readonly startedAt: string;
  readonly code: string;
  readonly number: string;
  readonly claimedTotal: string;
  readonly allLines: string;
  readonly otherCurrencies: string;
  readonly noCurrency: string;
  readonly check: string;
  readonly difference: string;
  readonly largestDifference: string;
  readonly bankReference: string;
  readonly taxCheck: string;
  readonly taxDifference: string;
  readonly taxNotRounded: string;
  readonly rule: string;
  readonly notRounded: string;
  readonly statementId: string;
}
