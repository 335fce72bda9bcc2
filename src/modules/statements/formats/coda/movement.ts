import { JobFailure } from '../../../../kernel/failure.js';
import { scaledDecimalOf } from '../amounts.js';
import { sixDigitDayOf } from '../dates.js';
import { at, invalidLine, type NumberedLine } from '../records/numbered-lines.js';
import type { LineDraft } from '../statement-line.js';

/** A booking, or a detail of one: a record 21 and what continues it. */
export interface Movement {
  readonly line: number;
  readonly sequence: string;
  /** 0000 for the booking itself. */
  readonly detail: string;
  readonly amount: string;
  readonly bookedOn: string;
  readonly bankReference: string | null;
  /** The first digit says what the amount is: a booking, a total, or a part of one. */
  readonly code: string;
  readonly isStructured: boolean;
  communication: string;
  customerReference: string;
  counterparty: string;
  counterpartyAccount: string;
  /** Of the records 31 to 33: whether they are structured, and their text. */
  readonly information: { readonly isStructured: boolean; text: string }[];
}

/** Amounts have three decimals. */
export const DECIMALS = 3;
const UNKNOWN_DAY = '000000';

export function movementOf({ text, number }: NumberedLine): Movement {
  const [sign, entry, value] = [at(text, 32), at(text, 116, 121), at(text, 48, 53)];
  const amount = /[01]/.test(sign) ? scaledDecimalOf(at(text, 33, 47), DECIMALS, sign === '1') : null;
  if (!amount) throw new JobFailure('invalid_amount', `The record 21 in line ${number} has no valid amount.`);
  const bookedOn = sixDigitDayOf(entry === UNKNOWN_DAY ? value : entry, 'day first');
  if (!bookedOn) throw new JobFailure('invalid_date', `The record 21 in line ${number} has no valid entry date.`);
  return {
    line: number,
    ...placeOf(text),
    amount,
    bookedOn,
    bankReference: at(text, 11, 31).trim() || null,
    code: at(text, 54, 61),
    isStructured: at(text, 62) === '1',
    communication: at(text, 63, 115),
    customerReference: '',
    counterparty: '',
    counterpartyAccount: '',
    information: [],
  };
}

const placeOf = (text: string): Pick<Movement, 'sequence' | 'detail'> => ({ sequence: at(text, 3, 6), detail: at(text, 7, 10) });

/** Adds what a record says of the movement before it. */
export function continueMovement(movement: Movement | null, { text, number }: NumberedLine): void {
  const kind = at(text, 1, 2);
  const { sequence, detail } = placeOf(text);
  // Information has detail numbers of its own.
  const belongs = movement?.sequence === sequence && (kind.startsWith('3') || movement.detail === detail);
  if (!movement || !belongs) throw invalidLine(number, `has a record ${kind} that does not continue the record before it`);
  if (kind === '22') {
    movement.communication += at(text, 11, 63);
    movement.customerReference = at(text, 64, 98).trim();
  } else if (kind === '23') {
    [movement.counterpartyAccount = ''] = at(text, 11, 44).trim().split(/\s/);
    movement.counterparty = at(text, 48, 82).trim();
    movement.communication += at(text, 83, 125);
  } else if (kind === '31') movement.information.push({ isStructured: at(text, 40) === '1', text: at(text, 41, 113) });
  else if (movement.information.length > 0) movement.information.at(-1)!.text += kind === '32' ? at(text, 11, 115) : at(text, 11, 100);
}

type Texts = Omit<LineDraft, 'account' | 'owner' | 'currency' | 'bookedOn' | 'amount'>;

/** Payments by card. */
const CARDS = '04';

export function textsOf(movement: Movement): Texts {
  const { code, counterparty, counterpartyAccount, bankReference, detail } = movement;
  const { description, reference } = movement.isStructured
    ? structured(movement.communication)
    : { description: plain(movement.communication), reference: null };
  const parties = movement.information.filter(({ isStructured, text }) => isStructured && PARTY.test(text)).map(({ text }) => text);
  const more = movement.information.filter(({ isStructured }) => !isStructured).map(({ text }) => plain(text));
  const [party = ''] = parties;
  return {
    description: [description, ...more].filter(Boolean).join(' '),
    counterparty: counterparty || at(party, 4, 73).trim() || null,
    counterpartyAccount: counterpartyAccount || null,
    counterpartyAddress: party.startsWith('001') ? plain(at(party, 74, 143)) || null : null,
    reference: reference ?? (/^NOT ?PROVIDED$/i.test(movement.customerReference) ? null : movement.customerReference || null),
    // Details have the reference of their booking.
    bankReference: bankReference && (detail === '0000' ? bankReference : `${bankReference}/${detail}`),
    ...(at(code, 2, 3) === CARDS && { isCardPayment: true }),
  };
}

/** Information about the other party: its name, and in 001 its address. */
const PARTY = /^00[189]/;

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The three digits before a structured communication say what it is. */
function structured(text: string): { description: string; reference: string | null } {
  const [kind, content] = [at(text, 1, 3), text.slice(3)];
  if (kind === '101' || kind === '102') {
    const [, one, two, three] = /^(\d{3})(\d{4})(\d{5})/.exec(content) ?? [];
    const reference = one === undefined ? plain(content) : `+++${one}/${two}/${three}+++`;
    return { description: reference, reference };
  }
  // A direct debit: settlement date, codes, creditor, mandate and the text of the creditor.
  if (kind === '127') {
    const [mandate, communication] = [plain(at(content, 45, 79)), plain(at(content, 80, 141))];
    return { description: communication || mandate, reference: mandate || null };
  }
  return { description: plain(content), reference: null };
}
