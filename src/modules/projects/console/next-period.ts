import type { PageContext } from '../../../api/console/page.js';
import { say, wordingNow } from '../../../api/console/say.js';
import { Problem } from '../../../kernel/problems.js';
import type { Days as Period } from '../period-guard.js';
import type { Project } from '../project.entity.js';

type Shift = { readonly months: number } | { readonly days: number };

const DAY_MS = 86_400_000;
const MAX_NAME = 200;

const dayOf = (date: string): Date => new Date(`${date}T00:00:00Z`);
const textOf = (date: Date): string => date.toISOString().slice(0, 10);
const monthOf = (date: string, language: string): string => dayOf(date).toLocaleDateString(language, { month: 'long', timeZone: 'UTC' });
const plusDays = (date: string, days: number): string => textOf(new Date(dayOf(date).getTime() + days * DAY_MS));
const isLastOfMonth = (date: string): boolean => plusDays(date, 1).endsWith('-01');

function monthsIn({ start, end }: Period): number {
  const [first, last] = [dayOf(start), dayOf(end)];
  return (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth() + 1;
}

/** Whole months are followed by as many whole months, other periods by as many days. */
export function shiftOf(period: Period): Shift {
  if (period.start.endsWith('-01') && isLastOfMonth(period.end)) return { months: monthsIn(period) };
  return { days: (dayOf(period.end).getTime() - dayOf(period.start).getTime()) / DAY_MS + 1 };
}

export function shifted({ start, end }: Period, shift: Shift): Period {
  if ('days' in shift) return { start: plusDays(start, shift.days), end: plusDays(end, shift.days) };
  return { start: plusMonths(start, shift.months), end: plusMonths(end, shift.months, isLastOfMonth(end)) };
}

/** The same day of another month, or its last day: if it has no such day, or if that is wanted. */
function plusMonths(date: string, months: number, toLast = false): string {
  const day = dayOf(date);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth() + months];
  const last = utcDay(year, month + 1, 0);
  return textOf(toLast || day.getUTCDate() > last.getUTCDate() ? last : utcDay(year, month, day.getUTCDate()));
}

/** `Date.UTC` takes the years 0 to 99 for those of the last century. */
function utcDay(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}

const NAMED = /\d{4}-\d{2}-\d{2}|\b\d{4}-\d{2}\b|\b\d{4}\b|\b[QH][1-4]\b|(?<![\p{L}\w])\p{L}+(?![\p{L}\w])/giu;

/** A name for the next period: with its days, months, quarter and years in place of those of this one, else with its days added. */
export function renamed(name: string, from: Period, to: Period): string {
  const words = replacements(from, to);
  const found = name.replace(NAMED, (word) => words.get(word.toLowerCase()) ?? word);
  if (found !== name && found.length <= MAX_NAME) return found;
  const days = ` (${say('report.period', { start: to.start, end: to.end })})`;
  return `${name.slice(0, MAX_NAME - days.length)}${days}`;
}

/** What stands for the period in names, in lower case, and what stands for the next one. */
function replacements(from: Period, to: Period): ReadonlyMap<string, string> {
  const [before, after] = [namesOf(from), namesOf(to)];
  return new Map(
    before.flatMap((name, index) => (name === undefined || after[index] === undefined ? [] : [[name.toLowerCase(), after[index]]])),
  );
}

/** Those of the end come first, so that those of the start count where both are the same. */
function namesOf(period: Period): (string | undefined)[] {
  const { start, end } = period;
  const months = monthsIn(period);
  const month = Number(start.slice(5, 7)) - 1;
  return [
    ...[4, 7, 10].flatMap((length) => [end.slice(0, length), start.slice(0, length)]),
    months === 3 && month % 3 === 0 ? `Q${month / 3 + 1}` : undefined,
    months === 6 && month % 6 === 0 ? `H${month / 6 + 1}` : undefined,
    ...['en', wordingNow().language].map((language) => (months === 1 ? monthOf(start, language) : undefined)),
  ];
}

/** The project for the next period, for what belongs to it. */
export interface NextProject {
  readonly id: string;
  readonly from: Project;
  readonly moved: (period: Period) => Period;
  readonly renamed: (name: string) => string;
}

/** What became of the parts of a project. */
export interface CopiedParts {
  readonly made: readonly string[];
  readonly kept: readonly string[];
  /** Names, each with what is wrong with it. */
  readonly refused: readonly string[];
}

/** A port: records of a project that the one for the next period needs as well. */
export abstract class ProjectParts {
  abstract readonly order: number;
  /** Such as `Categories`. */
  abstract readonly title: string;
  /** What the parts of a project are called. Throws if they are too many. */
  abstract names(ctx: PageContext, projectId: string): Promise<readonly string[]>;
  /** Makes them for the next one by their operation, each once. Those that it has stay as they are. */
  abstract copy(ctx: PageContext, next: NextProject): Promise<CopiedParts>;
}

/** How many parts of a kind are copied in one step. */
export const MAX_PARTS = 200;

/** `what` is their plural: "categories". */
export function requireFewParts<Row>(rows: readonly Row[], what: string): readonly Row[] {
  if (rows.length <= MAX_PARTS) return rows;
  throw new Problem('validation_failed', {
    detail: `The project has more than ${MAX_PARTS} ${what}. Programs can copy them with the API.`,
  });
}

interface Part {
  readonly name: string;
  readonly isThere?: boolean;
  readonly make: () => Promise<unknown>;
}

/** Makes parts one after another. One that is refused does not keep the others from being made. */
export async function copyEach(parts: readonly Part[]): Promise<CopiedParts> {
  const copied = { made: [] as string[], kept: [] as string[], refused: [] as string[] };
  for (const { name, isThere, make } of parts) {
    try {
      if (isThere) copied.kept.push(name);
      else {
        await make();
        copied.made.push(name);
      }
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      if (error.code === 'already_exists') copied.kept.push(name);
      else copied.refused.push(`${name}: ${error.detail}`);
    }
  }
  return copied;
}
