import { nodesAt, textAt, type XmlNode } from '../camt/xml-node.js';
import { isCurrency } from '../csv/named-column.js';
import type { NumberFormat } from './cell-number.js';

const GENERAL: NumberFormat = { isDate: false, decimals: null, currency: null };
/** Built-in formats of dates and times, including those of East Asian versions. */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;
const BUILT_IN_DECIMALS: ReadonlyMap<number, number> = new Map([
  [1, 0],
  [2, 2],
  [3, 0],
  [4, 2],
  [37, 0],
  [38, 0],
  [39, 2],
  [40, 2],
  [41, 0],
  [42, 0],
  [43, 2],
  [44, 2],
]);

/** The formats of cells by the number of their style. */
export function numberFormatsOf(styles: XmlNode | null): (style: number) => NumberFormat {
  if (styles === null) return () => GENERAL;
  const codes = new Map(
    nodesAt(styles, 'styleSheet/numFmts/numFmt').map((format) => [
      Number(textAt(format, '@numFmtId')),
      textAt(format, '@formatCode') ?? '',
    ]),
  );
  const formats = nodesAt(styles, 'styleSheet/cellXfs/xf').map((style) => {
    const id = Number(textAt(style, '@numFmtId') ?? '0');
    const code = codes.get(id);
    return code === undefined ? builtIn(id) : formatOf(code);
  });
  return (style) => formats[style] ?? GENERAL;
}

function builtIn(id: number): NumberFormat {
  const isDate = BUILT_IN_DATES.some(([first, last]) => first <= id && id <= last);
  return { isDate, decimals: BUILT_IN_DECIMALS.get(id) ?? null, currency: null };
}

/** Reads a format such as `#,##0.00 [$€-407]`. Letters within quotation marks or brackets are text, not parts of a date. */
export function formatOf(code: string): NumberFormat {
  const [positive = ''] = code.split(';');
  const bare = positive.replace(/"[^"]*"|\[[^\]]*\]|\\.|_.|\*./g, '');
  const isDate = /[ymdhs]/i.test(bare.replace(/general|standard/i, '')) && !/[0#?]/.test(bare.replace(/s\.0+/i, ''));
  if (isDate) return { isDate, decimals: null, currency: null };
  const [number] = /[0#?][0#?,]*(?:\.[0#?]*)?/.exec(bare) ?? [];
  return { isDate, decimals: number === undefined ? null : (number.split('.')[1]?.length ?? 0), currency: currencyIn(positive) };
}

function currencyIn(code: string): string | null {
  const texts = [...code.matchAll(/\[\$([^\]-]*)(?:-[^\]]*)?\]|"([^"]*)"/g)].map(([, symbol, text]) => (symbol ?? text ?? '').trim());
  const [bare] = /[€£]/.exec(code) ?? [];
  return texts.find((text) => isCurrency(text) || /^[€£]$/.test(text)) ?? bare ?? null;
}
