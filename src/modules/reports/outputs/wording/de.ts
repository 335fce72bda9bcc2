import { counted, linePairs, monthList, readingName, type ReadingNames, type Words } from './words.js';

const READINGS: ReadingNames = {
  amount_inexact: 'Ein Betrag hat Bruchteile eines Cents',
  balances_absent: 'Die Datei nennt keine Salden',
  balances_do_not_tie: 'Die Salden der Bank passen nicht zu den Buchungen',
  column_masked: 'Namen in einer unbekannten Spalte wurden geschwärzt',
  column_not_used: 'Eine Spalte wurde nicht verwendet',
  currency_differs: 'Die Datei nennt eine andere Währung',
  currency_unknown: 'Die Währung ist nicht bekannt',
  direction_unknown: 'Eingänge und Ausgänge sind nicht zu unterscheiden',
  field_not_used: 'Ein Feld wurde nicht verwendet',
  floor_limit: 'Kleine Buchungen fehlen in der Datei',
  id_repeated: 'Eine Buchung steht zweimal in der Datei und zählt einmal',
  id_reused: 'Buchungen haben dieselbe Kennung der Bank',
  interim_report: 'Die Datei ist kein endgültiger Kontoauszug',
  layout_not_used: 'eine fast gleiche Vorlage wurde nicht angewendet',
  more_warnings: 'Weitere Hinweise werden nicht gezeigt',
  not_booked: 'Vorgemerkte oder abgelehnte Zahlungen wurden ausgelassen',
  row_above_header: 'Zeilen über der Kopfzeile wurden ausgelassen',
  signs_may_be_inverted: 'Die Vorzeichen sind vielleicht vertauscht',
  status_unknown: 'Zeilen mit unbekanntem Status wurden ausgelassen',
  totals_do_not_tie: 'Die Summen der Bank passen nicht zu den Buchungen',
  turnover_left_out: 'Zeilen mit Umsatzsummen wurden ausgelassen',
  unlikely_year: 'Ein Jahr ist unwahrscheinlich',
  other: 'Hinweis beim Einlesen der Datei',
};

