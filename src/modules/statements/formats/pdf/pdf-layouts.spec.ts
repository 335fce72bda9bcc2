import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makePdf, type PdfLine } from '../fixtures/pdf.js';
import { readAll } from '../fixtures/reading.js';

interface Written {
  /** Days after 2 January 2026. */
  readonly day: number;
  readonly cents: number;
  readonly text: string;
  readonly more: readonly string[];
}

const bookings = fc
  .array(
    fc.record({
      day: fc.integer({ min: 0, max: 27 }),
      cents: fc.integer({ min: -9_999_999, max: 9_999_999 }).filter((cents) => cents !== 0),
      text: fc.constantFrom('Miete', 'VIR HETRE', 'Tea room 24', 'Übertrag auf Konto 7', 'Kurs 1,08', 'Total Tankstelle'),
      more: fc.array(fc.constantFrom('REF 4711', 'Ida Kranz', '12,00 netto', 'vom 3.2.'), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((all) => all.sort((one, other) => one.day - other.day));

const dateOf = (day: number): Date => new Date(Date.UTC(2026, 0, 2 + day));
const amountOf = (cents: number, locale: string): string =>
  (Math.abs(cents) / 100).toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).replace(/\s/g, ' ');
const two = (value: number): string => String(value).padStart(2, '0');
const german = (date: Date): string => `${two(date.getUTCDate())}.${two(date.getUTCMonth() + 1)}.`;
const english = (date: Date): string => `${two(date.getUTCDate())} ${date.toLocaleDateString('en', { month: 'short', timeZone: 'UTC' })}`;

interface Form {
  readonly name: string;
  readonly heading: PdfLine;
  readonly opening: (cents: number) => PdfLine;
  readonly closing: (cents: number) => PdfLine;
  readonly booking: (written: Written, balance: number) => PdfLine;
  readonly carried: (cents: number) => readonly [end: PdfLine, start: PdfLine];
}

const signed = (cents: number): string => `${amountOf(cents, 'de')}${cents < 0 ? '-' : '+'}`;

const FORMS: readonly Form[] = [
  {
    name: 'one column with signs after the amounts, and dates without a year',
    heading: [
      [50, 'Buchung'],
      [150, 'Verwendungszweck'],
      [-540, 'Betrag EUR'],
    ],
    opening: (cents) => [
      [150, 'Alter Saldo vom 01.01.2026'],
      [-540, signed(cents)],
    ],
    closing: (cents) => [
      [150, 'Neuer Saldo vom 31.01.2026'],
      [-540, signed(cents)],
    ],
    booking: ({ day, cents, text }) => [
      [50, german(dateOf(day))],
      [150, text],
      [-540, signed(cents)],
    ],
    carried: (cents) => [
      [
        [150, 'Übertrag'],
        [-540, signed(cents)],
      ],
      [
        [150, 'Übertrag'],
        [-540, signed(cents)],
      ],
    ],
  },
  {
    name: 'columns for debit and credit, and a balance after each booking',
    heading: [
      [50, 'Date'],
      [130, 'Details'],
      [-380, 'Paid out (£)'],
      [-460, 'Paid in (£)'],
      [-540, 'Balance (£)'],
    ],
    opening: (cents) => [
      [130, 'Opening balance'],
      [-540, `${cents < 0 ? '-' : ''}${amountOf(cents, 'en')}`],
    ],
    closing: (cents) => [
      [130, 'Closing balance on 31 Jan 2026'],
      [-540, `${cents < 0 ? '-' : ''}${amountOf(cents, 'en')}`],
    ],
    booking: ({ day, cents, text }, balance) => [
      [50, `${english(dateOf(day))} 2026`],
      [130, text],
      [cents < 0 ? -380 : -460, amountOf(cents, 'en')],
      [-540, `${amountOf(balance, 'en')}${balance < 0 ? ' DR' : ''}`],
    ],
    carried: () => [null, null],
  },
  {
    name: 'columns for debit and credit without balances in between',
    heading: [
      [50, 'Date'],
      [150, 'Libellé'],
      [-450, 'Débit'],
      [-540, 'Crédit'],
    ],
    opening: (cents) => [
      [150, 'Ancien solde au 01/01/2026'],
      [cents < 0 ? -450 : -540, amountOf(cents, 'fr')],
    ],
    closing: (cents) => [
      [150, 'Nouveau solde au 31/01/2026'],
      [cents < 0 ? -450 : -540, amountOf(cents, 'fr')],
    ],
    booking: ({ day, cents, text }) => [
      [50, german(dateOf(day)).slice(0, -1)],
      [150, text],
      [cents < 0 ? -450 : -540, amountOf(cents, 'fr')],
    ],
    carried: () => [null, null],
  },
];

const LINES_ON_PAGE = 40;

/** The pages of a statement, with a heading and a foot on each. */
function pagesOf(form: Form, opening: number, written: readonly Written[]): PdfLine[][] {
  const pages: PdfLine[][] = [[[[50, 'Bank Linde']], form.heading, form.opening(opening)]];
  const foot: PdfLine[] = [null, null, [[50, 'Hof 1, 12345 Linde']]];
  let balance = opening;
  for (const one of written) {
    balance += one.cents;
    const [end, start] = form.carried(balance - one.cents);
    if (pages.at(-1)!.length + one.more.length > LINES_ON_PAGE) {
      pages.at(-1)!.push(end, ...foot);
      pages.push([[[50, 'Bank Linde']], form.heading, start]);
    }
    pages.at(-1)!.push(form.booking(one, balance), ...one.more.map((text): PdfLine => [[150, text]]));
  }
  pages.at(-1)!.push(form.closing(balance), ...foot);
  return pages;
}

describe('a PDF is read with all its bookings, or refused:', () => {
  it.each(FORMS)('$name', async (form) => {
    let readable = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -100_000, max: 1_000_000 }), bookings, async (opening, written) => {
        const outcome = await readAll(await makePdf(pagesOf(form, opening, written))).catch(({ code }: { code?: string }) => code);
        if (typeof outcome !== 'object') {
          expect(outcome).toMatch(/^(pdf_|direction_unknown)/);
          return;
        }
        readable += 1;
        expect(outcome.lines.map(({ bookedOn, amount, description }) => [bookedOn, amount, description])).toEqual(
          written.map(({ day, cents, text, more }) => [
            dateOf(day).toISOString().slice(0, 10),
            (cents / 100).toFixed(2),
            [text, ...more].join(' '),
          ]),
        );
      }),
      { numRuns: 25 },
    );
    expect(readable).toBeGreaterThan(20);
  });
});
