import { JobFailure } from '../../../../kernel/failure.js';
import { decimalOf } from '../amounts.js';
import { leadingDayOf } from '../dates.js';
import { currencyOf, type LineDraft } from '../line-draft.js';

/** Values by the aggregate that they stand in and their own name, such as `STMTTRN.TRNAMT`. */
export type Values = ReadonlyMap<string, string>;

/** What the statement says of all its transactions. */
export interface StatementHead {
  readonly account: string | null;
  readonly currency: string | null;
}

const ADDRESS = ['ADDR1', 'ADDR2', 'ADDR3', 'POSTALCODE', 'CITY', 'STATE', 'COUNTRY'];
/** Written where there is no cheque. */
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
    reference: cheque && !NO_NUMBER.test(cheque) ? cheque : textOf('STMTTRN.REFNUM'),
    bankReference: textOf('STMTTRN.FITID'),
  };
}

/**
 * OFX has a point or a comma before the places and nothing between thousands. Some banks write those all the same: then the
 * last sign of two kinds is the one before the places, and a lone comma before three digits could be either.
 */
export function amountOf(text: string, place: string, field: string): string {
  const [, sign, digits = ''] = /^([+-]?)([\d.,]{1,40})$/.exec(text.replace(/\s/g, '')) ?? [];
  const [, whole, , fraction = ''] = /^(\d*|\d{1,3}(?:,\d{3})+(?=\.)|\d{1,3}(?:\.\d{3})+(?=,))(?:([.,])(\d*))?$/.exec(digits) ?? [];
  const amount = whole === undefined || !/\d/.test(digits) ? null : decimalOf(sign === '-', whole.replace(/[.,]/g, ''), fraction);
  if (!amount) throw new JobFailure('invalid_amount', `${place} has no valid amount in ${field}.`);
  if (/^\d{1,3},\d{3}$/.test(digits) && !digits.startsWith('0'))
    throw new JobFailure(
      'ambiguous_amount',
      `${place} has an amount in ${field} whose comma may stand before thousands or before decimals.`,
    );
  return amount;
}
