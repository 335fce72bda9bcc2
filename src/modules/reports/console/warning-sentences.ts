import { isWordingKey } from '../../../api/wording/catalogues.js';
import { say, wordingNow } from '../../../api/console/say.js';
import type { Finding } from '../engine/checks/findings.js';
import type { ClaimReportWarningDto } from '../result.dto.js';

/** The warnings of a result, which are English: what they say, by the names of the arguments of our texts (engine/checks/findings.ts). */
const SAID: Readonly<Record<Exclude<Finding['kind'], 'reading'>, RegExp>> = {
  no_statements: /nothing to claim\.(?: There are no .*|(?<areThereAny>$))/,
  statements_of_other_projects: /: (?<withoutProject>\d+) without a project, (?<ofOtherProjects>\d+) of other projects\./,
  statements_outside_period: /^(?<count>\d+) .* of (?<start>[\d-]{10}) to (?<end>[\d-]{10})\./,
  statements_not_ready:
    /^(?:(?<failed>\d+) statements? could not be read: their pages say why\.)? ?(?:(?<waiting>\d+) .* not read yet.*)?$/,
  no_lines_in_period: /^/,
  no_categories: /^/,
  no_account_named: /^/,
  statement_incomplete: /^The lines of statement (?<statement>\S+) do/,
  possible_duplicate: /^Lines of the statements (?<later>\S+) and (?<earlier>\S+) have .*: (?<lines>.+)\. They are counted (?<once>once)?/,
  overlap_differs:
    /^The statements (?<later>\S+) and (?<earlier>\S+) .* (?<start>[\d-]{10}) to (?<end>[\d-]{10}) of .* (?<missing>\d+) of (?<lines>\d+) /,
  account_unknown: /^Statement (?<statement>\S+) names/,
  statement_gaps: /cover (?<percent>\d+\.\d) % of the period\. Gaps: (?<months>.+)\.$/,
  other_currencies: /^(?<count>\d+) lines? (?:in (?<currency>\w+)|without a currency) /,
  rate_missing: /^(?<count>\d+) lines? in (?<currency>\w+) \w+ (?=(?<start>[\d-]{10}))(?:\S+ to )?(?<end>[\d-]{10}) ha/,
  rate_period_open: /until (?<until>[\d-]{10}) only, .* (?<end>[\d-]{10})\.$/,
  form_entries_missing: /not stated: (?<entries>.+)\.$/s,
  form_line_missing: /not on it: (?<categories>.+)\.$/,
  negative_claim: /^(?<category>.+) has more refunds/,
  category_without_rules: /^(?<category>.+) has no rules/,
  receipt_missing: /^(?<count>\d+) lines? of (?<category>.+) (?:has|have) no receipt: (?<sum>\S+) in all\.$/,
  claimed_by_several: /^(?<count>\d+) lines? of (?<category>.+) also match(?:es)? (?<other>.+)\.$/,
  decided_for_other_category: /^(?<count>\d+) lines? (?:is|are) decided/,
  more_warnings: /^(?<count>\d+) more/,
};
const READING = /^Statements? (?<statement>[\da-f-]+(?:, [\da-f-]+)*(?: and \d+ more)?): (?<message>.+)$/s;

const andMore = (text: string): string => text.replace(/,? and (\d+) more(?: months)?$/, ' (+$1)');
const day = (text: string): string => wordingNow().formats.day(text);
/** What stands in a warning as it does in no other language. */
const READ: Readonly<Record<string, (text: string) => string | number | boolean>> = {
  start: day,
  end: day,
  until: day,
  sum: (text) => wordingNow().formats.number(text),
  percent: (text) => wordingNow().formats.percent(text),
  months: (text) => andMore(text.replace(/ \(\w+\)/g, '')).replace(/\d{4}-\d\d/g, (month) => wordingNow().formats.month(month)),
  statement: andMore,
  lines: (text) => (/^\d+$/.test(text) ? Number(text) : andMore(text).replace(/(\d+) and (\d+)/g, '$1 ↔ $2')),
  once: Boolean,
  areThereAny: () => true,
  ...Object.fromEntries(['count', 'failed', 'waiting', 'missing', 'withoutProject', 'ofOtherProjects'].map((name) => [name, Number])),
};
const UNSAID: Readonly<Record<string, string | boolean>> = { once: false, areThereAny: false, currency: 'none' };

/** A warning in the language of who reads, with ids of statements and codes of categories. As it is in English, or if we cannot read it. */
export function sentenceOf({ code, message }: ClaimReportWarningDto): string {
  const pattern = Object.hasOwn(SAID, code) ? SAID[code as keyof typeof SAID] : undefined;
  const found = wordingNow().language.startsWith('en') ? null : (pattern ?? READING).exec(message);
  if (!found) return message;
  const about = Object.fromEntries(
    Object.entries(found.groups ?? {}).map(([name, text]: [string, string | undefined]) => [
      name,
      text === undefined ? (UNSAID[name] ?? 0) : (READ[name]?.(text) ?? text),
    ]),
  );
  if (pattern) return say(`report.findings.${code as keyof typeof SAID}`, about);
  const key = `report.readings.${code}`;
  return say('report.findings.reading', { ...about, reading: say(isWordingKey(key) ? key : 'report.readings.other') });
}
