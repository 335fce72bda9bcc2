import type { WordingKey } from '../../../../api/wording/catalogues.js';
import { type Say, type Wording, wordingOf } from '../../../../api/wording/wording.js';
import { exactMoneyOf, formatMoney } from '../../../../kernel/money.js';
import type { Finding } from '../../engine/checks/findings.js';
import type { AmountsDto } from '../../result.dto.js';
import { hasTax, type Report } from '../report.js';
import { nameOfControl, namesOf, sentenceOf } from '../wording/sentences.js';
import { type Cell, heading, type Look, number, type Row, type Sheet } from '../../../../../tools/xlsx-sheets/index.js';

export interface WorkbookWords extends Wording {
  readonly figures: readonly string[];
  readonly sentenceOf: (finding: Finding) => string;
  readonly nameOfControl: (name: string) => string;
}

export function workbookWordsOf({ options, statements, result }: Report): WorkbookWords {
  const wording = wordingOf(options.locale);
  const nameOf = namesOf(statements);
  const figures = ['read', 'expenses', 'refunds', 'net', 'claim', ...(hasTax(result) ? (['tax', 'withoutTax'] as const) : [])] as const;
  return {
    ...wording,
    figures: figures.map((name) => wording.say(`report.columns.${name}`)),
    sentenceOf: (finding) => sentenceOf(wording, nameOf, finding),
    nameOfControl: (name) => nameOfControl(wording, nameOf, name),
  };
}

export const headingsNamed = (say: Say, format: 'text' | 'number', ...keys: readonly WordingKey[]): Cell[] =>
  keys.map((key) => heading(say(key), format));

/** With `last`, the sheet is one table: its rows up to this one can be filtered. */
export const sheetOf = (name: string, widths: readonly number[], rows: readonly Row[], last?: number): Sheet => ({
  ...{ name, widths, rows, rowCount: rows.length },
  ...(last !== undefined && { table: { last } }),
});

/** The figures of some lines. Those that no category claims have no claim. */
export interface Figures extends Pick<AmountsDto, 'count' | 'gross' | 'refunds' | 'net'> {
  readonly claimable: string | null;
  /** Absent in a report without taxes, as is the next one. */
  readonly claimableTax?: string | null;
  readonly claimableNet?: string | null;
}

const AMOUNTS = ['gross', 'refunds', 'net', 'claimable'] as const;
const TAXES = ['claimableTax', 'claimableNet'] as const;
type Amount = (typeof AMOUNTS)[number] | (typeof TAXES)[number];
/** Columns of figures, counted from 0: after the claim are its tax, and the claim without tax. */
export const CLAIM_COLUMN = AMOUNTS.length;
export const TAX_COLUMN = CLAIM_COLUMN + 1;
export const WITHOUT_TAX_COLUMN = CLAIM_COLUMN + 2;

/** The columns of these figures after their number. */
const amountsOf = ({ claimableTax }: Figures): readonly Amount[] => (claimableTax === undefined ? AMOUNTS : [...AMOUNTS, ...TAXES]);

/** The lines that no category claims: all lines without those of the categories. */
export function unclaimedOf(totals: Figures, claimed: Figures, digits: number): Figures {
  const rest = (name: 'gross' | 'refunds' | 'net') => formatMoney(exactMoneyOf(totals[name]) - exactMoneyOf(claimed[name]), digits);
  return {
    ...{ count: totals.count - claimed.count, gross: rest('gross'), refunds: rest('refunds'), net: rest('net'), claimable: null },
    ...(totals.claimableTax !== undefined && { claimableTax: null, claimableNet: null }),
  };
}

interface FiguresLook {
  readonly look?: Look;
  /** What makes the figure in a column, counted from 0. */
  readonly formulaOf?: (column: number) => string | undefined;
}

export function figureCells(figures: Figures, { look, formulaOf }: FiguresLook = {}): Cell[] {
  return [String(figures.count), ...amountsOf(figures).map((name) => figures[name] ?? null)].map((value, column) =>
    number(value, { look, formula: formulaOf?.(column) }),
  );
}
