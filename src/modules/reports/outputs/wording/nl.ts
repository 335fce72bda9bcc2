import { counted, type Formats, linePairs, monthList, readingName, type ReadingNames, type Words } from './words.js';

const READINGS: ReadingNames = {
  amount_inexact: 'een bedrag heeft delen van een cent',
  balances_absent: 'het bestand noemt geen saldi',
  balances_do_not_tie: 'de saldi van de bank sluiten niet aan op de boekingen',
  column_masked: 'namen in een onbekende kolom zijn gemaskeerd',
  column_not_used: 'een kolom is niet gebruikt',
  currency_differs: 'het bestand noemt een andere valuta',
  currency_unknown: 'de valuta is onbekend',
  direction_unknown: 'bij en af zijn niet te onderscheiden',
  field_not_used: 'een veld is niet gebruikt',
  floor_limit: 'kleine boekingen ontbreken in het bestand',
  id_repeated: 'een boeking staat twee keer in het bestand en telt één keer',
  id_reused: 'boekingen hebben hetzelfde kenmerk van de bank',
  interim_report: 'het bestand is geen definitief afschrift',
  layout_not_used: 'een bijna gelijke indeling is niet gebruikt',
  more_warnings: 'er zijn meer waarschuwingen, die niet worden getoond',
  not_booked: 'openstaande of geweigerde betalingen zijn weggelaten',
  row_above_header: 'regels boven de kopregel zijn weggelaten',
  signs_may_be_inverted: 'de tekens zijn mogelijk omgekeerd',
  status_unknown: 'regels met een onbekende status zijn weggelaten',
  totals_do_not_tie: 'de totalen van de bank kloppen niet met de boekingen',
  turnover_left_out: 'regels met totalen zijn weggelaten',
  unlikely_year: 'een jaartal is onwaarschijnlijk',
  other: 'waarschuwing bij het inlezen van het bestand',
};

const lines = (f: Formats, count: number) => counted(f, count, 'regel', 'regels');

