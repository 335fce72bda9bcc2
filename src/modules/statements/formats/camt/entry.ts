import { JobFailure } from '../../../../kernel/failure.js';
import { negated, plainDecimalOf, sumOf } from '../amounts.js';
import { leadingDayOf } from '../dates.js';
import { currencyOf, type LineDraft } from '../statement-line.js';
import { nodesAt, textAt, textOf, type XmlNode } from '../xml-node.js';

type Booked = Pick<LineDraft, 'account' | 'bookedOn' | 'currency'>;

/** `information` is about something that will not be booked at all. */
export function statusOf(entry: XmlNode): 'booked' | 'not booked' | 'information' {
  const status = textAt(entry, 'Sts/Cd', 'Sts');
  if (status === 'INFO') return 'information';
  return status === null || status === 'BOOK' ? 'booked' : 'not booked';
}

/** The lines of a booked entry: one for each transaction if their amounts add up to the amount of the entry, else one for itself. */
export function linesOf(entry: XmlNode, account: string | null, number: number, dayOfStatement: string | null): LineDraft[] {
  const bookedOn = leadingDayOf(textAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm') ?? dayOfStatement ?? '');
  if (!bookedOn) throw new JobFailure('invalid_date', `Entry ${number} has no valid booking date (BookgDt).`);
  const amount = signedAmountOf(entry, 'Amt');
  if (!amount) throw new JobFailure('invalid_amount', `Entry ${number} has no valid amount (Amt) and direction (CdtDbtInd).`);
  const booked: Booked = { account, bookedOn, currency: currencyOf(textAt(entry, 'Amt/@Ccy')) };
  const transactions = nodesAt(entry, 'NtryDtls/TxDtls');
  const amounts = transactions.length > 1 ? amountsOf(entry, transactions, booked.currency) : [];
  if (amounts.length > 0 && sumOf(amounts) === amount) {
    const references = bankReferencesOf(entry, transactions);
    return transactions.map((transaction, index) => ({
      ...booked,
      amount: amounts[index]!,
      ...aboutOf(entry, [transaction]),
      bankReference: references[index]!,
    }));
  }
  const [only] = transactions.length === 1 ? transactions : [];
  return [
    {
      ...booked,
      amount,
      ...aboutOf(entry, transactions),
      bankReference: textAt(entry, 'AcctSvcrRef') ?? (only ? textAt(only, 'Refs/AcctSvcrRef') : null),
    },
  ];
}

function signedAmountOf(node: XmlNode, path: string, otherwise?: XmlNode): string | null {
  const direction = textAt(node, 'CdtDbtInd') ?? (otherwise ? textAt(otherwise, 'CdtDbtInd') : null);
  const amount = plainDecimalOf(textAt(node, path) ?? '');
  if (!amount || (direction !== 'CRDT' && direction !== 'DBIT')) return null;
  return direction === 'DBIT' ? negated(amount) : amount;
}

/** None if one of them has no amount in the currency of the entry. Version 2 has it in another element than later versions. */
function amountsOf(entry: XmlNode, transactions: readonly XmlNode[], currency: string | null): string[] {
  const amounts = transactions.map((transaction) => {
    const path = ['Amt', 'AmtDtls/TxAmt/Amt'].find(
      (candidate) => textAt(transaction, candidate) && currencyOf(textAt(transaction, `${candidate}/@Ccy`)) === currency,
    );
    return path ? signedAmountOf(transaction, path, entry) : null;
  });
  return amounts.every((amount) => amount !== null) ? amounts : [];
}

/** The bank's ids of the transactions if each has its own, else that of the entry with a number. */
function bankReferencesOf(entry: XmlNode, transactions: readonly XmlNode[]): (string | null)[] {
  const own = transactions.map((transaction) => textAt(transaction, 'Refs/AcctSvcrRef'));
  if (own.every((reference) => reference !== null) && new Set(own).size === own.length) return own;
  const common = textAt(entry, 'AcctSvcrRef');
  return transactions.map((_transaction, index) => (common ? `${common}/${index + 1}` : null));
}

/** Several transactions in one line have no common counterparty; their purposes are joined. */
function aboutOf(entry: XmlNode, transactions: readonly XmlNode[]): Omit<LineDraft, keyof Booked | 'amount' | 'bankReference'> {
  const [first, ...others] = transactions;
  const purpose = transactions.map(remittanceOf).filter(Boolean).join(' ');
  const description = purpose || (textAt(entry, 'AddtlNtryInf') ?? (first ? textAt(first, 'AddtlTxInf') : null) ?? '');
  if (!first || others.length > 0)
    return { description, counterparty: null, counterpartyAccount: null, counterpartyAddress: null, reference: null };
  return { description, ...otherPartyOf(first, isPaidToUs(entry, first)), ...ofCard(entry, first), reference: referenceOf(first) };
}

/** The bank's code for card payments, of customers or of merchants. */
function ofCard(entry: XmlNode, transaction: XmlNode): Pick<LineDraft, 'isCardPayment'> {
  const family = textAt(transaction, 'BkTxCd/Domn/Fmly/Cd') ?? textAt(entry, 'BkTxCd/Domn/Fmly/Cd');
  return family === 'CCRD' || family === 'MCRD' ? { isCardPayment: true } : {};
}

/** A reversal has the parties of the reversed payment. */
function isPaidToUs(entry: XmlNode, transaction: XmlNode): boolean {
  const isCredit = (textAt(transaction, 'CdtDbtInd') ?? textAt(entry, 'CdtDbtInd')) === 'CRDT';
  return isCredit !== /^(true|1)$/.test(textAt(entry, 'RvslInd') ?? '');
}

type OtherParty = Pick<LineDraft, 'counterparty' | 'counterpartyAccount' | 'counterpartyAddress'>;

/** The other party. From version 8, a party is one level deeper. */
function otherPartyOf(transaction: XmlNode, isPaidToUs: boolean): OtherParty {
  const role = isPaidToUs ? 'Dbtr' : 'Cdtr';
  const parties = [`RltdPties/${role}`, `RltdPties/${role}/Pty`];
  const ultimate = [`RltdPties/Ultmt${role}`, `RltdPties/Ultmt${role}/Pty`];
  const account = `RltdPties/${role}Acct/Id`;
  return {
    counterparty: textAt(transaction, ...[...parties, ...ultimate].map((place) => `${place}/Nm`)),
    counterpartyAccount: textAt(transaction, `${account}/IBAN`, `${account}/Othr/Id`),
    counterpartyAddress:
      parties
        .flatMap((place) => nodesAt(transaction, `${place}/PstlAdr`))
        .map(addressOf)
        .find(Boolean) ?? null,
  };
}

function addressOf(address: XmlNode): string {
  const joined = (...names: readonly string[]): string => names.flatMap((name) => textAt(address, name) ?? []).join(' ');
  const [street, town] = [joined('StrtNm', 'BldgNb'), joined('PstCd', 'TwnNm')];
  return [...nodesAt(address, 'AdrLine').map(textOf), street, town, textAt(address, 'Ctry')].filter(Boolean).join(', ');
}

/** The payer's text, structured or not. */
function remittanceOf(transaction: XmlNode): string {
  const paths = ['Ustrd', 'Strd/RfrdDocInf/Nb', 'Strd/CdtrRefInf/Ref', 'Strd/AddtlRmtInf'];
  return paths
    .flatMap((path) => nodesAt(transaction, `RmtInf/${path}`))
    .map(textOf)
    .filter(Boolean)
    .join(' ');
}

function referenceOf(transaction: XmlNode): string | null {
  const endToEnd = textAt(transaction, 'Refs/EndToEndId');
  if (endToEnd && !/^NOT ?PROVIDED$/i.test(endToEnd)) return endToEnd;
  return textAt(transaction, 'RmtInf/Strd/CdtrRefInf/Ref', 'Refs/ChqNb');
}
