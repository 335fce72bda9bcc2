import { textDetectors } from './detectors/all.js';
import { type Detector, type Finding, matchesOf, plainText, type Range, SearchableText } from './finding.js';
import { maskOf, maskText } from './masking.js';
import { hasLegalForm } from './names/organisations.js';
import { isFamilyName, isGivenName, isGluedName, isOrdinaryInFileName } from './names/word-kinds.js';

interface Word extends Range {
  readonly text: string;
}

const WORD = /\p{L}+(?:['’](?!s(?!\p{L}))\p{L}+)*/gu;
const BETWEEN_NAMES = /^[, ]{0,3}$/;
const MIN_NAME_AFTER_INITIAL = 3;

/** A file name has no sentences: a known name, an initial with a word, or several capitalised words of no list make a name. */
export function findNamesInFileName(text: string): Finding[] {
  return runsOf(text)
    .map((words) => ({ words, start: words[0]!.start, end: words.at(-1)!.end }))
    .filter(({ words, start, end }) => isName(words) && !hasLegalForm(text.slice(start, end)))
    .map(({ start, end }) => ({ kind: 'person', start, end }));
}

/** Neighbouring words that may be parts of one name. */
function runsOf(text: string): Word[][] {
  const runs: Word[][] = [];
  let run: Word[] = [];
  for (const { 0: word, index: start } of text.matchAll(WORD)) {
    const last = run.at(-1);
    if (last && !BETWEEN_NAMES.test(text.slice(last.end, start))) run = [];
    if (isOrdinaryInFileName(word)) run = [];
    else if (run.push({ text: word, start, end: start + word.length }) === 1) runs.push(run);
  }
  return runs;
}

function isName(words: readonly Word[]): boolean {
  if (words.some(({ text }) => isGivenName(text) || isFamilyName(text) || isGluedName(text))) return true;
  const long = words.filter(({ text }) => text.length >= MIN_NAME_AFTER_INITIAL);
  if (long.length >= 1 && words.some(({ text }) => text.length === 1)) return true;
  return long.length >= 2 && long.every(({ text }) => /^[\p{Lu}\p{Lo}]/u.test(text));
}

/** Longest name of a file that is stored, in code points. */
export const MAX_FILE_NAME_LENGTH = 255;
const EXTENSION = /\.(?:csv|tsv|txt|xml|camt|ofx|qfx|qif|sta|swi|stmt|mta|mt940|940|coda?|bai2?|[nq]43|dat|json|xlsx?|pdf|zip|gz)$/i;
/** What an earlier redaction has put in. */
const MASKED = /((?:PERSON|ACCOUNT)-[0-9A-Z]{12}(?![0-9A-Z])|\[[A-Z-]+\])/;
/** What people write for a blank in names of files. */
const SEPARATORS = /[_.+~()[\]{}=-]/g;

/** What is redacted already is unchanged. More is masked than in a line, since nothing depends on the name. */
export function redactFileName(fileName: string, key: Buffer): string {
  const plain = plainText(fileName);
  const extension = EXTENSION.exec(plain)?.[0] ?? '';
  const redacted = plain
    .slice(0, plain.length - extension.length)
    .split(MASKED)
    .map((part, index) => (index % 2 === 1 ? part : redactPart(part, key)))
    .join('');
  return [...redacted].slice(0, MAX_FILE_NAME_LENGTH - extension.length).join('') + extension;
}

function redactPart(part: string, key: Buffer): string {
  const [before, after] = [/^\s*/.exec(part)![0], /\s*$/.exec(part)![0]];
  if (before.length === part.length) return part;
  const { text } = maskText(part.trim(), DETECTORS, (kind, value) => maskOf(key, kind, value));
  return `${before}${text}${after}`;
}

/** Searches the name as it is written, and with blanks for the signs in their place, so that offsets are the same. */
const withBlanks =
  (detect: Detector): Detector =>
  (searchable) =>
    detect(new SearchableText(searchable.text.replace(SEPARATORS, ' ')));

/** Numbers of accounts have no word before them in names of files. Dates and times are kept. */
const LONG_NUMBER = /(?<![\p{L}\p{N}])\d{7,}(?![\p{L}\p{N}])/gu;
const [YEAR, MONTH, DAY, TIME] = ['(?:19|20)\\d\\d', '(?:0[1-9]|1[0-2])', '(?:0[1-9]|[12]\\d|3[01])', '(?:[01]\\d|2[0-3])[0-5]\\d'];
const DATE_OR_TIME = new RegExp(`^(?:${YEAR}${MONTH}${DAY}(?:${TIME}(?:[0-5]\\d)?(?:\\d{3})?)?|${DAY}${MONTH}${YEAR})$`);
/** What computers write: its groups are no numbers of accounts. */
const UUID = /(?<![\p{L}\p{N}])[\da-f]{8}([- ][\da-f]{4}){3}[- ][\da-f]{12}(?![\p{L}\p{N}])/giu;

const findLongNumbers: Detector = ({ text }) => {
  const uuids = matchesOf(UUID, text).map(({ index, 0: uuid }) => ({ start: index, end: index + uuid.length }));
  return matchesOf(LONG_NUMBER, text)
    .map(({ index, 0: number }): Finding => ({ kind: 'account', start: index, end: index + number.length, value: number }))
    .filter(({ value, start }) => !DATE_OR_TIME.test(value!) && !uuids.some((uuid) => uuid.start <= start && start < uuid.end));
};

const DETECTORS: readonly Detector[] = [
  ...textDetectors(),
  ...textDetectors().map(withBlanks),
  findLongNumbers,
  withBlanks(findLongNumbers),
  withBlanks(({ text }) => findNamesInFileName(text)),
];
