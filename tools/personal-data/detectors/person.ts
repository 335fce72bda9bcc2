import { type Finding, matchesOf, type Range, type SearchableText } from '../finding.js';
import { END, PARTICLES, START, SURNAME, WORD } from '../names/phrases.js';
import { hasLegalForm } from '../names/organisations.js';
import { isFamilyName, isGivenName, isJan, isPatronymic, kindOf, maybeName, isGluedName } from '../names/word-kinds.js';
import { standsBefore, wordsBefore } from '../names/words-before.js';
import { findFullNames, wholeNames } from './people/whole-names.js';

const BEFORE = "(?<![\\p{L}\\p{N}.&'’/-])";
const WITH_DOTS = new RegExp(`${BEFORE}((?:\\p{Lu}\\.[ -]?){1,4})(${PARTICLES}${WORD})${END}(?! ?[:=])`, 'gu');
const AFTER_NAME = new RegExp(`${BEFORE}(${WORD})(,? )(?:\\p{Lu}\\.[ -]?){1,3}(?![\\p{L}\\p{N}])`, 'gu');
const MIN_NAME_LENGTH = 3;

/** Legal forms and other abbreviations that look like initials, without their dots. */
const ABBREVIATIONS = new Set(
  'BV NV SA SL CV EV EK SP OO AS KK AG US UK EU UN PO LP AB TV DC PA SN IE EG VOF SPA SRL SAS SARL CAF ZB DH UA OA ZT'.split(' '),
);
const SHOPS = new Set('ELECLERC SOLIVER JCREW HSAMUEL LLBEAN'.split(' '));

function findNamesWithInitials(text: string): Range[] {
  if (!text.includes('.')) return [];
  return [
    ...matchesOf(WITH_DOTS, text).filter(({ 1: initials, 2: name }) => isPerson(initials!.replace(/[^\p{L}]/gu, ''), name!)),
    ...matchesOf(AFTER_NAME, text).filter(({ 1: name, 2: between }) => isFamilyName(name!) || (between === ', ' && isUnknown(name!))),
  ].map(({ index, 0: found }) => ({ start: index, end: index + found.trimEnd().length }));
}

/** `Иванов Иван Иванович`, `И. ИВАН ИВАНОВИЧ`: one or two names or initials before the name after the father. */
const WITH_PATRONYMIC = new RegExp(`${BEFORE}(?:(?:${WORD}|\\p{Lu}\\.?) ){1,2}(${WORD})${END}`, 'gu');

function findNamesWithPatronymics(text: string): Range[] {
  if (!MAY_HAVE_PATRONYMIC.test(text)) return [];
  return matchesOf(WITH_PATRONYMIC, text)
    .filter(({ 1: last }) => isPatronymic(last!))
    .map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
}
/** Most texts have none, and the pattern takes longer. */
const MAY_HAVE_PATRONYMIC = /(?:вич|ьич|вна|чна|vich|vna)(?!\p{L})/iu;

const isUnknown = (name: string): boolean => kindOf(name) === 'unknown' && name.length >= MIN_NAME_LENGTH;

function isPerson(initials: string, name: string): boolean {
  const last = name.split(' ').at(-1)!;
  if (last.length < MIN_NAME_LENGTH || !maybeName(last)) return false;
  return !ABBREVIATIONS.has(initials) && !SHOPS.has(`${initials}${last}`.toUpperCase());
}

interface Context {
  readonly words: RegExp;
  readonly name: RegExp;
  /** The part of what follows the words that is a name; nothing if it is none. */
  readonly nameIn?: (found: string) => string | undefined;
}

const TITLES = wordsBefore('title');
const TITLE = `${START}(?:${TITLES})\\.? `;
const TOGETHER = `(?:(?:ou|or|und|and|et|u|y|e|en|og|och|&|\\+) (?:${TITLES})\\.? )?`;
/** Words before names, also as banks write them that have no umlauts and accents. */
const BEFORE_NAMES = ['transfer', 'purpose', 'wage', 'direction'] as const;
const DIRECTIONS = wordsBefore(...BEFORE_NAMES);

