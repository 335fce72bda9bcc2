import { counted, type Formats, linePairs, monthList, readingName, type ReadingNames, type Words } from './words.js';

const READINGS: ReadingNames = {
  amount_inexact: 'un importe tiene fracciones de céntimo',
  balances_absent: 'el archivo no indica saldos',
  balances_do_not_tie: 'los saldos del banco no cuadran con los apuntes',
  column_masked: 'se han ocultado nombres en una columna desconocida',
  column_not_used: 'no se ha usado una columna',
  currency_differs: 'el archivo indica otra moneda',
  currency_unknown: 'se desconoce la moneda',
  direction_unknown: 'no se distinguen entradas y salidas',
  field_not_used: 'no se ha usado un campo',
  floor_limit: 'faltan los apuntes pequeños en el archivo',
  id_repeated: 'un movimiento figura dos veces en el archivo y cuenta una vez',
  id_reused: 'varios movimientos tienen el mismo identificador del banco',
  interim_report: 'el archivo no es un extracto definitivo',
  layout_not_used: 'no se ha aplicado una plantilla casi igual',
  more_warnings: 'hay más avisos que no se muestran',
  not_booked: 'se han omitido pagos pendientes o rechazados',
  row_above_header: 'se han omitido líneas por encima de la cabecera',
  signs_may_be_inverted: 'los signos pueden estar invertidos',
  status_unknown: 'se han omitido filas con un estado desconocido',
  totals_do_not_tie: 'los totales del banco no cuadran con los apuntes',
  turnover_left_out: 'se han omitido líneas de totales',
  unlikely_year: 'un año es poco verosímil',
  other: 'aviso al leer el archivo',
};

const lines = (f: Formats, count: number) => counted(f, count, 'línea', 'líneas');

