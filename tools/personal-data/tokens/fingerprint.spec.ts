import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../redactor.js';
import { plainText } from '../finding.js';
import { keyOf, lineWith } from '../fixtures/lines.js';

const key = keyOf('a');
const line = lineWith({
  account: 'DE02120300000000202051',
  counterparty: 'Jane Doe',
  counterpartyAccount: '20-00-00 55779911',
  reference: 'Rent',
});
const same = (change: Partial<typeof line>) => fingerprintOf({ ...line, ...change }, key) === fingerprintOf(line, key);

describe('a fingerprint', () => {
  it('is 32 hex digits, and different with another key', () => {
    expect(fingerprintOf(line, key)).toMatch(/^[0-9a-f]{32}$/);
    expect(fingerprintOf(line, keyOf('b'))).not.toBe(fingerprintOf(line, key));
  });

  it('is the same wherever the line is in the file and however the bank writes it', () => {
    expect(same({ lineNumber: 99 })).toBe(true);
    expect(
      same({
        account: 'de02 1203 0000 0000 2020 51',
        amount: '-012.5',
        description: ' OFFICE  supplies',
        counterparty: 'JANE DOE',
        counterpartyAccount: '200000 55779911',
      }),
    ).toBe(true);
  });

  it('is made of the text as the bank wrote it, though words that it glued are parted to be searched', () => {
    const glued = { ...line, description: 'Jane DoeSEPA-ÜBERWEISUNG' };
    expect(plainText(glued.description)).toBe('Jane Doe SEPA-ÜBERWEISUNG');
    expect(fingerprintOf(glued, key)).not.toBe(fingerprintOf({ ...glued, description: plainText(glued.description) }, key));
  });

  it.each([
    { account: null },
    { bookedOn: '2026-03-03' },
    { amount: '12.50' },
    { amount: '-12.51' },
    { currency: 'USD' },
    { description: 'Office' },
    { counterparty: 'John Doe' },
    { counterpartyAccount: null },
    { reference: null },
  ])('is different if the booking has %j', (change) => {
    expect(same(change)).toBe(false);
  });

  it('uses the bank’s id of the booking if there is one', () => {
    const booked = (change: Partial<typeof line>) => fingerprintOf({ ...line, bankReference: 'B-1', ...change }, key);
    expect(booked({ description: 'Something else', reference: null })).toBe(booked({}));
    expect(booked({ bankReference: 'B-2' })).not.toBe(booked({}));
    expect(booked({ amount: '-12.51' })).not.toBe(booked({}));
  });

  it.each([
    ['0.00', '-0'],
    ['100', '100.0'],
    ['-5.10', '-5.1'],
  ])('is the same for the amounts %s and %s', (one, other) => {
    expect(fingerprintOf({ ...line, amount: one }, key)).toBe(fingerprintOf({ ...line, amount: other }, key));
  });
});
