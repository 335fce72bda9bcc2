import {
  type Detector,
  type Finding,
  MASK,
  matchesOf,
  PERSON_MASK,
  type Range,
  type SearchableText,
  type Word,
  wordsIn,
} from '../../finding.js';
import { isCardPaymentText } from '../../names/card-payments.js';
import { type Circumstances, circumstancesOf, verdictOn } from '../../names/counterparties.js';
import { hasLegalForm, isNamedAsOrganisation } from '../../names/organisations.js';
import { isPlace, startsKnownPlaceOrMerchant, SURNAME, WORD as NAME_WORD } from '../../names/phrases.js';
import { isFamilyName, isGivenName, isJan, isOfInstitution, isOfStatement, kindOf, maybeName } from '../../names/word-kinds.js';
import { announcementAt, type Before, standsBefore } from '../../names/words-before.js';
import { wholeNames } from './whole-names.js';

type Role = 'known' | 'unknown' | 'initial' | 'month' | 'particle' | 'trade' | 'other';

interface WordWithRole extends Word {
  readonly role: Role;
}

const WORDS = new RegExp(`[${MASK}${PERSON_MASK}]|[\\p{L}\\p{N}][\\p{L}\\p{N}'’]*(?:[-.][\\p{L}\\p{N}][\\p{L}\\p{N}'’]*)*`, 'gu');
const PARTICLE = /^(?:t|v[ao]n|vom|de[nrs]?|del|dell[ao]|d[aiou]|d[ao]s|la|las|los|le|lo|el|al|a[fv]|bin|z[u]m?|zur|te[nr]|n[’']|o[’'])$/iu;
const CAPITALISED = /^\p{Lu}[\p{L}'’-]+$/u;
const NOT_OF_NAMES: readonly Before[] = ['direction', 'title', 'transfer', 'purpose', 'wage', 'party', 'phone'];
/** The mask of somebody, or their token in a text that was redacted before. */
const PERSON = `${PERSON_MASK}|PERSON-[A-Z\\d]{12}`;
const HAS_PERSON = new RegExp(PERSON, 'u');
const IS_PERSON = new RegExp(`^(?:${PERSON})$`, 'u');
const INITIALS = /^\p{Lu}(?:\.\p{Lu}){0,3}$/u;
const VOWEL = /[aeiouyàáâãäåæèéêëěìíîïòóôõöøùúûüůýąęóıö]/iu;
const MONTH = /^(?:ma[ijy]|mei|april|june|august)$/i;
const MIN_LENGTH = 3;
/** What follows the label of something, as in `EREF+12`. */
const LABEL_END = /^(?:[:=#*+@]|-\d|\.[\p{L}:])/u;
const roles = new Map<string, Role>();
const MAX_CACHED = 50_000;

function roleOf(text: string, word: string, start: number): Role {
  if (roles.size >= MAX_CACHED) roles.clear();
  const role = roles.get(word) ?? roleOfWord(word);
  roles.set(word, role);
  if (role !== 'unknown' && role !== 'known') return role;
  const end = start + word.length;
  return text[start - 1] === '[' || (role === 'unknown' && LABEL_END.test(text.slice(end, end + 3))) ? 'other' : role;
}

function roleOfWord(word: string): Role {
  if (PARTICLE.test(word) && word !== 'T') return 'particle';
  if (INITIALS.test(word)) return 'initial';
  if (IS_PERSON.test(word)) return 'known';
  // Names of months are given names, too, but not alone and not at the end.
  if (isJan(word.split('-')[0]!)) return word.includes('-') ? 'known' : 'month';
  if (MONTH.test(word) || (isGivenName(word) && isOfStatement(word))) return 'month';
  if (!CAPITALISED.test(word) || word.startsWith('ACCOUNT-')) return 'other';
  const kind = kindOf(word);
  if (kind === 'trade') return 'trade';
  if (kind === 'statement' || isOfStatement(word)) return 'other';
  if (kind !== 'unknown' && !standsBefore(word, 'title')) return 'known';
  if (standsBefore(word, ...NOT_OF_NAMES) || isOfStatement(word.slice(word.lastIndexOf('-') + 1))) return 'other';
  return word.length < MIN_LENGTH || !VOWEL.test(word) ? 'other' : 'unknown';
}

/** Two detectors look at a text one after the other. */
let latest: { readonly text: string; readonly words: readonly WordWithRole[] } = { text: '', words: [] };

function wordsOf(text: string): readonly WordWithRole[] {
  if (text === latest.text) return latest.words;
  const words = wordsIn(text, WORDS).map((word) => ({ ...word, role: roleOf(text, word.text, word.start) }));
  latest = { text, words };
  return words;
}

const WITHIN_NAME = /^\.? ['’]?$/;
const COMMA = /^, ?$/;
const MAX_WORDS = 7;
/** How many words a name has at least, unless what stands before it leaves no doubt. */
const SEVERAL = 2;
/** Words of no list that a name may have; further ones are probably what the payment was for. */
const MAX_UNKNOWN = 3;

interface Name extends Range {
  readonly roles: readonly Role[];
  /** Whether a word that only firms have follows. */
  readonly isOfFirm: boolean;
}

/** After `de La`, a word that firms have is a name, too: `Jane de La Tour`. */
function roleIn(words: readonly WordWithRole[], at: number, first: number): Role {
  const { role, text } = words[at]!;
  const isNoble = at >= Math.max(2, first + 1) && /^l[ae]$/i.test(words[at - 1]!.text) && /^de$/i.test(words[at - 2]!.text);
  return role === 'trade' && isNoble && !isOfInstitution(text) ? 'unknown' : role;
}

/** The name that begins at a word: capitalised words, initials and particles, and what follows a comma if no given name came before it. */
function nameAt(whole: string, words: readonly WordWithRole[], first: number): Name {
  const found: Role[] = [];
  let [end, unknown, at, hasComma] = [first - 1, 0, first, false];
  for (; at < words.length && at < first + MAX_WORDS; at += 1) {
    const { gap } = words[at]!;
    const role = roleIn(words, at, first);
    const isJoined = at === first || WITHIN_NAME.test(gap);
    const isAfterComma = !isJoined && COMMA.test(gap) && !hasComma && !words.slice(first, at).some((word) => isGivenName(word.text));
    if ((!isJoined && !isAfterComma) || role === 'other' || role === 'trade') break;
    if (role === 'unknown' && (unknown === MAX_UNKNOWN || (at >= first + 2 && startsKnownPlaceOrMerchant(whole.slice(words[at]!.start)))))
      break;
    hasComma ||= isAfterComma;
    unknown += role === 'unknown' ? 1 : 0;
    found.push(role);
    if (role !== 'particle' && (role !== 'month' || found.length < SEVERAL + 1)) end = at;
  }
  const next = words[at];
  return {
    start: words[first]!.start,
    end: words[Math.max(end, first)]!.end,
    roles: found.filter((role) => role !== 'particle').slice(0, end - first + 1),
    isOfFirm: next?.role === 'trade' && WITHIN_NAME.test(next.gap),
  };
}

const UNKNOWN = circumstancesOf('', false);

/** Whether a name may be one of a person: as many words of it as the place where it stands asks for, and nothing of a firm. */
function isOfPerson(text: string, { start, end, roles, isOfFirm }: Name, least: number, circumstances = UNKNOWN): boolean {
  const isLongEnough = roles.length >= least && roles.some((role) => role !== 'initial' && role !== 'month');
  if (!isLongEnough || isOfFirm) return false;
  const name = text.slice(start, end);
  if (least > 1 && isPlace(name)) return false;
  return !isNamedAsOrganisation(name) && verdictOn(name, circumstances) === 'person';
}

/** A place where banks write names: the words before it, and how many words the name then has at least. */
interface Place {
  readonly end: RegExp;
  readonly least: number;
  /** How many words that are no names may stand between. */
  readonly between: number;
}

const MAX_BETWEEN = 7;
const TITLE = /^\.? /;
const LABEL = /^ ?[:=+] ?/;
const WORD = /^(?! ?=)/;
const AFTER_LABEL: Place = { end: LABEL, least: SEVERAL, between: 0 };
const PLACES: ReadonlyMap<Before, readonly Place[]> = new Map([
  ['title', [{ end: TITLE, least: 1, between: 0 }]],
  ['unsure title', [{ end: TITLE, least: SEVERAL, between: 0 }]],
  ['wage', [{ end: WORD, least: 1, between: MAX_BETWEEN }]],
  ['label', [AFTER_LABEL, { end: /^\//, least: 1, between: 0 }]],
  ['party', [AFTER_LABEL, { end: WORD, least: SEVERAL, between: 2 }]],
  ['transfer', [{ end: WORD, least: SEVERAL, between: MAX_BETWEEN }]],
  ['purpose', [{ end: WORD, least: SEVERAL, between: MAX_BETWEEN }]],
]);
const PERSONAL: readonly Before[] = ['transfer', 'purpose'];
interface Search extends Omit<Place, 'end'> {
  readonly from: number;
  readonly circumstances?: Circumstances;
}

/** The first name after a place; undefined if the first words that may be one are those of a firm. */
function nameAfter(text: string, words: readonly WordWithRole[], { from, least, between, circumstances }: Search): Range | undefined {
  const first = words.findIndex(({ start }) => start >= from);
  for (let at = first; first >= 0 && at < Math.min(words.length, first + between + 1); at += 1) {
    const { role } = words[at]!;
    if (role === 'trade') return undefined;
    if (role === 'other' || (role === 'particle' && standsBefore(words[at]!.text, 'direction'))) continue;
    const name = nameAt(text, words, at);
    if (name.isOfFirm) return undefined;
    if (isOfPerson(text, name, least, circumstances)) return name;
    if (role === 'known' || role === 'unknown') at += Math.max(0, name.roles.length - 1);
  }
  return undefined;
}

const FORM_WITHIN = 30;

/** In places where banks write names of people, and beside what else is known of a person. What is doubtful there is a name, too. */
export const findAnnouncedNames = ({ text }: SearchableText): Finding[] =>
  wholeNames(text, announcedNames(text))
    .filter(({ start, end }) => !hasLegalForm(text.slice(start, end + FORM_WITHIN)))
    .map(({ start, end }) => ({ kind: 'person', start, end }));

function announcedNames(text: string): Range[] {
  const words = wordsOf(text);
  const found = announcementsIn(words);
  const hasMask = text.includes(MASK);
  if (found.length === 0 && !hasMask) return [];
  const isCard = isCardPaymentText(text);
  const names = found.flatMap(({ from, kinds }) =>
    [...kinds]
      .filter((kind) => !isCard || !PERSONAL.includes(kind))
      .flatMap((kind) => PLACES.get(kind) ?? [])
      .flatMap(({ end, least, between }) =>
        end.test(text.slice(from, from + 3)) ? (nameAfter(text, words, { from, least, between }) ?? []) : [],
      ),
  );
  const whole = names.filter(({ start, end }) => !HAS_PERSON.test(text.slice(start, end)));
  return hasMask ? [...whole, ...namesBesideMasks(text, words, isCard)] : whole;
}

/** For a line without a field for the other party. What is no known organisation is masked, unless somebody is masked already. */
export const partyDetector =
  (circumstances: Circumstances): Detector =>
  ({ text }) => {
    if (HAS_PERSON.test(text)) return [];
    const words = wordsOf(text);
    const name = nameAfter(text, words, { from: 0, least: SEVERAL, between: words.length, circumstances });
    if (!name || hasLegalForm(text.slice(name.start, name.end + FORM_WITHIN))) return [];
    // The description of a line may go on with the names of columns and their texts: `Jane Doe Cost centre: 12`.
    const [last = ''] = LABEL_FOLLOWS.test(text.slice(name.end)) ? LAST_WORD.exec(text.slice(name.start, name.end))! : [];
    const end = name.end - last.length;
    return text.slice(name.start, end).includes(' ') ? [{ kind: 'person', start: name.start, end }] : [];
  };
const LABEL_FOLLOWS = /^(?: \p{Ll}\p{L}*){0,3}:/u;
const LAST_WORD = /,? [^ ]+$/u;
interface Announcement {
  readonly from: number;
  readonly kinds: ReadonlySet<Before>;
}

function announcementsIn(words: readonly WordWithRole[]): readonly Announcement[] {
  const found: Announcement[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const announcement = announcementAt(words, at);
    if (!announcement) continue;
    at += announcement.length - 1;
    found.push({ from: words[at]!.end, kinds: announcement.kinds });
  }
  return found;
}

/** Whether a text has a word that people are paid with: for a transfer, or for what people pay one another. */
export const isAnnouncedAsPersonal = (text: string): boolean =>
  announcementsIn(wordsOf(text)).some(({ kinds }) => PERSONAL.some((kind) => kinds.has(kind)));

const MAX_BESIDE = 3;

/** Names before and after a number, an address or a date of birth that is masked. */
function namesBesideMasks(text: string, words: readonly WordWithRole[], isCard: boolean): Range[] {
  return words.flatMap(({ text: word, end }, at) => {
    // Cards pay shops, unless a word such as `for` follows the number.
    if (word !== MASK || (isCard && !standsBefore(words[at + 1]?.text ?? '', 'direction'))) return [];
    const after = nameAfter(text, words, { from: end, least: SEVERAL, between: MAX_BESIDE });
    return [after, nameBefore(text, words, at)].flatMap((range) => (range ? withoutMask(text, range) : []));
  });
}

/** What is left of a name of which another detector has found the end: one word. After the mask of a name a purpose may follow. */
function withoutMask(text: string, { start, end }: Range): Range[] {
  const [, word, mask, rest] = LEFT.exec(text.slice(start, end)) ?? [];
  if (mask === undefined) return [{ start, end }];
  return word && !rest && !/ /.test(word.trim()) ? [{ start, end: start + word.trimEnd().length }] : [];
}
const LEFT = new RegExp(`^(.*?)(${PERSON})(.*)$`, 'u');

/** The name that ends before a mask, with at most some words between that are no names. */
function nameBefore(text: string, words: readonly WordWithRole[], mask: number): Range | undefined {
  let last = mask - 1;
  while (last >= 0 && mask - last <= MAX_BESIDE && ['other', 'particle'].includes(words[last]!.role)) last -= 1;
  let [first, hasComma] = [last + 1, false];
  while (first > 0 && first > last - MAX_WORDS + 1 && isPartOfName(words[first - 1]!)) {
    const isAfterComma = first <= last && !hasComma && first > last - 1 && COMMA.test(words[first]!.gap);
    if (first <= last && !isAfterComma && !WITHIN_NAME.test(words[first]!.gap)) break;
    hasComma ||= isAfterComma;
    first -= 1;
  }
  const before = words[first - 1];
  if (first > last || (before?.role === 'trade' && WITHIN_NAME.test(words[first]!.gap))) return undefined;
  const roles = words
    .slice(first, last + 1)
    .map(({ role }) => role)
    .filter((role) => role !== 'particle');
  // `to Doe, 12 High Street` names whom it is for.
  const isAddressed = last === mask - 1 && COMMA.test(words[mask]!.gap) && before !== undefined && standsBefore(before.text, 'direction');
  const name = { start: words[first]!.start, end: words[last]!.end, roles, isOfFirm: false };
  return isOfPerson(text, name, isAddressed ? 1 : SEVERAL) ? name : undefined;
}

const isPartOfName = ({ role }: WordWithRole): boolean => role !== 'other' && role !== 'trade';

const ACCOUNT = `(?:${MASK}|[A-Z]{2}\\d\\d[A-Z\\d]{10,30}(?![\\p{L}\\p{N}]))`;
/** Banks that have one text for all fields write the name of the other party before its account: `:Erika Mustermann:DE02…`. */
const BEFORE_ACCOUNT = new RegExp(`[:;|/] ?(${NAME_WORD}(?: ${SURNAME}){1,2}) ?[:;|/] ?${ACCOUNT}`, 'dgu');
/** Or after it, at the beginning and in small letters, before the capitalised purpose: `NL91… j jansen Salaris`. */
const AFTER_ACCOUNT = new RegExp(`^${ACCOUNT} (\\p{Ll}[\\p{Ll}.'’-]{0,30}(?: \\p{Ll}[\\p{Ll}.'’-]{0,30}){1,6})(?= [\\p{Lu}\\d]|$)`, 'dgu');
const TITLE_OR_INITIAL = /^(?:hr|dhr|mw|mevr|\p{L}\.?)$/u;

const isVerdictOnPerson = (name: string): boolean => verdictOn(name.toUpperCase(), UNKNOWN) === 'person';

function isInSmallLetters(name: string): boolean {
  const words = name.split(' ');
  return words.every(maybeName) && words.some((word) => TITLE_OR_INITIAL.test(word) || isGivenName(word) || isFamilyName(word));
}

/** Names in the place of the other party, unless they are recognised as organisations. */
export const findNamesBesideAccounts = ({ text }: SearchableText): Finding[] =>
  [...matchesOf(BEFORE_ACCOUNT, text), ...matchesOf(AFTER_ACCOUNT, text).filter(({ 1: name }) => isInSmallLetters(name!))]
    .filter(({ 1: name }) => isVerdictOnPerson(name!))
    .map(({ indices }) => ({ kind: 'person', start: indices![1]![0], end: indices![1]![1] }));
