import { findPersons, payeeOfService } from '../detectors/person.js';
import { SearchableText } from '../finding.js';
import { hasPlaceAndCountry, hasTerminal, isCardPaymentText, isDirectDebitText, isTransferText } from './card-payments.js';
import { hasLegalForm, isNamedAsOrganisation, isTradedUnderName, WORDS } from './organisations.js';
import { isPlace, merchants, merchantsLikePeople, places, plainWordsOf } from './phrases.js';
import { isFamilyName, isGivenName, isGluedName, isOfInstitution, isOfStatement, kindOf, maybeName } from './word-kinds.js';

export interface Circumstances {
  readonly isPaidOut: boolean;
  /** By card, or collected by direct debit. */
  readonly isPaidToShop: boolean;
  readonly isTransfer: boolean;
}

/** `texts` are the free texts of the line; `isCardPayment` is what the file says outside of them. */
export function circumstancesOf(texts: string, isPaidOut: boolean, isCardPayment = false): Circumstances {
  const isTransfer = isTransferText(texts);
  return {
    isPaidOut,
    isTransfer,
    isPaidToShop:
      isPaidOut &&
      (isCardPayment ||
        hasTerminal(texts) ||
        isDirectDebitText(texts) ||
        (!isTransfer && (isCardPaymentText(texts) || hasPlaceAndCountry(texts)))),
  };
}

export type Verdict = 'company' | 'person';

interface Case extends Circumstances {
  readonly name: string;
  readonly words: readonly string[];
  readonly merchant: Merchant;
}

/** The words of a name that are a well-known business, and those that follow. */
interface Merchant {
  readonly words: readonly string[];
  readonly rest: readonly string[];
  /** Whether people may be called like it. */
  readonly isLikePerson: boolean;
}

/** The first rule that holds decides; without one it is masked like a person. What other organizations have is never used. */
const EVIDENCE: readonly (readonly [Verdict, (subject: Case) => boolean])[] = [
  // `Jane Doe e.K.`, `Jane Doe t/a Flowers`.
  ['person', ({ name }) => isTradedUnderName(name)],
  // `Muster GmbH`, `HMRC`.
  ['company', ({ name }) => hasLegalForm(name)],
  // `PAYPAL *MAXMUSTER`.
  ['person', ({ name }) => isPersonPaidByService(name)],
  // `Albert Heijn 1234`, `SPOTIFY P2C4B6`, `Hilton London`.
  ['company', isKnownBusiness],
  // `PRET SCHMIDT 2045`, `JOHN LEWIS LEEDS`, `CAFE MULLER`: shops have such names, but `MARIA GARCIA` may be a person.
  ['company', isShop],
  // `Farmacia San Carlo`, `Gemeente Beispiel`, but `Restaurant Maria Garcia` may be hers.
  ['company', ({ words }) => isOfInstitution(words[0] ?? '') && !isName(words[0]!) && words.filter(isName).length < 2],
  // `Erika Mustermann`, `M. Muster`, `Mr Nobody Known`, but not `SAN FRANCISCO`.
  ['person', ({ name, words }) => withoutPlaces(words, 2).some(isName) || isCalledLikePerson(name)],
  // `NETFLIX.COM`, `Bank of Scotland`, `Stadtwerke Beispielstadt`, `Coffee Corner`.
  ['company', ({ name, words }) => isNamedAsOrganisation(name) || areOrdinary(words)],
  // `GREGGS #1234`, `BLUE BOTTLE SAN FRANCISCO CA`.
  ['company', hasPlaceOfShop],
];

export const verdictOn = (name: string, line: Circumstances): Verdict => evidenceOn(name, line) ?? 'person';

export function evidenceOn(name: string, line: Circumstances): Verdict | undefined {
  const words = plainWordsOf(name);
  const own = circumstancesOf(name, line.isPaidOut, STAR.test(name));
  const subject: Case = {
    name,
    words,
    merchant: merchantIn(words),
    isPaidOut: line.isPaidOut,
    isTransfer: line.isTransfer || own.isTransfer,
    isPaidToShop: line.isPaidToShop || own.isPaidToShop,
  };
  return EVIDENCE.find(([, holds]) => holds(subject))?.[0];
}

/** The descriptor of a terminal or of a service that takes cards: `SQ *BAKERY`, `AMZN MKTP US*2K4`. */
const STAR = /^[A-Z0-9. ]{2,20}\*/;
const MAX_WORDS_BEFORE = 6;
const CODE = /\d|^.{1,2}$|^(?:GBR|DEU|NLD|FRA|ESP|ITA|IRL|AUT|CHE|BEL|USA|POL|LUX|SWE|DNK|NOR|FIN)$/;

