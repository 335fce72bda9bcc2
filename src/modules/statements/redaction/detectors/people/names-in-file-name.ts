import type { Finding } from '../../finding.js';
import { hasLegalForm } from '../../names/organisations.js';
import { isFamilyName, isGivenName, isGluedName, isOrdinaryInFileName } from '../../names/word-kinds.js';

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const WORD = /\p{L}+(?:['’](?!s(?!\p{L}))\p{L}+)*/gu;
const BETWEEN_NAMES = /^[, ]{0,3}$/;
const MIN_NAME_AFTER_INITIAL = 3;

/**
 * Names of people in the name of a file, which has no sentences: neighbouring words are a name if one of them is a known name, if
 * they are an initial and a word, or if several capitalised words are in none of our lists.
 */
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
