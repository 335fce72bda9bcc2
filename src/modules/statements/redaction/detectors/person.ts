import { type Finding, matchesOf, type SearchableText } from '../finding.js';
import { END, PARTICLES, START, SURNAME, WORD } from '../names/name-pattern.js';
import { hasLegalForm } from '../names/organisations.js';
import { isFamilyName, isGivenName, isJan, kindOf, maybeName } from '../names/word-kinds.js';
import { findFullNames } from './people/full-names.js';
import { findPayeesOfServices } from './people/payees-of-services.js';
import { wholeNames } from './people/whole-names.js';

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
function findNamesWithInitials(text: string): { start: number; end: number }[] {
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

interface Context {
  /** The words before a name. */
  readonly words: RegExp;
  /** The name, directly after the words. */
  readonly name: RegExp;
  /** The part of what follows the words that is a name; nothing if it is none. */
  readonly nameIn?: (found: string) => string | undefined;
}

const TITLES =
  'mr|mrs|ms|miss|mx|sir|herr|herrn|hr|frau|fr|fru|frk|dhr|mevr|mevrouw|mw|mme|mlle|mons|monsieur|madame|mademoiselle|sig|signor|' +
  'signora|sr|sra|srta|señor|señora|senor|senora|doña|pan|pani|dr|prof|dott|dottssa|dipl-ing|ing|fam|familie';
/** Forms of address that are also other words, such as the initial of a shop or a donation. */
const UNSURE_TITLES = 'm|don';
const TITLE = `${START}(?:${TITLES})\\.? `;
const IS_TITLE = new RegExp(`^(?:${TITLES})$`, 'iu');
const TOGETHER = `(?:(?:ou|or|und|and|et|u|y|e|en|og|och|&|\\+) (?:${TITLES})\\.? )?`;
const LABELS =
  'auftraggeber|empfänger|empfaenger|empfanger|zahlungsempfänger|zahlungsempfaenger|begünstigter|beguenstigter|zahlungspflichtiger|' +
  'kontoinhaber|inhaber|karteninhaber|beneficiary|payee|payer|remitter|debtor|creditor|cardholder|account holder|naam|name|nom|' +
  "nombre|nome|titular|titulaire|ordenante|beneficiario|bénéficiaire|beneficiaire|donneur d'ordre|begunstigde|mottagare|avsändare|" +
  'avsandare|modtager|afsender|saaja|maksaja|odbiorca|nadawca|t\\.?n\\.?v\\.?';
/** Words before names, in the languages of our readers, also as banks write them that have no umlauts and accents. */
const DIRECTIONS =
  'überweisung|ueberweisung|uberweisung|echtzeitüberweisung|echtzeitueberweisung|gutschrift|dauerauftrag|lastschrift|zahlung|' +
  'miete|gehalt|lohn|geschenk|payment|transfer|faster payment|fps|standing order|salary|rent|wages|virement|vir|virt|loyer|salaire|' +
  'overboeking|overschrijving|huur|salaris|bonifico|stipendio|affitto|transferencia|traspaso|nómina|nomina|alquiler|transferência|' +
  'överföring|overforing|overføring|swish|vipps|mobilepay|venmo|zelle|bizum|twint|blik|tikkie|przelew|tilisiirto|' +
  'from|to|by|for|ref|von|vom|an|für|fuer|fur|van|aan|voor|naar|de|à|a|pour|par|chez|para|por|da|dal|per|al|' +
  'til|fra|för|från|fran|till|åt|av|af|dla|od|do|svwz\\+|svwz';

const IS_DIRECTION = new RegExp(`^(?:${DIRECTIONS})$`, 'iu');

const CONTEXTS: readonly Context[] = [
  {
    words: new RegExp(`${TITLE}${TOGETHER}`, 'giu'),
    name: new RegExp(`(?:${WORD} ){0,2}${SURNAME}${END}`, 'uy'),
    nameIn: withoutOrdinaryEnd,
  },
  {
    words: new RegExp(`${START}(?:${UNSURE_TITLES})\\.? `, 'giu'),
    name: new RegExp(`${WORD} ${SURNAME}${END}`, 'uy'),
    nameIn: nameByGivenName,
  },
  {
    words: new RegExp(`${START}(?:${LABELS})(?: ?[:/=] ?)`, 'giu'),
    name: new RegExp(`${WORD} ${SURNAME}${END}`, 'uy'),
    nameIn: (found) => (found.split(' ').some((word) => kindOf(word) === 'trade') ? undefined : withoutOrdinaryEnd(found)),
  },
  {
    words: new RegExp(`${START}(?:${DIRECTIONS})(?:[.:,]? |(?<=\\+))`, 'giu'),
    name: new RegExp(`${WORD}(?: ${SURNAME})?${END}`, 'uy'),
    nameIn: nameByGivenName,
  },
  {
    // Payment forms have the name after the word for it, also where a purpose follows.
    words: new RegExp(`${START}(?:empfänger|empfaenger|empfanger|auftraggeber|begünstigter|beguenstigter) `, 'giu'),
    name: new RegExp(`${WORD} ${SURNAME}${END}`, 'uy'),
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
    ...findPayeesOfServices(text),
  ];
  return wholeNames(text, found)
    .filter(({ start, end }) => !hasLegalForm(text.slice(start, end + FORM_WITHIN)))
    .map(({ start, end }) => ({ kind: 'person', start, end }));
}

function rangesBy({ words, name, nameIn = (found) => found }: Context, text: string): { start: number; end: number }[] {
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
  if (IS_TITLE.test(first ?? '') || IS_DIRECTION.test(first ?? '')) return undefined;
  if (first === undefined || last === undefined || kindOf(last) === 'trade') return undefined;
  if (isJan(first)) return words.length > 1 && maybeName(last) ? named : undefined;
  return maybeName(first) && (isGivenName(first) || isGivenName(last)) ? named : undefined;
}
