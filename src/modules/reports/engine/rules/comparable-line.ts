import { foldText, isAscii } from '../../../../kernel/text.js';
import type { TextField } from '../../../rules/index.js';
import type { RunLine } from '../inputs.js';
import type { Money } from '../../../../kernel/money.js';

/** A field may have several spellings. Conditions compare with each of them. */
type Texts = Readonly<Record<TextField, readonly string[]>>;

/** A line prepared for comparison: made once, used by every rule. */
export interface ComparableLine {
  /** Case-folded: for all ops except `matches`. */
  readonly folded: Texts;
  /** Not case-folded, for `matches`: there ß is not ss, and the pattern itself ignores case. */
  readonly written: Texts;
  /** Whether the line has combining marks. In upper case a letter and its mark may become one character. */
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
    account: [...ownAccountSpellings(line.account), collapsed(line.counterpartyAccount ?? '')],
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

export function foldedValue(value: string): string {
  return foldText(collapsed(value));
}

/** ASCII words separated by single blanks, as nearly all texts are. To test for that is faster than to normalize. */
const IS_COLLAPSED = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/** NFKC first: it turns most kinds of blanks into plain ones. */
function collapsed(text: string): string {
  return IS_COLLAPSED.test(text)
    ? text
    : text
        .normalize('NFKC')
        .replace(/\s{2,}|[^\S ]/g, ' ')
        .trim();
}

/** `ACCOUNT-7Q2M4XKD9A (3000)` matches as a whole, by its token alone, and by its end, 3000. */
function ownAccountSpellings(account: string | null): string[] {
  if (account === null) return [];
  const whole = collapsed(account);
  const match = /^(\S+) \((\S+)\)$/.exec(whole);
  return match ? [whole, match[1]!, `${match[1]} ${match[2]}`] : [whole];
}
