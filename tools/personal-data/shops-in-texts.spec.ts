import { describe, expect, it } from 'vitest';
import { keyOf, lineWith } from './fixtures/lines.js';
import { Redactor } from './redactor.js';

/** In a file without a column for the other party, as cards and many banks export it. */
const redacted = (description: string, isCardPayment?: boolean): string =>
  new Redactor(keyOf('r')).redact(lineWith({ description, amount: '-10.00', counterparty: null, isCardPayment })).description;

describe('a shop in the text of a line without a party', () => {
  it.each([
    'BLUE BOTTLE COFFEE',
    'XANTHIPPE ROASTERS LONDON',
    'Pendle Sandwiches',
    'Meridian Stationers',
    'Brightwater Plumbing',
    'Osteria Brighella',
    'Librería Cervantes',
    'Papelaria Camões',
    'Kwiaciarnia Róża',
    'Rösterei Linden',
    'Boulangerie Mirabeau',
    'Fietsenmaker Tulp',
    'Direct debit Northwind Traders',
  ])('stays readable, because rules need it: %s', (text) => {
    expect(redacted(text)).toBe(text);
  });

  it('stays readable whatever it is called on the bill of a card', () => {
    expect(redacted('OAKLEY DUNMORE', true)).toBe('OAKLEY DUNMORE');
    expect(redacted('OAKLEY DUNMORE')).toMatch(/^PERSON-/);
  });
});
