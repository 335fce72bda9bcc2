import { type Formats, linePairs, monthList, readingName, type ReadingNames, type Words } from './words.js';

const READINGS: ReadingNames = {
  amount_inexact: 'un montant comporte des fractions de centime',
  balances_absent: 'le fichier n’indique pas de solde',
  balances_do_not_tie: 'les soldes de la banque ne correspondent pas aux écritures',
  column_masked: 'des noms dans une colonne inconnue ont été masqués',
  column_not_used: 'une colonne n’a pas été utilisée',
  currency_differs: 'le fichier indique une autre devise',
  currency_unknown: 'la devise est inconnue',
  direction_unknown: 'les entrées et les sorties ne se distinguent pas',
  field_not_used: 'un champ n’a pas été utilisé',
  floor_limit: 'les petites écritures manquent dans le fichier',
  id_repeated: 'une écriture figure deux fois dans le fichier et compte une fois',
  id_reused: 'des écritures ont le même identifiant de la banque',
  interim_report: 'le fichier n’est pas un relevé définitif',
  layout_not_used: 'un modèle presque identique n’a pas été appliqué',
  more_warnings: 'd’autres avertissements ne sont pas affichés',
  not_booked: 'des paiements en attente ou refusés ont été laissés de côté',
  row_above_header: 'des lignes au-dessus de l’en-tête ont été laissées de côté',
  signs_may_be_inverted: 'les signes sont peut-être inversés',
  status_unknown: 'des lignes au statut inconnu ont été laissées de côté',
  totals_do_not_tie: 'les totaux de la banque ne correspondent pas aux écritures',
  turnover_left_out: 'des lignes de totaux ont été laissées de côté',
  unlikely_year: 'une année est peu vraisemblable',
  other: 'avertissement à la lecture du fichier',
};

const counted = (f: Formats, count: number, one: string, many: string) => `${f.number(count)} ${count < 2 ? one : many}`;
const lines = (f: Formats, count: number) => counted(f, count, 'ligne', 'lignes');