const isName = (word: string): boolean => isGivenName(word) || isFamilyName(word);
const NO_MERCHANT: Merchant = { words: [], rest: [], isLikePerson: false };

/** The well-known business that a counterparty begins with, after what banks write first: `CARD PAYMENT TO TESCO`. */
function merchantIn(words: readonly string[]): Merchant {
  for (let at = 0; at < Math.min(words.length, MAX_WORDS_BEFORE); at += 1) {
    const [known, likePeople] = [merchants.lengthAt(words, at), merchantsLikePeople.lengthAt(words, at)];
    const length = Math.max(known, likePeople);
    const found = words.slice(at, at + length);
    const isLikePerson = likePeople > known || (length === 1 && isName(found[0]!));
    if (length > 0) return { words: found, rest: words.slice(at + length), isLikePerson };
    if (!isBeforeMerchant(words[at]!)) break;
  }
  return NO_MERCHANT;
}

const isBeforeMerchant = (word: string): boolean =>
  isOfStatement(word) || CODE.test(word) || isCardPaymentText(word) || isTransferText(word) || word === 'WWW' || word === 'THE';

function isPersonPaidByService(name: string): boolean {
  const payee = payeeOfService(name);
  if (payee === undefined) return false;
  const words = plainWordsOf(payee);
  return words.some((word) => isName(word) || isGluedName(word)) && merchantIn(words) === NO_MERCHANT && !words.some(isOfTrade);
}

const isOfTrade = (word: string): boolean => kindOf(word) === 'trade';

function isKnownBusiness({ merchant: { words, rest, isLikePerson } }: Case): boolean {
  if (words.length === 0 || rest.some(isName)) return false;
  return !isLikePerson || (!words.some(isName) && withoutPlaces(rest).every((word) => CODE.test(word)));
}

function isShop({ words, merchant, isPaidToShop }: Case): boolean {
  if (!isPaidToShop) return false;
  const others = merchant.rest.length > 0 || merchant.words.length > 0 ? merchant.rest : words;
  const names = others.filter(isName);
  if (names.some(isGivenName)) return others.some(isOfTrade) && !names.some((word) => !isGivenName(word));
  return names.length < 2 || others.some((word) => !isName(word) && !CODE.test(word));
}

/** No person is called only by words of trade and of statements. */
const areOrdinary = (words: readonly string[]): boolean =>
  words.length > 1 && words.some(isOfTrade) && words.every((word) => !maybeName(word) || word === '&' || word === '+');

const STORE = /(?:^|[\p{L}.)] )(?:#|nr\.? ?|no\.? ?|store ?|fil\.? ?|filiale ?|t-)?(?!(?:19|20)\d\d(?!\d))\d{3,5}(?![\p{L}\p{N}.,/-])/iu;

/** A number or a place with its country, as they follow the names of shops. */
function hasPlaceOfShop({ name, words, isPaidOut, isTransfer }: Case): boolean {
  if (!isPaidOut || isTransfer) return false;
  return STORE.test(name) || (CODE.test(words.at(-1) ?? '') && withoutPlaces(words.slice(1)).length < words.length - 1);
}

/** Without the places that have so many words. */
function withoutPlaces(words: readonly string[], minLength = 1): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length;) {
    const length = places.lengthAt(words, at);
    if (length < minLength) kept.push(words[at]!);
    at += length < minLength ? 1 : length;
  }
  return kept;
}

const isCalledLikePerson = (name: string): boolean => findPersons(new SearchableText(name)).length > 0;

/** Whether a counterparty is certainly a person: by a known given name, a form of address, initials, or as a sole trader. */
export function looksLikePerson(name: string): boolean {
  if (isTradedUnderName(name)) return true;
  if (hasLegalForm(name)) return false;
  const words = name.match(WORDS) ?? [];
  if (words.some(isOfInstitution)) return false;
  return words.some(isGivenName) || isCalledLikePerson(name);
}

const MOST_WORDS = 6;
const NUMBERS = /[(#]?\d+\)?/g;

/** A number may follow several words of a name. One word alone has to be written like a name and be no place. */
export function mayBeName(text: string): boolean {
  const words = text
    .replace(NUMBERS, ' ')
    .split(/[^\p{L}.'’-]+/u)
    .filter((word) => /\p{L}/u.test(word));
  if (words.length === 0 || words.length > MOST_WORDS) return false;
  if (words.length === 1) return !/\d/.test(text) && (isName(words[0]!) || isLikeName(words[0]!));
  return words.some(isName) || words.every(maybeName);
}

const isLikeName = (word: string): boolean => /^\p{Lu}\p{L}{2,}$/u.test(word) && maybeName(word) && !isPlace(word);
