import { foldText, isAscii } from '../../../../kernel/text.js';
import type { RunLine } from '../inputs.js';
import type { Money } from '../amounts/money.js';

export type TextField = 'description' | 'counterparty' | 'account' | 'reference';
/** A field may be spelt in several ways, and conditions look at each. */
type Texts = Readonly<Record<TextField, readonly string[]>>;

/** A line as conditions look at it: made once, looked at by every rule. */
export interface ComparableLine {
  /** Without differences of case: for all that compares texts. */
  readonly folded: Texts;
  /** As written: patterns see ß as ß, and care for case themselves. */
  readonly written: Texts;
  /** Whether marks stand on letters that they are not one character with: in upper case they may become one. */
  readonly hasMarks: boolean;
  /** The amount without its sign. */
  readonly size: Money;
  readonly direction: 'in' | 'out';
  readonly currency: string | null;
  readonly date: string;
}

export type Condition = (line: ComparableLine) => boolean;

export function comparableLine(line: RunLine, amount: Money): ComparableLine {
  const written = {
    description: [collapsed(line.description)],
    counterparty: [collapsed(line.counterparty ?? '')],
    account: [...spellingsOfOwn(line.account), collapsed(line.counterpartyAccount ?? '')],
    reference: [collapsed(line.reference ?? '')],
  };
  return {
    hasMarks: Object.values(written).some((texts) => texts.some((text) => !isAscii(text) && /\p{M}/u.test(text))),
    folded: {
      description: written.description.map(foldText),
      counterparty: written.counterparty.map(foldText),
      account: written.account.map(foldText),
      reference: written.reference.map(foldText),
    },
    written,
    size: amount < 0n ? -amount : amount,
    direction: amount < 0n ? 'out' : 'in',
    currency: line.currency,
    date: line.bookedOn,
  };
}

/** The spelling of a value that a condition compares with. */
export function foldedValue(value: string): string {
  return foldText(collapsed(value));
}

/** Words of ASCII with single blanks between, as nearly all texts are: to see that is quicker than to put them in order. */
const IN_ORDER = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/** NFKC turns most blanks into plain ones, so it comes first. */
function collapsed(text: string): string {
  return IN_ORDER.test(text)
    ? text
    : text
        .normalize('NFKC')
        .replace(/\s{2,}|[^\S ]/g, ' ')
        .trim();
}

/** `ACCOUNT-7Q2M4XKD9A (3000)` is known as that, by its token, and as something that ends with 3000. */
function spellingsOfOwn(account: string | null): string[] {
  if (account === null) return [];
  const whole = collapsed(account);
  const match = /^(\S+) \((\S+)\)$/.exec(whole);
  return match ? [whole, match[1]!, `${match[1]} ${match[2]}`] : [whole];
}
