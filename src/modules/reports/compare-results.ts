import { formatMoney, minorDigitsOf, moneyOf } from '../../kernel/money.js';
import type { ClaimReportResultDto, ClaimReportWarningDto } from './result.dto.js';

/** A figure of two results; null if one of them has none. */
export interface Change {
  readonly from: string | null;
  readonly to: string | null;
  /** null if they are in different currencies. */
  readonly difference: string | null;
}

export type ResultComparison = ReturnType<typeof compareResults>;

export function compareResults(from: ClaimReportResultDto, to: ClaimReportResultDto) {
  const digits = from.currency === to.currency ? minorDigitsOf(from.currency) : null;
  const change = (before: string | null, after: string | null): Change => ({
    from: before,
    to: after,
    difference: digits === null ? null : formatMoney(moneyOf(after ?? '0') - moneyOf(before ?? '0'), digits),
  });
  const categories = pairsBy(from.categories, to.categories, ({ code }) => code).map(([before, after]) => ({
    code: (after ?? before)!.code,
    name: (after ?? before)!.name,
    ...change(before?.claimable ?? null, after?.claimable ?? null),
  }));
  const statements = pairsBy(from.statements, to.statements, ({ id }) => id).map(([before, after]) => ({
    id: (after ?? before)!.id,
    linesUsed: { from: before?.linesUsed ?? null, to: after?.linesUsed ?? null },
  }));
  return {
    /** Equal inputs give equal results. */
    sameInputs: from.inputsHash === to.inputsHash,
    period: { from: daysOf(from), to: daysOf(to) },
    currency: { from: from.currency, to: to.currency },
    /** With the tax if one of them has taxes. */
    totals: {
      net: change(from.totals.net, to.totals.net),
      claimable: change(from.totals.claimable, to.totals.claimable),
      uncategorised: change(from.totals.uncategorised, to.totals.uncategorised),
      ...((from.totals.claimableTax ?? to.totals.claimableTax) !== undefined && {
        claimableTax: change(from.totals.claimableTax ?? null, to.totals.claimableTax ?? null),
      }),
    },
    categories: categories.filter((category) => category.from !== category.to || category.difference === null),
    /** Statements that only one of them has, or of which other lines are used. */
    statements: statements.filter(({ linesUsed }) => linesUsed.from !== linesUsed.to),
    warnings: { gone: without(from.warnings, to.warnings), added: without(to.warnings, from.warnings) },
  };
}

const daysOf = ({ period }: ClaimReportResultDto): string | null => period && `${period.start} to ${period.end}`;

/** What both have, in the order of the first, then what only the second has. */
function pairsBy<T>(from: readonly T[], to: readonly T[], keyOf: (item: T) => string): (readonly [T | undefined, T | undefined])[] {
  const [before, after] = [byKey(from, keyOf), byKey(to, keyOf)];
  return [...new Set([...before.keys(), ...after.keys()])].map((key) => [before.get(key), after.get(key)] as const);
}

/** Categories of two projects may have the same code: they are counted. */
function byKey<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T> {
  const counts = new Map<string, number>();
  return new Map(
    items.map((item) => {
      const nth = counts.get(keyOf(item)) ?? 0;
      counts.set(keyOf(item), nth + 1);
      return [`${keyOf(item)} ${nth}`, item];
    }),
  );
}

function without(warnings: readonly ClaimReportWarningDto[], others: readonly ClaimReportWarningDto[]): ClaimReportWarningDto[] {
  const said = new Set(others.map(({ code, message }) => `${code} ${message}`));
  return warnings.filter(({ code, message }) => !said.has(`${code} ${message}`));
}