export const FRENCH: Words = {
  title: 'État des dépenses à faire valoir',
  page: (page, count) => `Page ${page} sur ${count}`,
  fields: {
    organization: 'Organisation',
    project: 'Projet',
    clientReference: 'Référence du client',
    configuration: 'Rapport',
    period: 'Période',
    currency: 'Devise',
    date: 'Date d’établissement',
    run: 'Exécution',
    hash: 'SHA-256 de toutes les données',
    engine: 'Version du calcul',
  },
  period: (start, end) => `du ${start} au ${end}`,
  sections: {
    summary: 'Synthèse',
    categories: 'Montants par catégorie et par mois',
    items: 'Dépenses retenues',
    statements: 'Relevés et comptes',
    calendar: 'Calendrier des justificatifs',
    exceptions: 'Points à vérifier',
    method: 'Méthode et arrondis',
    signOff: 'Validation',
  },
  columns: {
    category: 'Catégorie',
    month: 'Mois',
    items: 'Lignes',
    expenses: 'Dépenses',
    refunds: 'Remboursements',
    net: 'Net',
    claim: 'Retenu',
    item: 'Dépense',
    line: 'Ligne',
    outcome: 'Dans le rapport',
    evidence: 'Pièce',
    date: 'Date',
    counterparty: 'Tiers',
    details: 'Libellé',
    amount: 'Montant',
    share: 'Part',
    taxRate: 'Taux de taxe',
    tax: 'Taxe comprise',
    withoutTax: 'Hors taxe',
    currency: 'Devise',
    rate: 'Cours',
    rateFor: 'Cours du',
    original: 'Montant d’origine',
    converted: 'Converti',
    reference: 'Réf.',
    file: 'Fichier',
    account: 'Compte',
    period: 'Période',
    opening: 'Solde initial',
    closing: 'Solde final',
    read: 'Lignes',
    used: 'Utilisées',
    repeated: 'Répétées',
    coverage: 'Couverture',
    statements: 'Relevés',
    year: 'Année',
    control: 'Contrôle',
    expected: 'Attendu',
    actual: 'Obtenu',
    agrees: 'Concorde',
  },
  total: 'Total',
  totalOf: (what) => `Total ${what}`,
  yes: 'oui',
  no: 'non',
  summary: {
    claimed: 'Montant à faire valoir',
    sentence: (f, amount, items, categories) =>
      `${amount} à faire valoir, pour ${lines(f, items)} dans ${counted(f, categories, 'catégorie', 'catégories')}.`,
    nothing: 'Aucun montant à faire valoir.',
    byCategory: 'Par catégorie',
    furtherCategories: (f, count) => counted(f, count, 'autre catégorie', 'autres catégories'),
    byMonth: 'Montant retenu par mois',
    chart: 'Histogramme du montant retenu chaque mois. Les chiffres figurent dans la section des catégories et des mois.',
    derivation: 'Des dépenses au montant',
    expenses: 'Dépenses de ces catégories',
    refunds: 'Moins les remboursements',
    net: 'Dépenses nettes',
    notClaimable: 'Moins la part non admise',
    notClaimed: 'Non retenu',
    uncategorised: 'Lignes sans catégorie, sorties moins entrées',
    otherCurrency: (currency) => (currency === null ? 'Lignes sans devise' : `Lignes en ${currency}`),
    coverage: (share) => `Les relevés bancaires couvrent ${share} des jours de la période.`,
    exceptions: (f, count) =>
      count === 0
        ? 'Aucun point à vérifier.'
        : `${counted(f, count, 'point', 'points')} à vérifier\u00a0: voir «\u00a0Points à vérifier\u00a0».`,
  },
  categories: { all: 'Toutes les catégories', withoutItems: (names) => `Catégories sans ligne\u00a0: ${names}.` },
  items: {
    note:
      'Chaque dépense est une ligne d’un relevé bancaire\u00a0: S1/12 est la ligne 12 du relevé S1. Les dépenses ' +
      'sont positives, les remboursements négatifs. ' +
      'Le montant retenu d’une ligne est son montant multiplié par sa part, sans arrondi. Les montants retenus ' +
      'd’une catégorie pour un mois sont additionnés, puis arrondis une seule fois.',
    none: 'Aucune ligne n’est retenue.',
    tooMany: (f, count, most) =>
      `Il y a ${f.number(count)} lignes. Un document en énumère au plus ${f.number(most)}\u00a0; elles ne figurent donc pas ici. ` +
      'Le fichier XLSX d’une exécution les contient toutes. Les totaux de ce document tiennent compte de chaque ligne.',
    sum: (name) => `${name}\u00a0: somme, sans arrondi`,
    rounded: (name) => `${name}\u00a0: arrondi une fois`,
  },
  statements: {
    note:
      'Les soldes sont ceux de la banque. «\u00a0Utilisées\u00a0» compte les lignes comprises dans les chiffres ' +
      'de ce rapport, «\u00a0Répétées\u00a0» celles qu’un relevé précédent contient déjà.',
    none: 'Il n’y a aucun relevé bancaire.',
  },
  evidence: {
    title: (reference) => `Relevé bancaire ${reference}`,
    part: (part, count) => `Partie ${part} sur ${count}`,
    fileHash: 'SHA-256 du fichier',
    statementId: 'Identifiant du relevé',
    reportPeriod: 'Période du rapport',
    note:
      'Voici les lignes lues dans le fichier importé\u00a0; ce n’est pas le document de la banque. Les noms de personnes, les ' +
      'numéros de compte et les autres données personnelles ont été remplacés par des identifiants. Les sorties sont négatives, ' +
      'comme dans le relevé\u00a0; leur montant retenu est positif. Une ligne sur fond gris est retenue et porte le numéro de sa ' +
      'dépense dans le rapport. Un tiret signifie qu’aucune catégorie ne retient la ligne.',
    lines: 'Lignes du relevé',
    outcomes: {
      claimed: 'Retenues\u00a0: dépenses du rapport, sans arrondi',
      unclaimed: 'Non retenues\u00a0: sans catégorie',
      otherCurrency: 'Non retenues\u00a0: pas dans la devise du rapport',
      repeated: 'Répétées\u00a0: comptées dans un relevé précédent',
      outside: 'Non retenues\u00a0: hors de la période du rapport',
    },
    short: { otherCurrency: 'autre devise', repeated: 'répétée, déjà comptée', outside: 'hors période' },
    notShown: (f, count) =>
      `${counted(f, count, 'ligne', 'lignes')} sans catégorie ${count === 1 ? 'n’est pas montrée' : 'ne sont pas montrées'}, car le ` +
      'rapport ne doit pas les contenir.',
    none: 'Le relevé n’a aucune ligne.',
  },
  calendar: {
    status: { covered: 'couvert', partial: 'couvert en partie', missing: 'non couvert', outside: 'hors de la période' },
    note: 'Un mois est couvert si les relevés de chaque compte couvrent tous ses jours dans la période.',
  },
  exceptions: {
    note: 'Vérifiez ces points avant de transmettre la demande.',
    none: 'Aucun point à vérifier.',
    findings: {
      no_statements: (_f, { areThereAny }) =>
        'Aucun relevé bancaire n’a été lu. Le montant nul signifie que des relevés manquent, et non qu’il n’y a rien à demander.' +
        (areThereAny ? '' : ' Il n’y a pas encore de relevé.'),
      statements_of_other_projects: (f, { withoutProject, ofOtherProjects }) =>
        'D’autres relevés de la période ne sont pas de ce projet et n’ont pas été lus\u00a0: ' +
        `${f.number(withoutProject)} sans projet, ` +
        `${f.number(ofOtherProjects)} d’autres projets.`,
      statements_outside_period: (f, { count, days }) =>
        `${count === 1 ? 'Un relevé n’a' : `${f.number(count)} relevés n’ont`} aucun jour dans la période\u00a0: ` +
        `du ${f.day(days.start)} au ${f.day(days.end)}.`,
      statements_not_ready: (f, { failed, waiting }) =>
        `Relevés qui n’ont pas pu être lus\u00a0: ${f.number(failed)}. Pas encore lus\u00a0: ${f.number(waiting)}.`,
      no_lines_in_period: () => 'Aucun relevé bancaire n’a de ligne dans la période.',
      no_categories: () => 'Aucune catégorie n’est prise en compte, rien ne peut donc être retenu.',
      reading: (_f, { statement, code, message }) => `${statement}\u00a0: ${readingName(READINGS, code)} («\u00a0${message}\u00a0»).`,
      statement_incomplete: (_f, { statement }) =>
        `Les lignes de ${statement} ne correspondent pas à la variation de son solde. Il manque peut-être des lignes.`,
      possible_duplicate: (_f, { later, earlier, lines: pairs, more, once }) =>
        `Des lignes de ${later} et de ${earlier} ont le même compte, le même jour et le même montant, mais d’autres textes\u00a0: ` +
        `${linePairs(pairs, more)}. ${once ? 'Elles comptent une fois.' : 'Elles comptent comme des paiements différents.'}`,
      overlap_differs: (f, { later, earlier, days, lines: count, missing }) =>
        `${later} et ${earlier} couvrent tous deux la période du ${f.day(days.start)} au ${f.day(days.end)} d’un compte, mais ` +
        `${f.number(missing)} des ${f.number(count)} lignes du premier manquent dans le second. Elles comptent. Vérifiez qu’il ne ` +
        's’agit pas des mêmes paiements à d’autres dates.',
      account_unknown: (_f, { statement }) =>
        `${statement} n’indique pas de compte, et ses lignes ne permettent pas de le reconnaître. Des paiements présents dans ` +
        'd’autres relevés peuvent compter deux fois, et ses jours manquent dans les justificatifs.',
      no_account_named: () => 'Aucun relevé n’indique son compte. Tous sont considérés comme relevés d’un seul compte.',
      statement_gaps: (f, { coveragePercent, months }) =>
        `Les relevés couvrent ${f.percent(coveragePercent)} de la période. Mois incomplets\u00a0: ${monthList(f, months)}.`,
      other_currencies: (f, { currency, count }) =>
        `${lines(f, count)} ${currency === null ? 'sans devise' : `en ${currency}`} ` +
        `${count < 2 ? 'n’est pas comprise' : 'ne sont pas comprises'} dans les totaux.`,
      rate_missing: (f, { currency, count, days }) =>
        `${counted(f, count, 'ligne', 'lignes')} en ${currency} entre le ${f.day(days.start)} et le ${f.day(days.end)} ` +
        `${count === 1 ? 'n’a pas de cours de change et n’est pas comprise' : 'n’ont pas de cours de change et ne sont pas comprises'} ` +
        'dans les totaux.',
      negative_claim: (_f, { category }) =>
        `${category}\u00a0: les remboursements dépassent les dépenses, le montant retenu est donc négatif.`,
      category_without_rules: (_f, { category }) => `${category} n’a pas de règle, rien n’est donc retenu.`,
      claimed_by_several: (f, { count, category, other }) =>
        `${lines(f, count)} de ${category} ${count < 2 ? 'correspond' : 'correspondent'} aussi à ${other}.`,
      more_warnings: (f, { count }) => `${counted(f, count, 'autre point n’est pas affiché', 'autres points ne sont pas affichés')}.`,
    },
  },
  method: {
    paragraphs: {
      ofLines: [
        'Des règles attribuent chaque ligne des relevés à une catégorie au plus. Si plusieurs catégories conviennent, ' +
          'celle de plus haute priorité l’emporte.',
        'Le montant retenu d’une ligne est son montant multiplié par la part que fixe la règle, sans arrondi. ' +
          'Les montants retenus d’une catégorie pour un mois sont additionnés, puis arrondis une seule fois à ' +
          'la plus petite unité de la devise, la moitié s’éloignant de zéro. Tous les autres montants en sont ' +
          'des sommes\u00a0: les mois donnent donc les totaux.',
        'Les remboursements réduisent le montant retenu, même au-dessous de zéro. Les dépenses, les remboursements ' +
          'et le net ne sont jamais arrondis.',
        'Une ligne qu’un relevé précédent contient déjà compte une fois. Des lignes égales d’un même relevé ' +
          'sont des paiements différents.',
      ],
      tax:
        'Une règle peut indiquer la taxe comprise dans ses montants. À 19 pour cent, 19 parts sur 119 sont de la taxe. Les taxes ' +
        'd’une catégorie pour un mois sont additionnées exactement, puis arrondies une seule fois\u00a0; le reste est le montant hors ' +
        'taxe. La taxe d’une ligne est indiquée avec six décimales au plus.',
      notConverted: 'Les devises ne sont jamais converties. Les lignes en d’autres devises ne sont pas comprises dans les totaux.',
      converted: (source) =>
        `Les lignes en d’autres devises sont converties aux cours indiqués ci-dessous. Source\u00a0: ${source}. Le montant de chaque ` +
        'ligne est arrondi une seule fois, la moitié s’éloignant de zéro. Un jour sans cours prend le dernier des sept jours précédents. ' +
        'Les règles comparent les montants d’origine. Les lignes sans cours ou sans devise ne sont pas comprises dans les totaux.',
      ofData: [
        'Les noms de personnes, les numéros de compte et les autres données personnelles ont été remplacés ' +
          'auparavant par des identifiants. À noms égaux, identifiants égaux.',
        'Les mêmes données donnent les mêmes chiffres. Le SHA-256 de toutes les données, en couverture, les désigne.',
      ],
    },
    rates: 'Cours de change',
    ratesNotListed: (f, count) => `${counted(f, count, 'autre cours a été utilisé', 'autres cours ont été utilisés')}.`,
    controls: 'Contrôles',
    controlsNote: 'Ces valeurs sont calculées de deux manières et doivent être égales.',
    control: {
      lines_used_and_left_out_make_lines_read: 'Lignes utilisées, répétées et hors période\u00a0: toutes les lignes lues',
      categories_and_uncategorised_make_net: 'Catégories et lignes sans catégorie\u00a0: net de toutes les lignes',
      months_make_net: 'Mois\u00a0: net de toutes les lignes',
      category_months_make_claimable: 'Mois de toutes les catégories\u00a0: montant à faire valoir',
      months_make_claimable: 'Mois\u00a0: montant à faire valoir',
      tax_and_net_make_claimable: 'Taxe et montant hors taxe\u00a0: montant à faire valoir',
      own_and_converted_make_net: 'Lignes dans la devise du rapport et lignes converties\u00a0: net de toutes les lignes',
    },
    balance: (statement) => `${statement}\u00a0: somme des lignes moins la variation du solde`,
    balances: (f, agreeing, all) =>
      `${counted(f, all, 'relevé indique', 'relevés indiquent')} des soldes vérifiables. Les lignes y correspondent ` +
      `pour ${f.number(agreeing)}.`,
  },
  signOff: {
    note: 'Établi à partir des relevés bancaires énumérés dans ce rapport.',
    prepared: 'Établi par',
    reviewed: 'Vérifié par',
    name: 'Nom',
    signature: 'Signature',
    date: 'Date',
  },
};