export const SPANISH: Words = {
  title: 'Informe de gastos reclamados',
  page: (page, count) => `Página ${page} de ${count}`,
  fields: {
    organization: 'Organización',
    project: 'Proyecto',
    clientReference: 'Referencia del cliente',
    configuration: 'Informe',
    period: 'Periodo',
    currency: 'Moneda',
    date: 'Fecha de elaboración',
    run: 'Ejecución',
    hash: 'SHA-256 de todos los datos',
    engine: 'Versión del cálculo',
  },
  period: (start, end) => `del ${start} al ${end}`,
  sections: {
    summary: 'Resumen',
    categories: 'Importes por categoría y mes',
    items: 'Partidas reclamadas',
    statements: 'Extractos y cuentas',
    calendar: 'Calendario de justificantes',
    exceptions: 'Incidencias',
    method: 'Método y redondeo',
    signOff: 'Conformidad',
  },
  columns: {
    category: 'Categoría',
    month: 'Mes',
    items: 'Partidas',
    expenses: 'Gastos',
    refunds: 'Devoluciones',
    net: 'Neto',
    claim: 'Reclamado',
    item: 'Partida',
    line: 'Línea',
    outcome: 'En el informe',
    evidence: 'Prueba',
    date: 'Fecha',
    counterparty: 'Contraparte',
    details: 'Concepto',
    amount: 'Importe',
    share: 'Parte',
    taxRate: 'Tipo de impuesto',
    tax: 'Impuesto incluido',
    withoutTax: 'Sin impuesto',
    currency: 'Moneda',
    rate: 'Cambio',
    rateFor: 'Cambio de',
    original: 'Importe original',
    converted: 'Convertido',
    reference: 'Ref.',
    file: 'Archivo',
    account: 'Cuenta',
    period: 'Periodo',
    opening: 'Saldo inicial',
    closing: 'Saldo final',
    read: 'Líneas',
    used: 'Usadas',
    repeated: 'Repetidas',
    coverage: 'Cobertura',
    statements: 'Extractos',
    year: 'Año',
    control: 'Control',
    expected: 'Esperado',
    actual: 'Obtenido',
    agrees: 'Cuadra',
  },
  total: 'Total',
  totalOf: (what) => `Total ${what}`,
  yes: 'sí',
  no: 'no',
  summary: {
    claimed: 'Importe reclamado',
    sentence: (f, amount, items, categories) =>
      `Se reclaman ${amount} por ${counted(f, items, 'partida', 'partidas')} en ${counted(f, categories, 'categoría', 'categorías')}.`,
    nothing: 'No se reclama nada.',
    byCategory: 'Por categoría',
    furtherCategories: (f, count) => counted(f, count, 'categoría más', 'categorías más'),
    byMonth: 'Importe reclamado por mes',
    chart: 'Gráfico de barras del importe reclamado cada mes. Las cifras están en el apartado de categorías y meses.',
    derivation: 'De los gastos al importe',
    expenses: 'Gastos de estas categorías',
    refunds: 'Menos devoluciones',
    net: 'Gastos netos',
    notClaimable: 'Menos la parte no admisible',
    notClaimed: 'No reclamado',
    uncategorised: 'Líneas sin categoría, salidas menos entradas',
    otherCurrency: (currency) => (currency === null ? 'Líneas sin moneda' : `Líneas en ${currency}`),
    coverage: (share) => `Los extractos bancarios cubren el ${share} de los días del periodo.`,
    exceptions: (f, count) =>
      count === 0 ? 'No hay incidencias.' : `Hay ${counted(f, count, 'incidencia', 'incidencias')} por revisar: véase «Incidencias».`,
  },
  categories: { all: 'Todas las categorías', withoutItems: (names) => `Categorías sin partidas: ${names}.` },
  items: {
    note:
      'Cada partida es una línea de un extracto bancario: S1/12 es la línea 12 del extracto S1. Los gastos ' +
      'son positivos y las devoluciones, negativas. ' +
      'Lo reclamado de una partida es su importe por su parte, sin redondear. Lo reclamado de una categoría ' +
      'en un mes se suma y después se redondea una sola vez.',
    none: 'No se reclama ninguna partida.',
    tooMany: (f, count, most) =>
      `Hay ${f.number(count)} partidas. Un documento enumera como máximo ${f.number(most)}, por lo que no figuran aquí. ` +
      'El archivo XLSX de una ejecución las contiene todas. Las sumas de este documento incluyen todas las partidas.',
    sum: (name) => `${name}: suma sin redondear`,
    rounded: (name) => `${name}: redondeado una vez`,
  },
  statements: {
    note:
      'Los saldos son los que indica el banco. «Usadas» cuenta las líneas incluidas en las cifras de este informe; ' +
      '«Repetidas», las que ya están en un extracto anterior.',
    none: 'No hay extractos bancarios.',
  },
  evidence: {
    title: (reference) => `Extracto bancario ${reference}`,
    part: (part, count) => `Parte ${part} de ${count}`,
    fileHash: 'SHA-256 del archivo',
    statementId: 'Identificador del extracto',
    reportPeriod: 'Periodo del informe',
    note:
      'Estas son las líneas leídas del archivo importado, no el documento del banco. Los nombres de personas, los números de cuenta ' +
      'y otros datos personales se sustituyeron por identificadores. Las salidas son negativas, como en el extracto; lo que se ' +
      'reclama de ellas es positivo. Una línea sombreada se reclama y lleva el número de su partida en el informe. Un guion ' +
      'significa que ninguna categoría reclama la línea.',
    lines: 'Líneas del extracto',
    outcomes: {
      claimed: 'Reclamadas: partidas del informe, sin redondear',
      unclaimed: 'No reclamadas: sin categoría',
      otherCurrency: 'No reclamadas: no están en la moneda del informe',
      repeated: 'Repetidas: contadas en un extracto anterior',
      outside: 'No reclamadas: fuera del periodo del informe',
    },
    short: { otherCurrency: 'otra moneda', repeated: 'repetida, ya contada', outside: 'fuera del periodo' },
    notShown: (f, count) =>
      `${counted(f, count, 'línea', 'líneas')} sin categoría no se ${count === 1 ? 'muestra' : 'muestran'}, porque se pidió un informe ` +
      'sin ellas.',
    none: 'El extracto no tiene líneas.',
  },
  calendar: {
    status: { covered: 'cubierto', partial: 'cubierto en parte', missing: 'no cubierto', outside: 'fuera del periodo' },
    note: 'Un mes está cubierto si los extractos de todas las cuentas cubren todos sus días dentro del periodo.',
  },
  exceptions: {
    note: 'Revise estos puntos antes de enviar la reclamación.',
    none: 'No hay incidencias.',
    findings: {
      no_statements: (_f, { areThereAny }) =>
        'No se ha leído ningún extracto bancario. El importe cero significa que faltan extractos, no que no haya nada que reclamar.' +
        (areThereAny ? '' : ' Todavía no hay extractos.'),
      statements_of_other_projects: (f, { withoutProject, ofOtherProjects }) =>
        'Otros extractos del periodo no son de este proyecto y no se han leído: ' +
        `${f.number(withoutProject)} sin proyecto, ` +
        `${f.number(ofOtherProjects)} de otros proyectos.`,
      statements_outside_period: (f, { count, days }) =>
        `${counted(f, count, 'extracto no tiene', 'extractos no tienen')} ningún día en el periodo: ` +
        `${count === 1 ? 'es' : 'son'} del ${f.day(days.start)} al ${f.day(days.end)}.`,
      statements_not_ready: (f, { failed, waiting }) =>
        `Extractos que no se han podido leer: ${f.number(failed)}. Sin leer todavía: ${f.number(waiting)}.`,
      no_lines_in_period: () => 'Ningún extracto bancario tiene líneas en el periodo.',
      no_categories: () => 'No participa ninguna categoría, por lo que no se puede reclamar nada.',
      reading: (_f, { statement, code, message }) => `${statement}: ${readingName(READINGS, code)} («${message}»).`,
      statement_incomplete: (_f, { statement }) =>
        `Las líneas de ${statement} no suman la variación de su saldo. Es posible que falten líneas.`,
      possible_duplicate: (_f, { later, earlier, lines: pairs, more, once }) =>
        `Hay líneas de ${later} y de ${earlier} con la misma cuenta, fecha e importe, pero otros textos: ${linePairs(pairs, more)}. ` +
        (once ? 'Cuentan una vez.' : 'Cuentan como pagos distintos.'),
      overlap_differs: (f, { later, earlier, days, lines: count, missing }) =>
        `${later} y ${earlier} incluyen del ${f.day(days.start)} al ${f.day(days.end)} de una cuenta, pero ${f.number(missing)} de ` +
        `${f.number(count)} líneas del primero no están en el segundo. Se cuentan. Compruebe que no sean los mismos pagos con otra fecha.`,
      account_unknown: (_f, { statement }) =>
        `${statement} no indica la cuenta, y sus líneas no permiten reconocerla. Los pagos que también figuran en otros extractos ` +
        'pueden contarse dos veces, y sus días no figuran en los justificantes.',
      no_account_named: () => 'Ningún extracto indica su cuenta. Todos se consideran extractos de una sola cuenta.',
      statement_gaps: (f, { coveragePercent, months }) =>
        `Los extractos cubren el ${f.percent(coveragePercent)} del periodo. Meses incompletos: ${monthList(f, months)}.`,
      other_currencies: (f, { currency, count }) =>
        `${lines(f, count)} ${currency === null ? 'sin moneda' : `en ${currency}`} no ${count === 1 ? 'está' : 'están'} ` +
        'en los totales.',
      rate_missing: (f, { currency, count, days }) =>
        `${counted(f, count, 'línea', 'líneas')} en ${currency} entre el ${f.day(days.start)} y el ${f.day(days.end)} no ` +
        `${count === 1 ? 'tiene tipo de cambio y no está' : 'tienen tipo de cambio y no están'} en los totales.`,
      negative_claim: (_f, { category }) => `${category} tiene más devoluciones que gastos, por lo que su importe es negativo.`,
      category_without_rules: (_f, { category }) => `${category} no tiene reglas, por lo que no reclama nada.`,
      claimed_by_several: (f, { count, category, other }) =>
        `${lines(f, count)} de ${category} también ${count === 1 ? 'corresponde' : 'corresponden'} a ${other}.`,
      more_warnings: (f, { count }) => `${counted(f, count, 'incidencia más no se muestra', 'incidencias más no se muestran')}.`,
    },
  },
  method: {
    paragraphs: {
      ofLines: [
        'Las reglas asignan cada línea de los extractos a una categoría como máximo. Si varias categorías coinciden, ' +
          'la asume la de mayor prioridad.',
        'Lo reclamado de una línea es su importe por la parte que indica la regla, sin redondear. Lo reclamado ' +
          'de una categoría en un mes se suma y después se redondea una sola vez, con la mitad hacia fuera del ' +
          'cero, a la unidad mínima de la moneda. Los demás importes son sumas de estos, por lo que los meses ' +
          'suman los totales.',
        'Las devoluciones reducen lo reclamado, incluso por debajo de cero. Los gastos, las devoluciones y el neto nunca se redondean.',
        'Una línea que ya está en un extracto anterior cuenta una vez. Las líneas iguales de un mismo extracto son pagos distintos.',
      ],
      tax:
        'Una regla puede indicar el impuesto que contienen sus importes. Al 19 por ciento, 19 partes de 119 son impuesto. Los ' +
        'impuestos de una categoría en un mes se suman con exactitud y después se redondean una sola vez; lo que queda es el importe ' +
        'sin impuesto. El impuesto de una partida se muestra con seis decimales como máximo.',
      notConverted: 'Las monedas nunca se convierten. Las líneas en otras monedas no están en los totales.',
      converted: (source) =>
        `Las líneas en otras monedas se convierten con los cambios de la lista siguiente. Fuente: ${source}. El importe de cada línea se ` +
        'redondea una sola vez, con la mitad hacia fuera del cero. En los días sin cambio vale el último de los siete días anteriores. ' +
        'Las reglas comparan los importes originales. Las líneas sin cambio o sin moneda no están en los totales.',
      ofData: [
        'Los nombres de personas, los números de cuenta y otros datos personales se sustituyeron antes por ' +
          'identificadores. A nombres iguales, identificadores iguales.',
        'Los mismos datos dan las mismas cifras. El SHA-256 de todos los datos, en la portada, los identifica.',
      ],
    },
    rates: 'Tipos de cambio',
    ratesNotListed: (f, count) => `${counted(f, count, 'cambio más se ha usado', 'cambios más se han usado')}.`,
    controls: 'Controles',
    controlsNote: 'Estos valores se calculan de dos maneras y deben ser iguales.',
    control: {
      lines_used_and_left_out_make_lines_read: 'Líneas usadas, repetidas y fuera del periodo: todas las líneas leídas',
      categories_and_uncategorised_make_net: 'Categorías y líneas sin categoría: neto de todas las líneas',
      months_make_net: 'Meses: neto de todas las líneas',
      category_months_make_claimable: 'Meses de todas las categorías: importe reclamado',
      months_make_claimable: 'Meses: importe reclamado',
      tax_and_net_make_claimable: 'Impuesto e importe sin impuesto: importe reclamado',
      own_and_converted_make_net: 'Líneas en la moneda del informe y líneas convertidas: neto de todas las líneas',
    },
    balance: (statement) => `${statement}: suma de sus líneas menos la variación de su saldo`,
    balances: (f, agreeing, all) =>
      `${counted(f, all, 'extracto indica', 'extractos indican')} saldos que se pueden comprobar. Las líneas ` +
      `cuadran con ellos en ${f.number(agreeing)}.`,
  },
  signOff: {
    note: 'Elaborado a partir de los extractos bancarios enumerados en este informe.',
    prepared: 'Elaborado por',
    reviewed: 'Revisado por',
    name: 'Nombre',
    signature: 'Firma',
    date: 'Fecha',
  },
};