export const DUTCH: Words = {
  title: 'Overzicht van gedeclareerde kosten',
  page: (page, count) => `Pagina ${page} van ${count}`,
  fields: {
    organization: 'Organisatie',
    project: 'Project',
    clientReference: 'Klantreferentie',
    configuration: 'Rapport',
    period: 'Periode',
    currency: 'Valuta',
    date: 'Opgesteld op',
    run: 'Uitvoering',
    hash: 'SHA-256 van alle gegevens',
    engine: 'Versie van de berekening',
  },
  period: (start, end) => `${start} tot en met ${end}`,
  sections: {
    summary: 'Samenvatting',
    categories: 'Bedragen per categorie en maand',
    items: 'Gedeclareerde posten',
    statements: 'Afschriften en rekeningen',
    calendar: 'Kalender van afschriften',
    exceptions: 'Aandachtspunten',
    method: 'Werkwijze en afronding',
    signOff: 'Ondertekening',
  },
  columns: {
    category: 'Categorie',
    month: 'Maand',
    items: 'Posten',
    expenses: 'Uitgaven',
    refunds: 'Terugbetaald',
    net: 'Netto',
    claim: 'Gedeclareerd',
    item: 'Post',
    line: 'Regel',
    outcome: 'In het rapport',
    evidence: 'Bewijs',
    date: 'Datum',
    counterparty: 'Tegenpartij',
    details: 'Omschrijving',
    amount: 'Bedrag',
    share: 'Aandeel',
    taxRate: 'Belastingtarief',
    tax: 'Belasting in bedrag',
    withoutTax: 'Zonder belasting',
    currency: 'Valuta',
    rate: 'Koers',
    rateFor: 'Koers van',
    original: 'Oorspronkelijk bedrag',
    converted: 'Omgerekend',
    reference: 'Nr.',
    file: 'Bestand',
    account: 'Rekening',
    period: 'Periode',
    opening: 'Beginsaldo',
    closing: 'Eindsaldo',
    read: 'Regels',
    used: 'Gebruikt',
    repeated: 'Dubbel',
    coverage: 'Dekking',
    statements: 'Afschriften',
    year: 'Jaar',
    control: 'Controle',
    expected: 'Verwacht',
    actual: 'Werkelijk',
    agrees: 'Klopt',
  },
  total: 'Totaal',
  totalOf: (what) => `Totaal ${what}`,
  yes: 'ja',
  no: 'nee',
  summary: {
    claimed: 'Gedeclareerd bedrag',
    sentence: (f, amount, items, categories) =>
      `Gedeclareerd wordt ${amount}, uit ${counted(f, items, 'post', 'posten')} in ${counted(f, categories, 'categorie', 'categorieën')}.`,
    nothing: 'Er wordt niets gedeclareerd.',
    byCategory: 'Per categorie',
    furtherCategories: (f, count) => counted(f, count, 'andere categorie', 'andere categorieën'),
    byMonth: 'Gedeclareerd per maand',
    chart: 'Staafdiagram van het gedeclareerde bedrag per maand. De cijfers staan in het deel over categorieën en maanden.',
    derivation: 'Van uitgaven naar bedrag',
    expenses: 'Uitgaven in deze categorieën',
    refunds: 'Af: terugbetalingen',
    net: 'Netto-uitgaven',
    notClaimable: 'Af: het deel dat niet te declareren is',
    notClaimed: 'Niet gedeclareerd',
    uncategorised: 'Regels zonder categorie, af min bij',
    otherCurrency: (currency) => (currency === null ? 'Regels zonder valuta' : `Regels in ${currency}`),
    coverage: (share) => `Bankafschriften dekken ${share} van de dagen van de periode.`,
    exceptions: (f, count) =>
      count === 0
        ? 'Er zijn geen aandachtspunten.'
        : `Er ${count === 1 ? 'is' : 'zijn'} ${counted(f, count, 'aandachtspunt', 'aandachtspunten')}: zie ‘Aandachtspunten’.`,
  },
  categories: { all: 'Alle categorieën', withoutItems: (names) => `Categorieën zonder posten: ${names}.` },
  items: {
    note:
      'Elke post is een regel van een bankafschrift: S1/12 is regel 12 van afschrift S1. Uitgaven zijn positief, ' +
      'terugbetalingen negatief. ' +
      'Van een post wordt het bedrag maal het aandeel gedeclareerd, niet afgerond. De bedragen van een categorie ' +
      'in een maand worden opgeteld en dan eenmaal afgerond.',
    none: 'Er wordt geen post gedeclareerd.',
    tooMany: (f, count, most) =>
      `Er zijn ${f.number(count)} posten. Een document noemt er hoogstens ${f.number(most)}, daarom staan ze hier niet. ` +
      'Het XLSX-bestand van een uitvoering bevat ze allemaal. De totalen in dit document omvatten elke post.',
    sum: (name) => `${name}: som, niet afgerond`,
    rounded: (name) => `${name}: eenmaal afgerond`,
  },
  statements: {
    note:
      'De saldi zijn die van de bank. ‘Gebruikt’ telt de regels in de cijfers van dit rapport, ‘Dubbel’ de ' +
      'regels die al op een eerder afschrift staan.',
    none: 'Er zijn geen bankafschriften.',
  },
  evidence: {
    title: (reference) => `Bankafschrift ${reference}`,
    part: (part, count) => `Deel ${part} van ${count}`,
    fileHash: 'SHA-256 van het bestand',
    statementId: 'Kenmerk van het afschrift',
    reportPeriod: 'Periode van het rapport',
    note:
      'Dit zijn de regels die uit het geïmporteerde bestand zijn gelezen, niet het document van de bank. Namen van personen, ' +
      'rekeningnummers en andere persoonsgegevens zijn door kenmerken vervangen. Uitgaand geld is negatief, zoals op het ' +
      'afschrift; het gedeclareerde deel ervan is positief. Een gearceerde regel wordt gedeclareerd en heeft het nummer van zijn post ' +
      'in het rapport. Een streepje betekent dat geen categorie de regel declareert.',
    lines: 'Regels van het afschrift',
    outcomes: {
      claimed: 'Gedeclareerd: posten van het rapport, niet afgerond',
      unclaimed: 'Niet gedeclareerd: in geen categorie',
      otherCurrency: 'Niet gedeclareerd: niet in de valuta van het rapport',
      repeated: 'Dubbel: geteld op een eerder afschrift',
      outside: 'Niet gedeclareerd: buiten de periode van het rapport',
    },
    short: { otherCurrency: 'andere valuta', repeated: 'dubbel, eerder geteld', outside: 'buiten de periode' },
    notShown: (f, count) =>
      `${counted(f, count, 'regel', 'regels')} zonder categorie ${count === 1 ? 'staat' : 'staan'} hier niet, omdat het rapport ze moest ` +
      'weglaten.',
    none: 'Het afschrift heeft geen regels.',
  },
  calendar: {
    status: { covered: 'gedekt', partial: 'deels gedekt', missing: 'niet gedekt', outside: 'niet in de periode' },
    note: 'Een maand is gedekt als de afschriften van elke rekening alle dagen ervan binnen de periode bevatten.',
  },
  exceptions: {
    note: 'Controleer deze punten voordat u de declaratie verstuurt.',
    none: 'Er zijn geen aandachtspunten.',
    findings: {
      no_statements: (_f, { areThereAny }) =>
        'Er is geen bankafschrift gelezen. Het bedrag nul betekent dat er afschriften ontbreken, niet dat er niets te declareren is.' +
        (areThereAny ? '' : ' Er zijn nog geen afschriften.'),
      statements_of_other_projects: (f, { withoutProject, ofOtherProjects }) =>
        'Andere bankafschriften in de periode zijn niet van dit project en zijn niet gelezen: ' +
        `${f.number(withoutProject)} zonder project, ` +
        `${f.number(ofOtherProjects)} van andere projecten.`,
      statements_outside_period: (f, { count, days }) =>
        `${counted(f, count, 'bankafschrift heeft', 'bankafschriften hebben')} geen dag in de periode: ` +
        `${count === 1 ? 'het is' : 'ze zijn'} van ${f.day(days.start)} tot en met ${f.day(days.end)}.`,
      statements_not_ready: (f, { failed, waiting }) =>
        `Bankafschriften die niet konden worden gelezen: ${f.number(failed)}. Nog niet gelezen: ${f.number(waiting)}.`,
      no_lines_in_period: () => 'Geen bankafschrift heeft een regel in de periode.',
      no_categories: () => 'Er doet geen categorie mee, dus er kan niets worden gedeclareerd.',
      reading: (_f, { statement, code, message }) => `${statement}: ${readingName(READINGS, code)} (‘${message}’).`,
      statement_incomplete: (_f, { statement }) =>
        `De regels van ${statement} sluiten niet aan op de verandering van het saldo. Mogelijk ontbreken er regels.`,
      possible_duplicate: (_f, { later, earlier, lines, more, once }) =>
        `Regels van ${later} en ${earlier} hebben dezelfde rekening, dag en hetzelfde bedrag, maar andere teksten: ` +
        `${linePairs(lines, more)}. ${once ? 'Ze tellen één keer.' : 'Ze tellen als verschillende betalingen.'}`,
      overlap_differs: (f, { later, earlier, days, lines, missing }) =>
        `${later} en ${earlier} bevatten allebei ${f.day(days.start)} tot en met ${f.day(days.end)} van een rekening, maar ` +
        `${f.number(missing)} van ${f.number(lines)} regels van het eerste staan niet in het tweede. Ze tellen mee. Controleer of het ` +
        'niet dezelfde betalingen met een andere datum zijn.',
      account_unknown: (_f, { statement }) =>
        `${statement} noemt geen rekening, en uit de regels blijkt niet welke het is. Betalingen die ook in andere afschriften staan, ` +
        'tellen mogelijk dubbel, en de dagen ontbreken in het bewijs.',
      no_account_named: () => 'Geen afschrift noemt zijn rekening. Alle gelden als afschriften van één rekening.',
      statement_gaps: (f, { coveragePercent, months }) =>
        `Bankafschriften dekken ${f.percent(coveragePercent)} van de periode. Onvolledig: ${monthList(f, months)}.`,
      other_currencies: (f, { currency, count }) =>
        `${lines(f, count)} ${currency === null ? 'zonder valuta' : `in ${currency}`} ${count === 1 ? 'telt' : 'tellen'} ` +
        'niet mee in de totalen.',
      rate_missing: (f, { currency, count, days }) =>
        `${counted(f, count, 'regel', 'regels')} in ${currency} tussen ${f.day(days.start)} en ${f.day(days.end)} ` +
        `${count === 1 ? 'heeft geen wisselkoers en telt' : 'hebben geen wisselkoers en tellen'} niet mee in de totalen.`,
      negative_claim: (_f, { category }) => `${category} heeft meer terugbetalingen dan uitgaven, daarom is het bedrag negatief.`,
      category_without_rules: (_f, { category }) => `${category} heeft geen regels en declareert dus niets.`,
      claimed_by_several: (f, { count, category, other }) =>
        `${lines(f, count)} van ${category} ${count === 1 ? 'past' : 'passen'} ook bij ${other}.`,
      more_warnings: (f, { count }) => `${counted(f, count, 'ander aandachtspunt wordt', 'andere aandachtspunten worden')} niet getoond.`,
    },
  },
  method: {
    paragraphs: {
      ofLines: [
        'Regels van de categorieën wijzen elke afschriftregel aan hoogstens één categorie toe. Passen er meer ' +
          'categorieën, dan geldt die met de hoogste prioriteit.',
        'Van een afschriftregel wordt het bedrag maal het aandeel van de regel gedeclareerd, niet afgerond. ' +
          'De bedragen van een categorie in een maand worden opgeteld en dan eenmaal afgerond op de kleinste ' +
          'eenheid van de valuta, de helft van nul af. Alle andere bedragen zijn sommen daarvan, dus de maanden ' +
          'tellen op tot de totalen.',
        'Terugbetalingen verlagen het bedrag, ook tot onder nul. Uitgaven, terugbetalingen en netto worden nooit afgerond.',
        'Een regel die al op een eerder afschrift staat, telt eenmaal. Gelijke regels op één afschrift zijn verschillende betalingen.',
      ],
      tax:
        'Een regel van een categorie kan de belasting noemen die in de bedragen zit. Bij 19 procent zijn 19 van 119 delen belasting. De ' +
        'belasting van een categorie in een maand wordt exact opgeteld en dan eenmaal afgerond; de rest is het bedrag zonder ' +
        'belasting. De belasting van een post wordt met hoogstens zes decimalen getoond.',
      notConverted: 'Valuta worden nooit omgerekend. Regels in andere valuta tellen niet mee in de totalen.',
      converted: (source) =>
        `Regels in andere valuta worden omgerekend met de koersen in de lijst hieronder. Bron: ${source}. Het bedrag van elke regel ` +
        'wordt eenmaal afgerond, de helft van nul af. Op dagen zonder koers geldt de laatste van de zeven dagen ervoor. De categorieën ' +
        'vergelijken de oorspronkelijke bedragen. Regels zonder koers of zonder valuta tellen niet mee in de totalen.',
      ofData: [
        'Namen van personen, rekeningnummers en andere persoonsgegevens zijn vooraf door kenmerken vervangen. ' +
          'Gelijke namen hebben gelijke kenmerken.',
        'Dezelfde gegevens geven dezelfde cijfers. De SHA-256 van alle gegevens op het voorblad duidt ze aan.',
      ],
    },
    rates: 'Wisselkoersen',
    ratesNotListed: (f, count) => `${counted(f, count, 'andere koers is', 'andere koersen zijn')} gebruikt.`,
    controls: 'Controles',
    controlsNote: 'Deze waarden worden op twee manieren berekend en moeten gelijk zijn.',
    control: {
      lines_used_and_left_out_make_lines_read: 'Gebruikte, dubbele en overige regels: alle gelezen regels',
      categories_and_uncategorised_make_net: 'Categorieën en regels zonder categorie: netto van alle regels',
      months_make_net: 'Maanden: netto van alle regels',
      category_months_make_claimable: 'Maanden van alle categorieën: gedeclareerd bedrag',
      months_make_claimable: 'Maanden: gedeclareerd bedrag',
      tax_and_net_make_claimable: 'Belasting en bedrag zonder belasting: gedeclareerd bedrag',
      own_and_converted_make_net: 'Regels in de valuta van het rapport en omgerekende regels: netto van alle regels',
    },
    balance: (statement) => `${statement}: som van de regels min de verandering van het saldo`,
    balances: (f, agreeing, all) =>
      `${counted(f, all, 'afschrift noemt', 'afschriften noemen')} saldi die te controleren zijn. De regels ` +
      `sluiten aan bij ${f.number(agreeing)}.`,
  },
  signOff: {
    note: 'Opgesteld uit de bankafschriften die dit rapport noemt.',
    prepared: 'Opgesteld door',
    reviewed: 'Gecontroleerd door',
    name: 'Naam',
    signature: 'Handtekening',
    date: 'Datum',
  },
};