const CONTEXTS: readonly Context[] = [
  {
    words: new RegExp(`${TITLE}${TOGETHER}`, 'giu'),
    name: new RegExp(`(?:${WORD} ){0,2}${SURNAME}${END}`, 'uy'),
    nameIn: withoutOrdinaryEnd,
  },
  {
    words: new RegExp(`${START}(?:${DIRECTIONS})(?:[.:,]? |(?<=\\+))`, 'giu'),
    name: new RegExp(`${WORD}(?: ${SURNAME})?${END}`, 'uy'),
    nameIn: nameByGivenName,
  },
];
const WORTH_LOOKING = /\p{Lu}[\p{L}.]/u;
/** How far after a name a legal form is searched: `Mr Price Group Ltd` is not a person. */
const FORM_WITHIN = 30;

/** Names of people: after words that announce them, by known given and family names, with initials, after payment services. */
export function findPersons({ text }: SearchableText): Finding[] {
  if (!WORTH_LOOKING.test(text)) return [];
  const found = [
    ...CONTEXTS.flatMap((context) => rangesBy(context, text)),
    ...findFullNames(text),
    ...findNamesWithInitials(text),
    ...findNamesWithPatronymics(text),
    ...findPayeesOfServices(text),
  ];
  return wholeNames(text, found)
    .filter(({ start, end }) => !hasLegalForm(text.slice(start, end + FORM_WITHIN)))
    .map(({ start, end }) => ({ kind: 'person', start, end }));
}

function rangesBy({ words, name, nameIn = (found) => found }: Context, text: string): Range[] {
  return matchesOf(words, text).flatMap((match) => {
    name.lastIndex = match.index + match[0].length;
    const found = name.exec(text);
    const named = found ? nameIn(found[0]) : undefined;
    return found && named ? [{ start: found.index, end: found.index + named.length }] : [];
  });
}

/** Without the words of statements that follow the name: `Jane Doe Rechnung`. */
function withoutOrdinaryEnd(found: string): string | undefined {
  const words = found.split(' ');
  while (words.length > 1 && kindOf(words.at(-1)!) === 'statement') words.pop();
  return words.length === 1 && kindOf(words[0]!) === 'statement' ? undefined : words.join(' ');
}

/** A word of direction also stands before places and firms, so one of the names has to be a known given name. */
function nameByGivenName(found: string): string | undefined {
  const named = withoutOrdinaryEnd(found);
  const words = named?.split(' ') ?? [];
  const [first, last] = [words[0], words.at(-1)];
  // `von Frau Jane Doe` is found by the title, `Transferencia de Jane Doe` by the second word.
  if (standsBefore(first ?? '', 'title', ...BEFORE_NAMES)) return undefined;
  if (first === undefined || last === undefined || kindOf(last) === 'trade') return undefined;
  if (isJan(first)) return words.length > 1 && maybeName(last) ? named : undefined;
  return maybeName(first) && (isGivenName(first) || isGivenName(last)) ? named : undefined;
}

const SERVICES =
  'paypal|pp|sumup|sum up|sq|zettle_?|iz|izettle|venmo|zelle|wise|cash ?app|stripe|twint|revolut|sp|gofundme|patreon|etsy|ko-fi|' +
  'tikkie|ebay|vinted|lydia|satispay|klarna|vipps|swish|mobilepay|pag|pagseguro|mp|mercado ?pago|picpay';
/** Services write a star before whom they pay. */
const PAYEE = new RegExp(`${START}(?:${SERVICES}) ?\\*{1,2} ?(${WORD}(?: ${WORD})?)${END}`, 'dgiu');
const SERVICE = new RegExp(`${START}(?:${SERVICES}) ?\\*{1,2} ?`, 'iu');

/** Whom a payment service pays, according to a text; undefined if it is none of theirs. */
export function payeeOfService(text: string): string | undefined {
  const service = SERVICE.exec(text);
  return service ? text.slice(service.index + service[0].length) : undefined;
}

/** People whom a payment service pays: `PAYPAL *MAXMUSTER`, `SumUp *Max Muster`. Most payees are firms, so a given name is needed. */
function findPayeesOfServices(text: string): Range[] {
  if (!text.includes('*')) return [];
  return matchesOf(PAYEE, text).flatMap((match) => {
    const start = match.indices![1]![0];
    const [first, second] = match[1]!.split(' ');
    if (isGluedName(first!)) return [{ start, end: start + first!.length }];
    if (second === undefined) return isGivenName(first!) ? [{ start, end: start + first!.length }] : [];
    if (kindOf(second) === 'trade' || kindOf(first!) === 'trade') return [];
    const hasSecond = kindOf(second) !== 'statement';
    if (!isGivenName(first!) && !(hasSecond && isGivenName(second))) return [];
    return [{ start, end: start + (hasSecond ? match[1]!.length : first!.length) }];
  });
}
