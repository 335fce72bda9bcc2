import { matchesOf } from '../../finding.js';
import { END, PARTICLES, WORD } from '../../names/name-pattern.js';
import { isFamilyName, kindOf, maybeName } from '../../names/word-kinds.js';

const BEFORE = "(?<![\\p{L}\\p{N}.&'’/-])";
const WITH_DOTS = new RegExp(`${BEFORE}((?:\\p{Lu}\\.[ -]?){1,4})(${PARTICLES}${WORD})${END}(?! ?[:=])`, 'gu');
const AFTER_NAME = new RegExp(`${BEFORE}(${WORD})(,? )(?:\\p{Lu}\\.[ -]?){1,3}(?![\\p{L}\\p{N}])`, 'gu');
const MIN_NAME_LENGTH = 3;

/** Legal forms and other abbreviations that look like initials, without their dots. */
const ABBREVIATIONS = new Set(
  'BV NV SA SL CV EV EK SP OO AS KK AG US UK EU UN PO LP AB TV DC PA SN IE EG VOF SPA SRL SAS SARL CAF ZB DH UA OA ZT'.split(' '),
);
/** Shops that are named like people. */
const SHOPS = new Set('ELECLERC SOLIVER JCREW HSAMUEL LLBEAN'.split(' '));

/** Names with initials: `M.Mustermann`, `J. W. de Vries`, `Mustermann, M.` */
export function findNamesWithInitials(text: string): { start: number; end: number }[] {
  if (!text.includes('.')) return [];
  return [
    ...matchesOf(WITH_DOTS, text).filter(({ 1: initials, 2: name }) => isPerson(initials!.replace(/[^\p{L}]/gu, ''), name!)),
    ...matchesOf(AFTER_NAME, text).filter(({ 1: name, 2: between }) => isFamilyName(name!) || (between === ', ' && isUnknown(name!))),
  ].map(({ index, 0: found }) => ({ start: index, end: index + found.trimEnd().length }));
}

const isUnknown = (name: string): boolean => kindOf(name) === 'unknown' && name.length >= MIN_NAME_LENGTH;

function isPerson(initials: string, name: string): boolean {
  const last = name.split(' ').at(-1)!;
  if (last.length < MIN_NAME_LENGTH || !maybeName(last)) return false;
  return !ABBREVIATIONS.has(initials) && !SHOPS.has(`${initials}${last}`.toUpperCase());
}
