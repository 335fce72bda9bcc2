import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cards, emails, ibans, spaced } from '../fixtures/numbers.js';
import { maskText } from '../masking.js';
import { plainText } from '../finding.js';
import { textDetectors } from './all.js';

/** The text with its findings replaced by their kinds. */
const look = (text: string) => maskText(plainText(text), textDetectors(), (kind) => `<${kind}>`).text;

const FOUND: readonly (readonly [string, string])[] = [
  ['IBANDE02120300000000202051BIC BYLADEM1001', 'IBAN <iban> BIC BYLADEM1001'],
  ['iban de02 1203 0000 0000 2020 51 rent', 'iban <iban> rent'],
  ['DE02-1203-0000-0000-2020-51', '<iban>'],
  ['DE0212030000000\n0202051 Rent', '<iban> Rent'],
  ['ＤＥ０２１２０３００００００００２０２０５１', '<iban>'],
  ['DE02\u200b1203\u200b0000\u200b0000\u200b2020\u200b51', '<iban>'],
  ['card 4111 1111 1111 1111 12.03.2026', 'card <card> 12.03.2026'],
  ['VISA4111-1111-1111-1111', 'VISA <card>'],
  ['sort code 20-00-00 account no. 55779911', 'sort code <uk_account>'],
  ['TO 20-00-00 55779911 RENT', 'TO <uk_account> RENT'],
  ['SC 200000 55779911', 'SC <uk_account>'],
  ['200000 A/C 55779911', '<uk_account>'],
  ['Routing number: 021000021', 'Routing number: <us_routing>'],
  ['ABA 021000021 ACCT 000123456789', 'ABA <us_routing> ACCT <account>'],
  ['Routing No. 058172391 12.03.2026', 'Routing No. <us_routing> 12.03.2026'],
  ['SC 364003 02373766', 'SC <uk_account>'],
  ['KTO 0532013000 BLZ 37040044', 'KTO <account> BLZ 37040044'],
  ['Kontonr.: 12345678', 'Kontonr.: <account>'],
  ['mail jane.doe+x@mail.example.co.uk.', 'mail <email>.'],
  ['jane.doe(at)example.com', '<email>'],
  ['Tel. 030 / 901820 12.03.2026', 'Tel. <phone> 12.03.2026'],
  ['call +44 20 7946 0958 now', 'call <phone> now'],
  ['MOBIL:0151-23456789', 'MOBIL:<phone>'],
  ['0049 30 901820', '<phone>'],
  ['(212) 555-0123', '<phone>'],
  ['NI AB 12 34 56 C', 'NI <national_id>'],
  ['SSN 123-45-6789', 'SSN <national_id>'],
  ['Steuer-ID 86 095 742 719', 'Steuer-ID <national_id>'],
  ['IdNr 45302855698 12.03.2026', 'IdNr <national_id> 12.03.2026'],
  ['BSN 111222333', 'BSN <national_id>'],
  ['DNI 12345678-Z', 'DNI <national_id>'],
  ['DOC 987.654.321-00', 'DOC <national_id>'],
  ['CPF 98765432100', 'CPF <national_id>'],
  ['Pix enviado - Ida Kranz 98765432100', 'Pix enviado - <person> <national_id>'],
  ['NIE X1234567L', 'NIE <national_id>'],
  ['RSSMRA85T10A562S', '<national_id>'],
  ['2 55 08 14 168 025 38', '<national_id>'],
  ['811228-9874', '<national_id>'],
  ['131052-308T', '<national_id>'],
  ['PESEL 44051401359', 'PESEL <national_id>'],
  ['85.07.30-033.28', '<national_id>'],
  ['756.9217.0769.85', '<national_id>'],
  ['Miete von Max Mustermann', 'Miete von <person>'],
  ['Internet-Überweisung Margit Beispiel Flohmarkt', 'Internet-Überweisung <person> Flohmarkt'],
  ['TRANSFER FROM JOHN Q PUBLIC', 'TRANSFER FROM <person>'],
  ['Frau Erika von Muster, Rechnung', 'Frau <person>, Rechnung'],
  ['/NAME/JANE DOE/REMI/RENT', '/NAME/<person>/REMI/RENT'],
  ['at 12 High Street, London SW1A 1AA', 'at <postal_address>'],
  ['350 Example Ave, Springfield, IL 62704', '<postal_address>'],
  ['Musterstr. 12a, 10115 Berlin', '<postal_address>'],
  ['Beispielgasse 3 1020 Wien', '<postal_address>'],
  ['Voorbeeldstraat 7, 1015 CJ Amsterdam', '<postal_address>'],
  ['12 bis rue des Exemples, 75002 Paris', '<postal_address>'],
];

