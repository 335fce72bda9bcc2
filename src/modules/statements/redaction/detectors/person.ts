import { matchesOf, type Finding } from '../finding.js';
import { END, START, SURNAME, WORD } from '../names/name-pattern.js';
import { hasLegalForm } from '../names/organisations.js';
import { isGivenName, isJan, kindOf, maybeName } from '../names/word-kinds.js';
import type { SearchableText } from '../searchable-text.js';
import { findFullNames } from './people/full-names.js';
import { findNamesWithInitials } from './people/initials.js';
import { findPayeesOfServices } from './people/payees-of-services.js';
import { wholeNames } from './people/whole-names.js';

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
