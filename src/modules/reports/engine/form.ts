import { formatMoney, minorDigitsOf, type Money, moneyOf, readPercent, roundMoney, shareOf, unitOf } from '../../../kernel/money.js';
import { type ClaimForm, type FormOptions, hasAmount, linesOfForm } from '../../rules/index.js';
import type { ClaimReportFormDto, ClaimReportFormLineDto, ClaimReportPeriodDto } from '../result.dto.js';
import type { Figures } from './amounts/figures.js';
import type { RunInputs } from './inputs.js';

type FormLine = ReturnType<typeof linesOfForm>[number];
type Category = Figures['categories'][number];

/** A claim on its form, and what somebody has to look at before it is sent. */
export interface FilledForm {
  readonly form: ClaimReportFormDto;
  /** Words of the lines that the claimant has to state, and has not. */
  readonly missing: readonly string[];
  /** Categories that claim something, but have no line. */
  readonly withoutLine: readonly Category[];
  /** What the lines for claims have before they are rounded, and the claims without a line. */
  readonly parts: readonly string[];
}

interface Known {
  readonly figures: Figures;
  readonly currency: string | null;
  readonly period: ClaimReportPeriodDto | null;
  readonly inputs: RunInputs;
}

/** Fills in a form from the figures of a report, line by line, in its own order. */
export function fillForm(definition: ClaimForm, { entries, lines }: Pick<FormOptions, 'entries' | 'lines'>, known: Known): FilledForm {
  const { figures, currency } = known;
  const digits = minorDigitsOf(currency);
  const format = (money: Money): string => formatMoney(money, digits);
  const amounts = new Map<string, Money>();
  const parts: string[] = [];
  const amountIn = (written: string): Money | undefined => (/^[a-z]/.test(written) ? amounts.get(written) : moneyOf(written));
  const sumOf = (ids: readonly string[]): Money => ids.reduce((sum, id) => sum + (amounts.get(id) ?? 0n), 0n);

  const computed = (line: FormLine, categories: readonly Category[]): Money => {
    if (line.from === 'categories') return categories.reduce((sum, { claimable }) => sum + moneyOf(claimable), 0n);
    const sum = sumOf(line.of) - sumOf(line.less);
    return line.from === 'sum' ? sum : shareOf(sum, readPercent(percentOf(line, entries) ?? '0')!);
  };
  const fill = (line: FormLine): ClaimReportFormLineDto => {
    const { id, number, label, evidence } = line;
    const named = { id, number, label };
    const stated = entries[id] ?? null;
    if (!hasAmount(line)) return { ...named, value: line.from === 'report' ? factOf(line, known) : stated, amount: null, evidence };
    if (line.from === 'entry') {
      if (stated !== null) amounts.set(id, moneyOf(stated));
      return { ...named, value: null, amount: stated === null ? null : format(moneyOf(stated)), evidence };
    }
    const categories = line.from === 'categories' ? figures.categories.filter(({ code }) => lineOf(lines, code) === id) : [];
    const exact = computed(line, categories);
    if (line.from === 'categories') parts.push(format(exact));
    const cap = line.atMost === null ? undefined : amountIn(line.atMost);
    const rounded = round(exact, definition, digits);
    const amount = cap !== undefined && cap < rounded ? cap : rounded;
    amounts.set(id, amount);
    const percent = line.from === 'share' ? percentOf(line, entries) : undefined;
    return {
      ...{ ...named, value: null, amount: format(amount) },
      ...(amount !== exact && { computed: format(exact) }),
      ...(cap !== undefined && { atMost: format(cap) }),
      ...(percent !== undefined && { percent }),
      ...(line.from === 'categories' && { categories: categories.map(({ code }) => code) }),
      evidence,
    };
  };

  const sections = definition.sections.map(({ title, lines: ofSection }) => ({ title, lines: ofSection.map(fill) }));
  const withoutLine = figures.categories.filter(({ code, claimable }) => lineOf(lines, code) === undefined && moneyOf(claimable) !== 0n);
  const notOnForm = format(withoutLine.reduce((sum, { claimable }) => sum + moneyOf(claimable), 0n));
  const { name, edition, source, total } = definition;
  return {
    form: { name, edition, source, total: format(amounts.get(total) ?? 0n), notOnForm, sections },
    missing: linesOfForm(definition).flatMap(({ id, label, required }) => (required && entries[id] === undefined ? label : [])),
    withoutLine,
    parts: [...parts, notOnForm],
  };
}

const lineOf = (lines: FormOptions['lines'], code: string): string | undefined => (Object.hasOwn(lines, code) ? lines[code] : undefined);

/** That of the form, or what the claimant has stated; undefined if nothing was. */
const percentOf = ({ percent }: FormLine, entries: FormOptions['entries']): string | undefined =>
  percent === null || !/^[a-z]/.test(percent) ? (percent ?? undefined) : entries[percent];

function round(money: Money, { rounding }: ClaimForm, digits: number): Money {
  if (rounding === null) return roundMoney(money, digits);
  const decimals = rounding.to === '1' ? 0 : 2;
  const unit = unitOf(decimals);
  const rest = ((money % unit) + unit) % unit;
  if (rest === 0n || rounding.mode === 'half_up') return roundMoney(money, decimals);
  return money - rest + (rounding.mode === 'up' ? unit : 0n);
}

function factOf({ fact }: FormLine, { currency, period, inputs: { organization, project } }: Known): string | null {
  const facts = {
    organization: organization?.name,
    project: project?.name,
    client_reference: project?.clientReference,
    period_start: period?.start,
    period_end: period?.end,
    currency,
  };
  return facts[fact!] ?? null;
}
