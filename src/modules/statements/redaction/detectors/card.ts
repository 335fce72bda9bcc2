import { type Finding, matchesOf, type Range, type SearchableText } from '../finding.js';
import { isLuhn } from './checksums.js';

const ISSUED = new RegExp(
  `^(?:${[
    '4(?:\\d{12}|\\d{15}|\\d{18})', // Visa
    '5[1-5]\\d{14}|(?:222[1-9]|22[3-9]\\d|2[3-6]\\d\\d|27[01]\\d|2720)\\d{12}', // Mastercard
    '3[47]\\d{13}', // American Express
    '3(?:0[0-5]|[689]\\d)\\d{11,16}', // Diners
    '(?:6011|64[4-9]\\d|65\\d\\d)\\d{12,15}', // Discover
    '35(?:2[89]|[3-8]\\d)\\d{12,15}', // JCB
    '62\\d{14,17}', // UnionPay
    '(?:5018|5020|5038|5893|6304|6759|676[1-3])\\d{9,15}', // Maestro
    '220[0-4]\\d{12,15}', // Mir
  ].join('|')})$`,
);
const RUN = /\d(?:[ -]{0,2}\d){12,}/g;
const GROUP = /\d+/g;
const LONGEST = 19;

/** Card numbers by issuer and check digit, also in groups; never part of a group, which would be a longer number. */
export function findCards({ hasDigits, text }: SearchableText): Finding[] {
  return hasDigits ? matchesOf(RUN, text).flatMap((run) => findInRun(run[0], run.index, text)) : [];
}

function findInRun(run: string, offset: number, text: string): Finding[] {
  const groups = matchesOf(GROUP, run)
    .map(({ index, 0: digits }) => ({ digits, start: offset + index, end: offset + index + digits.length }))
    .filter(({ start, end }) => !isOfOther(text, start, end));
  const findings: Finding[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    const last = lastOfCard(groups, first);
    if (last === undefined) continue;
    findings.push({ kind: 'card', start: groups[first]!.start, end: groups[last]!.end });
    first = last;
  }
  return findings;
}

/** A group of a date or an amount. */
const isOfOther = (text: string, start: number, end: number): boolean =>
  /^[.,/:]\d/.test(text.slice(end, end + 2)) || /\d[.,/:]$/.test(text.slice(Math.max(0, start - 2), start));

/** The last of the groups that make a card's number, the longest one if there are several. */
function lastOfCard(groups: readonly (Range & { readonly digits: string })[], first: number): number | undefined {
  let number = '';
  let last: number | undefined;
  for (let at = first; at < groups.length; at += 1) {
    number += groups[at]!.digits;
    if (number.length > LONGEST) break;
    if (ISSUED.test(number) && isLuhn(number)) last = at;
  }
  return last;
}