const LEFT: readonly string[] = [
  'Rechnung Nr. 2026-104277 vom 12.03.2026, Kundennummer 918273640',
  'EREF+491701234567MREF+M0001234567890 SVWZ+Abschlag 2',
  'ORDER 4111111111111112 SHIPPED',
  'REF 94111111111111111',
  'DE03120300000000202051',
  'DE021203000000002020519',
  'REF 021000021',
  'routing 021000022',
  'ON 12-03-24 55779911',
  'INVOICE 12345678 OF 2026-03-12',
  'Steuer-ID 86095742718',
  'BSN 111222334',
  '12345678A',
  'RSSMRA85T10A562T',
  'PO 811228-9875',
  '2 widgets @ 5.00 each',
  'TO SAVINGS ACCOUNT FROM CURRENT ACCOUNT',
  'Mr Price Group Ltd',
  'Zahlung an Max Bahr GmbH',
  'Umsatzsteuer 19,00 % auf 1.234,56 EUR',
  'Part 12 Street 2026',
  'id 550e8400-e29b-41d4-a716-446655440000',
  'Mobilfunkrechnung 0170123456',
];

describe('the detectors', () => {
  it.each(FOUND)('find personal data in: %s', (text, masked) => {
    expect(look(text)).toBe(masked);
  });

  it.each(LEFT)('find nothing in: %s', (text) => {
    expect(look(text)).toBe(plainText(text));
  });

  it('find any IBAN, however it is spaced and whatever it is joined to', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.tuple(fc.constantFrom('', 'an: ', 'KREF+', '/'), spaced(ibans)), fc.tuple(fc.constantFrom('x', 'IBAN', '?31'), ibans)),
        fc.constantFrom('', ' ', 'BIC', ', 5'),
        fc.boolean(),
        ([before, iban], after, isLower) => {
          expect(look(`${before}${isLower ? iban.toLowerCase() : iban}${after}`).replace(/ (?=<)|(?<=>) /g, '')).toBe(
            `${before.trim()}<iban>${after.trim()}`,
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('find any card, however it is spaced', () => {
    fc.assert(
      fc.property(spaced(cards), fc.constantFrom('', 'PAN ', 'card:'), (card, before) => {
        expect(look(`${before}${card} paid`)).toBe(`${before}<card> paid`);
      }),
      // Its beginning is a valid account of Norway.
      { numRuns: 500, examples: [['3436 86\n22119 8411', '']] },
    );
  });

  it('hide all digits of a card and of an IBAN, also after words that announce another number', () => {
    const words = [
      ...['', 'konto ', 'acct no. ', 'clearing ', 'reg ', 'bg ', 'Tel. ', '+'],
      ...['Steuer-ID ', 'BSN ', 'sort code ', 'passport ', 'geb. '],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...words), fc.constantFrom('', '0', '12', '1234 '), fc.oneof(cards, ibans), (before, more, number) => {
        const grouped = number.replace(/.{4}(?=.)/g, '$& ');
        const shown = look(`${before}${more}${more === '' || more.endsWith(' ') ? '' : ' '}${grouped} paid`);
        expect(shown.replace(/^\D*(?:0|12|1234)(?!\d)/, '')).not.toMatch(/\d/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('find any e-mail address', () => {
    fc.assert(
      fc.property(emails, fc.constantFrom('', 'to ', 'mail:', '<'), (email, before) => {
        expect(look(`${before}${email} x`)).toBe(`${before}<email> x`);
      }),
    );
  });
});
