import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskText } from '../masking.js';
import { plainText } from '../finding.js';
import { textDetectors } from './all.js';
import { mod97 } from '../../checksums/index.js';

/** The text with its findings replaced by their kinds. */
const look = (text: string) => maskText(plainText(text), textDetectors(), (kind) => `<${kind}>`).text;

describe('account numbers in the notation of their country', () => {
  it.each([
    ['Przelew na 89 1140 2004 0000 3202 1842 7531 czynsz', 'Przelew na <account> czynsz'],
    ['89114020040000320218427531', '<account>'],
    ['átutalás 11773016-00112235 közös', 'átutalás <account> közös'],
    ['11773016-00112233-00000002', '<account>'],
    ['11773016 00112233 00000002', '<account>'],
    ['platba 107-1234567899/0100', 'platba <account>'],
    ['z účtu 12345604/0800 nájem', 'z účtu <account> nájem'],
    ['1234567899/2010', '<account>'],
    ['Til konto 1234.56.12309', 'Til konto <account>'],
    ['1234 56 12309 husleie', '<account> husleie'],
    ['BG 5123-4565', 'BG <account>'],
    ['Bankgiro nr 51234565', 'Bankgiro nr <account>'],
    ['Plusgiro 12345-5', 'Plusgiro <account>'],
    ['clearingnr 8327-9, kto 123 456 789-0', 'clearingnr <account>'],
    ['Reg.nr. 1234 konto 1234567890', 'Reg.nr. <account>'],
    ['reg 1234 1234567890', 'reg <account>'],
    ['BSB 062-000 Acct 12345678', 'BSB <account>'],
    ['bsb: 062000 12345678', 'bsb: <account>'],
    ['ABA 021000021 / 000123456789', 'ABA 021000021 / <account>'],
    ['TBI 9876.12345-7IDA', 'TBI <account> IDA'],
    ['Číslo účtu: 2000145399', 'Číslo účtu: <account>'],
  ])('are found in: %s', (text, masked) => {
    expect(look(text).replace('<us_routing>', '021000021')).toBe(masked);
  });

  it.each([
    'Faktura 89114020040000320218427532',
    'Faktúra 11773017-00112233',
    'Rechnung 20260312-00012345',
    'TBI 9876.12345-8',
    'NF 987.654.321-01',
    'Doc 98765432100',
    'faktura 123456/2026',
    'doklad 12345604/2020',
    'objednávka 1234567899/0101',
    'VS 1234567899 KS 0308',
    'PO 1234.56.12345',
    'Rechnung 1234 56 78901',
    'BG Stockholm 2026',
    'PG 13 cinema 12',
    'Tax reg 2026 for 12 items',
    'region 1234 1234567890',
    '021000021 / 000123456789',
    'Umsatz 1.234.567,89 vom 12.03.2026',
    'Invoice 2026-03-12/00012345',
    'Order 062-000 12345678',
    '4500123456/0010',
  ])('are not found in: %s', (text) => {
    expect(look(text)).toBe(plainText(text));
  });

  it('of Poland are found however they are grouped, and with one wrong digit they are not', () => {
    const banks = fc.stringMatching(/^1[0-9]{23}$/);
    fc.assert(
      fc.property(banks, fc.boolean(), fc.integer({ min: 1, max: 9 }), (bank, isGrouped, error) => {
        const check = String(98 - mod97(`${bank}PL00`)).padStart(2, '0');
        const written = (digits: string) => (isGrouped ? digits.replace(/^(..)|(.{4})/g, '$1$2 ').trim() : digits);
        expect(look(`na ${written(check + bank)} czynsz`)).toBe('na <account> czynsz');
        const wrong = `${check}${(Number(bank[0]) + error) % 10}${bank.slice(1)}`;
        expect(look(`ref ${wrong}`)).not.toContain('<account>');
      }),
      { numRuns: 200 },
    );
  });
});
