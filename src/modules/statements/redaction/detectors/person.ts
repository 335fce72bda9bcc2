import { matchesOf, type Finding } from '../finding.js';
import { isOrganisation } from '../names/organisations.js';
import type { SearchableText } from '../searchable-text.js';
import { GIVEN_NAMES } from './given-names.js';

/** A capitalised word that is not a token. */
const WORD = "(?!(?:PERSON|ACCOUNT)-)\\p{Lu}[\\p{L}'’]{1,30}(?:-\\p{Lu}[\\p{L}'’]{1,30})?";
const INITIALS = '(?:\\p{Lu}\\.? ){0,3}';
const PARTICLES =
  '(?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|el|al|zu|ten|ter|VAN|VON|DE|DER|DEN|DI|DA|DOS|DU|LA|LE|EL|AL|ZU|TEN|TER) ){0,3}';
const SURNAME = `${INITIALS}${PARTICLES}${WORD}`;
const END = '(?![\\p{L}\\p{N}])';

interface Context {
  /** The words before a name. */
  readonly words: RegExp;
  /** The name, directly after the words. */
  readonly name: RegExp;
  readonly accepts?: (name: string) => boolean;
}

const isGiven = (name: string): boolean => GIVEN_NAMES.has(name.split(/[ -]/)[0]!.toLowerCase());

const CONTEXTS: readonly Context[] = [
  {
    words:
      /(?<![\p{L}\p{N}])(?:mr|mrs|ms|miss|herr|herrn|frau|hr|dhr|mevr|mw|mme|mlle|monsieur|madame|sig|signor|signora|señor|señora)\.? /giu,
    name: new RegExp(`(?:${WORD} )?${SURNAME}${END}`, 'uy'),
  },
  {
    words: new RegExp(
      '(?<![\\p{L}\\p{N}])(?:auftraggeber|empfänger|zahlungsempfänger|begünstigter|zahlungspflichtiger|kontoinhaber|' +
        'beneficiary|payee|payer|remitter|account holder|naam|name|nom|titular|ordenante|bénéficiaire|' +
        "donneur d'ordre)(?: ?[:/=] ?)",
      'giu',
    ),
    name: new RegExp(`${WORD} ${SURNAME}${END}`, 'uy'),
  },
  {
    words: new RegExp(
      '(?<![\\p{L}\\p{N}])(?:überweisung|ueberweisung|gutschrift|dauerauftrag|lastschrift|zahlung|payment|transfer|' +
        'virement|overboeking|bonifico|transferencia|from|to|by|for|ref|von|vom|an|für|van|aan|voor|de|à|pour|para|da|' +
        'per)[.:]? ',
      'giu',
    ),
    name: new RegExp(`${WORD} ${SURNAME}${END}`, 'uy'),
    accepts: isGiven,
  },
];
const WORTH_LOOKING = /\p{Lu}\p{L}/u;
/** How far after a name a legal form is searched: `Mr Price Group Ltd` is not a person. */
const FORM_WITHIN = 30;

/** Names of people after words that announce them. Free text has too many other capitalised words. */
export function findPersons({ text }: SearchableText): Finding[] {
  return WORTH_LOOKING.test(text) ? CONTEXTS.flatMap((context) => personsBy(context, text)) : [];
}

function personsBy({ words, name, accepts = () => true }: Context, text: string): Finding[] {
  return matchesOf(words, text).flatMap((match) => {
    name.lastIndex = match.index + match[0].length;
    const found = name.exec(text);
    if (!found || !accepts(found[0]) || isOrganisation(text.slice(found.index, name.lastIndex + FORM_WITHIN))) return [];
    return [{ kind: 'person', start: found.index, end: found.index + found[0].length }];
  });
}
