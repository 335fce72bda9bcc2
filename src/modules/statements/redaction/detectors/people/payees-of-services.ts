import { matchesOf, type Range } from '../../finding.js';
import { END, START, WORD } from '../../names/name-pattern.js';
import { isGivenName, isGluedName, kindOf } from '../../names/word-kinds.js';

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
export function findPayeesOfServices(text: string): Range[] {
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
