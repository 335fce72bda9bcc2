import { JobFailure } from '../../../../kernel/failure.js';
import { decimalOf } from '../amounts.js';
import { leadingDayOf } from '../dates.js';
import { currencyOf, type LineDraft } from '../line-draft.js';

/** Values by aggregate and name, such as `STMTTRN.TRNAMT`. */
export type Values = ReadonlyMap<string, string>;

/** What applies to all transactions of a statement. */
export interface StatementHead {
  readonly account: string | null;
  readonly currency: string | null;
  readonly isOfCreditCard: boolean;
}

const ADDRESS = ['ADDR1', 'ADDR2', 'ADDR3', 'POSTALCODE', 'CITY', 'STATE', 'COUNTRY'];
/** Banks write this if there is no cheque. */
const NO_NUMBER = /^0*$/;

export function lineOf(values: Values, head: StatementHead, number: number): LineDraft {
  const textOf = (...names: string[]): string | null => names.map((name) => values.get(name)).find(Boolean) ?? null;
  const bookedOn = leadingDayOf(textOf('STMTTRN.DTPOSTED') ?? '');
  if (!bookedOn) throw new JobFailure('invalid_date', `Transaction ${number} has no valid date in DTPOSTED.`);
  const counterparty = textOf('STMTTRN.NAME', 'PAYEE.NAME');
  const cheque = textOf('STMTTRN.CHECKNUM');
  return {
    account: head.account,
    bookedOn,
    amount: amountOf(textOf('STMTTRN.TRNAMT') ?? '', `Transaction ${number}`, 'TRNAMT'),
    currency: currencyOf(values.get('CURRENCY.CURSYM')) ?? head.currency,
    description: textOf('STMTTRN.MEMO') ?? counterparty ?? textOf('STMTTRN.TRNTYPE') ?? '',
    counterparty,
    counterpartyAccount: textOf('BANKACCTTO.ACCTID', 'CCACCTTO.ACCTID'),
    counterpartyAddress:
      ADDRESS.map((name) => values.get(`PAYEE.${name}`))
        .filter(Boolean)
        .join(', ') || null,
    // SIC is the trade of a merchant.
    isCardPayment: head.isOfCreditCard || textOf('STMTTRN.TRNTYPE') === 'POS' || textOf('STMTTRN.SIC') !== null || undefined,
    reference: cheque && !NO_NUMBER.test(cheque) ? cheque : textOf('STMTTRN.REFNUM'),
    bankReference: textOf('STMTTRN.FITID'),
  };
}

/**
 * OFX has a point or a comma before the decimals and no thousands separators. Some banks write those anyway: then the last of two
 * different separators is the decimal one, and a single comma before three digits is ambiguous.
 */
export function amountOf(text: string, subject: string, field: string): string {
  const [, sign, digits = ''] = /^([+-]?)([\d.,]{1,40})$/.exec(text.replace(/\s/g, '')) ?? [];
  const [, whole, , fraction = ''] = /^(\d*|\d{1,3}(?:,\d{3})+(?=\.)|\d{1,3}(?:\.\d{3})+(?=,))(?:([.,])(\d*))?$/.exec(digits) ?? [];
  const amount = whole === undefined || !/\d/.test(digits) ? null : decimalOf(sign === '-', whole.replace(/[.,]/g, ''), fraction);
  if (!amount) throw new JobFailure('invalid_amount', `${subject} has no valid amount in ${field}.`);
  if (/^\d{1,3},\d{3}$/.test(digits) && !digits.startsWith('0'))
    throw new JobFailure(
      'ambiguous_amount',
      `${subject} has an amount in ${field} with a comma that can be a thousands or a decimal separator.`,
    );
  return amount;
}
