import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskText } from '../../masking.js';
import { plainText } from '../../finding.js';
import { textDetectors } from '../all.js';

/** The text with its findings replaced by their kinds. */
const look = (text: string) => maskText(plainText(text), textDetectors(), (kind) => `<${kind}>`).text;

describe('a name is masked whole', () => {
  it.each([
    ['Ana Maria Garcia Lopez', '<person>'],
    ['Transferencia de Maria Garcia Lopez alquiler', 'Transferencia de <person> alquiler'],
    ['TRANSFERENCIA DE MARIA GARCIA LOPEZ', 'TRANSFERENCIA DE <person>'],
    ['Maria Garcia Etxeberria', '<person>'],
    ['Pago a Carmen Ruiz Lopez concepto comida', 'Pago a <person> concepto comida'],
    ['to Jane Smith Jones', 'to <person>'],
    ['Mr John Smith Warburton', 'Mr <person>'],
    ['Jane Anne Doe Fitzwilliam rent', '<person> rent'],
    ['Jan Willem van der Berg Kuipers', '<person>'],
    ['Empfänger Maria Garcia Lopez Rechnung', 'Empfänger <person> Rechnung'],
    ['PAYPAL *MARIA GARCIA LOPEZ', 'PAYPAL *<person>'],
    ['M. Garcia Lopez', '<person>'],
    ['Garcia Lopez, Maria', '<person>'],
    ['LOPEZ GARCIA MARIA DEL CARMEN', '<person>'],
    ['Silva Santos Pedro Miguel', '<person>'],
    ['DE VRIES GARCIA MARIA', '<person>'],
    ['MARIA DE VRIES', '<person>'],
    ['Pieter van Zwanenburg', '<person>'],
    ['Mustermann, Max Emil Otto', '<person>'],
    ['José da Silva Santos Costa', '<person>'],
    ['Miete Max und Erika Mustermann', 'Miete <person>'],
    ['Rent Jane Doe and John', 'Rent <person>'],
  ])('%s', (text, masked) => {
    expect(look(text)).toBe(masked);
  });

  it.each([
    ['Miete Erika Mustermann Berlin', 'Miete <person> Berlin'],
    ['Erika Mustermann Heizkostenabrechnung', '<person> Heizkostenabrechnung'],
    ['Erika Mustermann Kundenkennung 12345', '<person> Kundenkennung 12345'],
    ['ERIKA MUSTERMANN Nachhilfe', '<person> Nachhilfe'],
    ['Erika Mustermann EREF+12', '<person> EREF+12'],
    ['Erika Mustermann Netflix', '<person> Netflix'],
    ['Gehalt Erika Mustermann April', 'Gehalt <person> April'],
    ['to John Smith Ltd', 'to John Smith Ltd'],
    ['Maria Garcia Software GmbH', 'Maria Garcia Software GmbH'],
    ['Maria Garcia Hotel', '<person> Hotel'],
  ])('and what stands beside it is kept: %s', (text, masked) => {
    expect(look(text)).toBe(masked);
  });

  it('in a long list of given names, too', () => {
    expect(look(`Gift ${'Anna Maria Peter '.repeat(40)}2026`)).toBe('Gift <person> 2026');
  });

  const given = fc.constantFrom('Maria', 'Jürgen', 'Aoife', 'Wojciech', 'Giulia', 'Hans-Peter');
  const family = fc.constantFrom('Garcia', 'Müller', "O'Brien", 'Kowalski', 'Rossi', 'Lopez', 'de Vries', 'van den Berg', 'Smith-Jones');
  const single = family.filter((name) => !name.includes(' '));
  const rare = fc.constantFrom('Etxeberria', 'Zaunkönig', 'Warburton', 'Fitzwilliam', 'Szczepanik');
  const names = fc.oneof(
    fc.tuple(given, family, family),
    fc.tuple(given, family, rare),
    fc.tuple(given, given, family, family),
    fc.tuple(given, given, family, rare),
    fc.tuple(single, single, given),
    fc.tuple(single, single, given, given),
  );
  const contexts = fc.constantFrom('', 'Miete ', 'Transferencia de ', 'to ', 'Herr ', 'Name: ', 'virement pour ', '12.03. ', 'REF 12/');
  const purposes = fc.constantFrom('', ' 03/2026', ' Miete März', ' rent', '; invoice 12');

  it('whatever stands around it, in both orders, in capitals or not', () => {
    fc.assert(
      fc.property(names, contexts, purposes, fc.boolean(), (parts, before, after, isCapitals) => {
        const name = parts.join(' ');
        const text = look(`${before}${isCapitals ? name.toUpperCase() : name}${after}`);
        const left = parts.flatMap((part) => part.split(/[ -]/)).filter((part) => part.length > 3);
        for (const part of left) expect(text.toUpperCase()).not.toContain(part.toUpperCase());
        expect(text.endsWith(after)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
