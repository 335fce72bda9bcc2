import { declareStatementReader, JobFailure, plainDecimalOf, textsOf, type LineDraft } from '../../extension-computations.js';

const FIRST_LINE = 'PURCHASING CARD;';
const NONE = { counterpartyAccount: null, counterpartyAddress: null, bankReference: null };

// What the company of our purchasing cards sends: the number of the card, then a line for each purchase, which is money out.
//
// PURCHASING CARD;4929 0000 0000 0012
// 2026-02-02;12.50;EUR;Paper and Pens Ltd;Ten notebooks;PO-17
declareStatementReader(import.meta.url, {
  format: 'purchasing_card',
  recognizes: (head) => head.toString('latin1', 0, FIRST_LINE.length) === FIRST_LINE,
  read: (file) => ({ lines: linesIn(textsOf(file)), balances: () => [], period: () => null }),
});

async function* linesIn(texts: AsyncIterable<string>): AsyncGenerator<LineDraft[]> {
  let rest = '';
  let card: string | null = null;
  for await (const text of texts) {
    const rows = (rest + text).split('\n');
    rest = rows.pop()!;
    if (card === null && rows.length > 0) card = rows.shift()!.slice(FIRST_LINE.length);
    yield rows.filter(Boolean).map((row) => purchaseIn(row, card));
  }
  if (rest !== '' && card !== null) yield [purchaseIn(rest, card)];
}

function purchaseIn(row: string, account: string | null): LineDraft {
  const [bookedOn = '', written = '', currency = '', counterparty = '', description = '', order = ''] = row.split(';');
  const amount = plainDecimalOf(written, true);
  // No text of the file belongs into an error: it is not redacted yet.
  if (amount === null) throw new JobFailure('invalid_amount', 'A purchase has no amount such as 12.50.');
  return { ...NONE, account, bookedOn, amount, currency, counterparty, description, reference: order || null, isCardPayment: true };
}