export const GERMAN: Words = {
  title: 'Aufstellung der geltend gemachten Ausgaben',
  page: (page, count) => `Seite ${page} von ${count}`,
  fields: {
    organization: 'Organisation',
    project: 'Projekt',
    clientReference: 'Mandantennummer',
    configuration: 'Bericht',
    period: 'Zeitraum',
    currency: 'Währung',
    date: 'Erstellt am',
    run: 'Lauf',
    hash: 'SHA-256 aller Eingaben',
    engine: 'Version der Berechnung',
  },
  period: (start, end) => `${start} bis ${end}`,
  sections: {
    summary: 'Zusammenfassung',
    categories: 'Beträge nach Kategorie und Monat',
    items: 'Geltend gemachte Posten',
    statements: 'Kontoauszüge und Konten',
    calendar: 'Kalender der Belege',
    exceptions: 'Auffälligkeiten',
    method: 'Verfahren und Rundung',
    signOff: 'Freigabe',
  },
  columns: {
    category: 'Kategorie',
    month: 'Monat',
    items: 'Posten',
    expenses: 'Ausgaben',
    refunds: 'Erstattungen',
    net: 'Netto',
    claim: 'Geltend gemacht',
    item: 'Posten',
    line: 'Zeile',
    outcome: 'Im Bericht',
    evidence: 'Beleg',
    date: 'Datum',
    counterparty: 'Gegenseite',
    details: 'Verwendungszweck',
    amount: 'Betrag',
    share: 'Anteil',
    taxRate: 'Steuersatz',
    tax: 'Enthaltene Steuer',
    withoutTax: 'Ohne Steuer',
    currency: 'Währung',
    rate: 'Kurs',
    rateFor: 'Kurs vom',
    original: 'Ursprünglicher Betrag',
    converted: 'Umgerechnet',
    reference: 'Nr.',
    file: 'Datei',
    account: 'Konto',
    period: 'Zeitraum',
    opening: 'Anfangssaldo',
    closing: 'Endsaldo',
    read: 'Zeilen',
    used: 'Verwendet',
    repeated: 'Doppelt',
    coverage: 'Abdeckung',
    statements: 'Kontoauszüge',
    year: 'Jahr',
    control: 'Kontrolle',
    expected: 'Erwartet',
    actual: 'Tatsächlich',
    agrees: 'Stimmt',
  },
  total: 'Summe',
  totalOf: (what) => `Summe ${what}`,
  yes: 'ja',
  no: 'nein',
  summary: {
    claimed: 'Geltend gemachter Betrag',
    sentence: (f, amount, items, categories) =>
      `Geltend gemacht werden ${amount} aus ${f.number(items)} Posten in ${counted(f, categories, 'Kategorie', 'Kategorien')}.`,
    nothing: 'Es wird nichts geltend gemacht.',
    byCategory: 'Nach Kategorie',
    furtherCategories: (f, count) => counted(f, count, 'weitere Kategorie', 'weitere Kategorien'),
    byMonth: 'Geltend gemacht nach Monat',
    chart: 'Säulendiagramm der geltend gemachten Beträge je Monat. Die Zahlen stehen im Abschnitt zu Kategorien und Monaten.',
    derivation: 'Von den Ausgaben zum Betrag',
    expenses: 'Ausgaben in diesen Kategorien',
    refunds: 'Abzüglich Erstattungen',
    net: 'Ausgaben netto',
    notClaimable: 'Abzüglich des nicht ansetzbaren Teils',
    notClaimed: 'Nicht geltend gemacht',
    uncategorised: 'Zeilen ohne Kategorie, Ausgänge abzüglich Eingänge',
    otherCurrency: (currency) => (currency === null ? 'Zeilen ohne Währung' : `Zeilen in ${currency}`),
    coverage: (share) => `Kontoauszüge decken ${share} der Tage des Zeitraums ab.`,
    exceptions: (f, count) =>
      count === 0
        ? 'Es gibt keine Auffälligkeiten.'
        : `${counted(f, count, 'Auffälligkeit ist', 'Auffälligkeiten sind')} zu prüfen: siehe „Auffälligkeiten“.`,
  },
  categories: { all: 'Alle Kategorien', withoutItems: (names) => `Kategorien ohne Posten: ${names}.` },
  items: {
    note:
      'Jeder Posten ist eine Zeile eines Kontoauszugs: S1/12 ist Zeile 12 des Auszugs S1. Ausgaben sind positiv, ' +
      'Erstattungen negativ. ' +
      'Der geltend gemachte Teil eines Postens ist sein Betrag mal Anteil, ungerundet. Die Teile einer Kategorie ' +
      'in einem Monat werden addiert und dann einmal gerundet.',
    none: 'Es wird kein Posten geltend gemacht.',
    tooMany: (f, count, most) =>
      `Es gibt ${f.number(count)} Posten. Ein Dokument führt höchstens ${f.number(most)} auf, deshalb stehen sie nicht hier. ` +
      'Die XLSX-Datei eines Laufs enthält alle. Die Summen in diesem Dokument schließen jeden Posten ein.',
    sum: (name) => `${name}: Summe, ungerundet`,
    rounded: (name) => `${name}: einmal gerundet`,
  },
  statements: {
    note:
      'Die Salden sind die der Bank. „Verwendet“ zählt die Zeilen in den Zahlen dieses Berichts, „Doppelt“ ' +
      'die, die schon ein früherer Auszug enthält.',
    none: 'Es gibt keine Kontoauszüge.',
  },
  evidence: {
    title: (reference) => `Kontoauszug ${reference}`,
    part: (part, count) => `Teil ${part} von ${count}`,
    fileHash: 'SHA-256 der Datei',
    statementId: 'Kennung des Auszugs',
    reportPeriod: 'Zeitraum des Berichts',
    note:
      'Dies sind die Zeilen, die aus der importierten Datei gelesen wurden, nicht das Dokument der Bank. Namen von Personen, ' +
      'Kontonummern und andere personenbezogene Daten wurden durch Kennungen ersetzt. Ausgänge sind negativ, wie im Auszug; ' +
      'was davon geltend gemacht wird, ist positiv. Eine unterlegte Zeile wird geltend gemacht und trägt die Nummer ihres ' +
      'Postens im Bericht. Ein Strich bedeutet, dass keine Kategorie die Zeile geltend macht.',
    lines: 'Zeilen des Auszugs',
    outcomes: {
      claimed: 'Geltend gemacht: Posten des Berichts, ungerundet',
      unclaimed: 'Nicht geltend gemacht: in keiner Kategorie',
      otherCurrency: 'Nicht geltend gemacht: nicht in der Währung des Berichts',
      repeated: 'Doppelt: in einem früheren Auszug gezählt',
      outside: 'Nicht geltend gemacht: außerhalb des Zeitraums des Berichts',
    },
    short: { otherCurrency: 'andere Währung', repeated: 'doppelt, früher gezählt', outside: 'nicht im Zeitraum' },
    notShown: (f, count) =>
      `${counted(f, count, 'Zeile', 'Zeilen')} ohne Kategorie ${count === 1 ? 'wird' : 'werden'} nicht gezeigt, weil der Bericht sie ` +
      'weglassen soll.',
    none: 'Der Auszug hat keine Zeilen.',
  },
  calendar: {
    status: { covered: 'abgedeckt', partial: 'teilweise abgedeckt', missing: 'nicht abgedeckt', outside: 'nicht im Zeitraum' },
    note: 'Ein Monat ist abgedeckt, wenn die Auszüge jedes Kontos alle seine Tage im Zeitraum enthalten.',
  },
  exceptions: {
    note: 'Bitte prüfen Sie diese Punkte, bevor Sie die Aufstellung einreichen.',
    none: 'Es gibt keine Auffälligkeiten.',
    findings: {
      no_statements: (_f, { areThereAny }) =>
        'Es wurde kein Kontoauszug ausgewertet. Der Betrag null bedeutet, dass Kontoauszüge fehlen, und nicht, dass nichts geltend ' +
        `gemacht werden kann.${areThereAny ? '' : ' Es gibt noch keine Kontoauszüge.'}`,
      statements_of_other_projects: (f, { withoutProject, ofOtherProjects }) =>
        'Andere Kontoauszüge im Zeitraum gehören nicht zu diesem Projekt und wurden nicht ausgewertet: ' +
        `${f.number(withoutProject)} ohne Projekt, ` +
        `${f.number(ofOtherProjects)} von anderen Projekten.`,
      statements_outside_period: (f, { count, days }) =>
        `${counted(f, count, 'Kontoauszug hat', 'Kontoauszüge haben')} keinen Tag im Zeitraum, sondern ` +
        `${count === 1 ? 'reicht' : 'reichen'} vom ${f.day(days.start)} bis zum ${f.day(days.end)}.`,
      statements_not_ready: (f, { failed, waiting }) =>
        `Kontoauszüge, die nicht gelesen werden konnten: ${f.number(failed)}. Noch nicht gelesen: ${f.number(waiting)}.`,
      no_lines_in_period: () => 'Kein Kontoauszug hat eine Zeile im Zeitraum.',
      no_categories: () => 'Keine Kategorie nimmt teil, deshalb kann nichts geltend gemacht werden.',
      reading: (_f, { statement, code, message }) => `${statement}: ${readingName(READINGS, code)} („${message}“).`,
      statement_incomplete: (_f, { statement }) =>
        `Die Zeilen von ${statement} ergeben nicht die Änderung des Saldos. Möglicherweise fehlen Zeilen.`,
      possible_duplicate: (_f, { later, earlier, lines, more, once }) =>
        `Zeilen von ${later} und ${earlier} haben Konto, Tag und Betrag gemeinsam, aber andere Texte: ${linePairs(lines, more)}. ` +
        (once ? 'Sie zählen einmal.' : 'Sie zählen als verschiedene Zahlungen.'),
      overlap_differs: (f, { later, earlier, days, lines, missing }) =>
        `${later} und ${earlier} enthalten beide den ${f.day(days.start)} bis ${f.day(days.end)} eines Kontos, aber ` +
        `${f.number(missing)} von ${f.number(lines)} Zeilen des ersten stehen nicht im zweiten. Sie zählen mit. Bitte prüfen Sie, ` +
        'ob es dieselben Zahlungen mit anderem Datum sind.',
      account_unknown: (_f, { statement }) =>
        `${statement} nennt kein Konto, und seine Zeilen zeigen nicht, welches es ist. Zahlungen, die auch andere Auszüge enthalten, ` +
        'zählen womöglich doppelt, und seine Tage fehlen im Nachweis.',
      no_account_named: () => 'Kein Kontoauszug nennt sein Konto. Alle gelten als Auszüge eines Kontos.',
      statement_gaps: (f, { coveragePercent, months }) =>
        `Kontoauszüge decken ${f.percent(coveragePercent)} des Zeitraums ab. Lücken haben: ${monthList(f, months)}.`,
      other_currencies: (f, { currency, count }) =>
        `${counted(f, count, 'Zeile', 'Zeilen')} ${currency === null ? 'ohne Währung' : `in ${currency}`} ` +
        `${count === 1 ? 'ist' : 'sind'} nicht in den Summen enthalten.`,
      rate_missing: (f, { currency, count, days }) =>
        `${counted(f, count, 'Zeile', 'Zeilen')} in ${currency} zwischen ${f.day(days.start)} und ${f.day(days.end)} ` +
        `${count === 1 ? 'hat' : 'haben'} keinen Wechselkurs und ${count === 1 ? 'ist' : 'sind'} nicht in den Summen enthalten.`,
      negative_claim: (_f, { category }) => `${category} hat mehr Erstattungen als Ausgaben, deshalb ist der Betrag negativ.`,
      category_without_rules: (_f, { category }) => `${category} hat keine Regeln, deshalb wird dafür nichts geltend gemacht.`,
      claimed_by_several: (f, { count, category, other }) =>
        `${counted(f, count, 'Zeile', 'Zeilen')} von ${category} ${count === 1 ? 'passt' : 'passen'} auch zu ${other}.`,
      more_warnings: (f, { count }) =>
        `${counted(f, count, 'weitere Auffälligkeit wird', 'weitere Auffälligkeiten werden')} nicht gezeigt.`,
    },
  },
  method: {
    paragraphs: {
      ofLines: [
        'Regeln ordnen jede Zeile der Kontoauszüge höchstens einer Kategorie zu. Passt eine Zeile zu mehreren ' +
          'Kategorien, gilt die mit der höchsten Priorität.',
        'Von einer Zeile wird ihr Betrag mal dem Anteil der Regel geltend gemacht, ungerundet. Die Teile einer ' +
          'Kategorie in einem Monat werden addiert und dann einmal kaufmännisch auf die kleinste Einheit der ' +
          'Währung gerundet. Alle anderen Beträge sind Summen davon, deshalb ergeben die Monate die Gesamtsumme.',
        'Erstattungen mindern den Betrag, auch unter null. Ausgaben, Erstattungen und Netto werden nie gerundet.',
        'Eine Zeile, die schon ein früherer Auszug enthält, zählt einmal. Gleiche Zeilen in einem Auszug sind verschiedene Zahlungen.',
      ],
      tax:
        'Eine Regel kann die Steuer nennen, die in ihren Beträgen enthalten ist. Bei 19 Prozent sind 19 von 119 Teilen Steuer. Die ' +
        'Steuern einer Kategorie in einem Monat werden genau addiert und dann einmal gerundet; der Rest ist der Betrag ohne Steuer. ' +
        'Die Steuer eines Postens wird mit höchstens sechs Nachkommastellen gezeigt.',
      notConverted: 'Währungen werden nie umgerechnet. Zeilen in anderen Währungen sind nicht in den Summen enthalten.',
      converted: (source) =>
        `Zeilen in anderen Währungen werden mit den unten aufgeführten Kursen umgerechnet. Quelle: ${source}. Der Betrag jeder Zeile ` +
        'wird einmal kaufmännisch gerundet. An Tagen ohne Kurs gilt der letzte der sieben Tage davor. Regeln vergleichen die ' +
        'ursprünglichen Beträge. Zeilen ohne Kurs oder ohne Währung sind nicht in den Summen enthalten.',
      ofData: [
        'Namen von Personen, Kontonummern und andere personenbezogene Daten wurden vorher durch Kennungen ersetzt. ' +
          'Gleiche Namen haben gleiche Kennungen.',
        'Gleiche Eingaben ergeben gleiche Zahlen. Die SHA-256 aller Eingaben auf dem Deckblatt bezeichnet sie eindeutig.',
      ],
    },
    rates: 'Wechselkurse',
    ratesNotListed: (f, count) => `${counted(f, count, 'weiterer Kurs wurde', 'weitere Kurse wurden')} verwendet.`,
    controls: 'Kontrollen',
    controlsNote: 'Diese Werte werden auf zwei Wegen berechnet und müssen gleich sein.',
    control: {
      lines_used_and_left_out_make_lines_read: 'Verwendete, doppelte und andere Zeilen: alle gelesenen Zeilen',
      categories_and_uncategorised_make_net: 'Kategorien und Zeilen ohne Kategorie: Netto aller Zeilen',
      months_make_net: 'Monate: Netto aller Zeilen',
      category_months_make_claimable: 'Monate aller Kategorien: geltend gemachter Betrag',
      months_make_claimable: 'Monate: geltend gemachter Betrag',
      tax_and_net_make_claimable: 'Steuer und Betrag ohne Steuer: geltend gemachter Betrag',
      own_and_converted_make_net: 'Zeilen in der Währung des Berichts und umgerechnete Zeilen: Netto aller Zeilen',
    },
    balance: (statement) => `${statement}: Summe der Zeilen abzüglich der Änderung des Saldos`,
    balances: (f, agreeing, all) =>
      `${counted(f, all, 'Auszug nennt', 'Auszüge nennen')} prüfbare Salden. In ${f.number(agreeing)} stimmen ` +
      'die Zeilen damit überein.',
  },
  signOff: {
    note: 'Erstellt aus den Kontoauszügen, die dieser Bericht aufführt.',
    prepared: 'Erstellt von',
    reviewed: 'Geprüft von',
    name: 'Name',
    signature: 'Unterschrift',
    date: 'Datum',
  },
};
