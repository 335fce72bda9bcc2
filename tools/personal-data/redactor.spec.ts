import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textDetectors } from './detectors/all.js';
import { keyOf, lineWith } from './fixtures/lines.js';
import { cards, emails, ibans, spaced } from './fixtures/numbers.js';
import { firstKindFound, searchableOfMasked } from './masking.js';
import { Redactor } from './redactor.js';
import { tokenOf } from './tokens/tokens.js';

const key = keyOf('a');
const redacted = (given: Parameters<typeof lineWith>[0]) => new Redactor(key).redact(lineWith(given));
const person = (name: string) => tokenOf(key, 'person', name);
const account = (number: string) => tokenOf(key, 'account', number);

describe('the fields of a line', () => {
  it('are masked by structure, whatever their checksums', () => {
    const redactor = new Redactor(key);
    const line = lineWith({
      account: '0532013000',
      counterparty: 'Jane Doe',
      counterpartyAccount: '12-34 5',
      counterpartyAddress: 'At home',
    });
    expect(redactor.redact(line)).toEqual({
      lineNumber: 7,
      account: `${account('0532013000')} (3000)`,
      bookedOn: '2026-03-02',
      amount: '-12.50',
      currency: 'EUR',
      description: 'Office supplies',
      counterparty: person('Jane Doe'),
      counterpartyAccount: account('12345'),
      reference: null,
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(redactor.counts).toEqual({ account: 2, person: 1, postal_address: 1 });
  });

  it.each(['123456789', '0703 12 34 56', '+46 70-312 34 56'])('mask a number in the place of the name, also of a shop: %s', (number) => {
    const line = redacted({ counterparty: number, description: 'Kortköp', isCardPayment: true });
    expect(line.counterparty).toBe(account(number));
    expect(redacted({ counterparty: '7-11', isCardPayment: true }).counterparty).toBe('7-11');
  });

  it('do not show the last digits of a short own account, and are null if they are empty', () => {
    expect(redacted({ account: '1234567' }).account).toBe(account('1234567'));
    expect(redacted({ account: ' - ', counterparty: ' ', counterpartyAccount: '', reference: '' })).toMatchObject({
      account: null,
      counterparty: null,
      counterpartyAccount: null,
      reference: null,
    });
  });

  it('keep the name of an organisation, but not the numbers in it', () => {
    expect(redacted({ counterparty: 'Muster Werkzeug GmbH DE02120300000000202051' }).counterparty).toBe(
      `Muster Werkzeug GmbH ${account('DE02120300000000202051')}`,
    );
    expect(redacted({ counterparty: 'Blumen Doe e.K.' }).counterparty).toBe(person('Blumen Doe e.K.'));
  });
});

describe('the counterparty, for an organization that turned its redaction off', () => {
  const kept = (counterparty: string) => new Redactor(key, { redactCounterparties: false }).redact(lineWith({ counterparty })).counterparty;

  it.each(['Coffee Corner', 'bunq', 'Agrolait', 'Muster Werkzeug GmbH'])('stays readable if it does not look like a person: %s', (name) => {
    expect(kept(name)).toBe(name);
  });

  it.each(['Jane Doe', 'SMITH JOHN', 'Mr Nobody Known', 'W. Koelewijn', 'Mustermann, Max', 'Blumen Doe e.K.'])(
    'is a token if it looks like a person: %s',
    (name) => {
      expect(kept(name)).toBe(person(name));
    },
  );
});

describe('the owner of the account', () => {
  it('is masked in the texts of a line with the token that the same name has as a counterparty', () => {
    const owner = 'Käthe Grünwald';
    const { description, reference } = redacted({ owner, description: 'Rent KAETHE GRUENWALD 12', reference: 'Grünwald, Käthe' });
    expect(description).toBe(`Rent ${person(owner)} 12`);
    expect(reference).toBe(person(owner));
  });

  it('stays readable if it is a company', () => {
    expect(redacted({ owner: 'Muster Werkzeug GmbH', description: 'an Muster Werkzeug GmbH' }).description).toBe('an Muster Werkzeug GmbH');
  });
});

describe('a company', () => {
  it('stays readable in the texts, too, if it is called like a person', () => {
    expect(
      redacted({ counterparty: 'Albert Heijn', description: 'an Albert Heijn für Max Mustermann', reference: 'ALBERT HEIJN' }),
    ).toMatchObject({
      counterparty: 'Albert Heijn',
      description: `an Albert Heijn für ${person('Max Mustermann')}`,
      reference: 'ALBERT HEIJN',
    });
  });

  it('is known by the payment by card', () => {
    const counterparty = 'XANTHIPPE ROASTERS';
    expect(redacted({ counterparty, isCardPayment: true }).counterparty).toBe(counterparty);
    expect(redacted({ counterparty, description: 'Kartenzahlung' }).counterparty).toBe(counterparty);
    expect(redacted({ counterparty, description: 'Miete' }).counterparty).toBe(person(counterparty));
  });
});

describe('what an organization has decided about a counterparty', () => {
  const decided = (name: string, as: 'company' | 'person') =>
    new Redactor(key, { redactCounterparties: true, decisions: new Map([[person(name), as]]) });

  it('holds for a name in a text, too, where it would be masked as doubtful', () => {
    for (const description of ['Transfer to Zaunbert Desirat', 'Zaunbert Desirat 12']) {
      const line = lineWith({ description });
      expect(new Redactor(key).redact(line).description).toContain('PERSON-');
      expect(decided('Zaunbert Desirat', 'company').redact(line).description).toBe(description);
    }
  });

  it('comes before all evidence, however the name is written', () => {
    const asCompany = decided('Erika Mustermann', 'company').redact(
      lineWith({ counterparty: 'MUSTERMANN, ERIKA', description: 'an Mustermann, Erika' }),
    );
    expect(asCompany).toMatchObject({ counterparty: 'MUSTERMANN, ERIKA', description: 'an Mustermann, Erika' });
    const asPerson = decided('Muster Werkzeug GmbH', 'person').redact(
      lineWith({ counterparty: 'Muster Werkzeug GmbH', description: 'Rechnung Muster Werkzeug GmbH' }),
    );
    const token = person('Muster Werkzeug GmbH');
    expect(asPerson).toMatchObject({ counterparty: token, description: `Rechnung ${token}` });
  });

  it('holds for its name only', () => {
    expect(decided('Erika Mustermann', 'company').redact(lineWith({ counterparty: 'Erika Muster' })).counterparty).toBe(
      person('Erika Muster'),
    );
  });
});

describe('the name of the other party', () => {
  it.each([
    'Jane Doe',
    'JANE  DOE',
    'Doe, Jane',
    'DOE JANE',
    'J. Doe',
    'Doe J',
    'JaneDoe',
    'Jane-Doe',
    'Ja ne Doe',
    'Mrs Jane Doe',
    'Jane\u200bDoe',
  ])('is also masked in the texts: %s', (written) => {
    const { description, reference } = redacted({
      counterparty: 'Mrs Jane Doe',
      description: `Rent ${written} March`,
      reference: `${written}/2026`,
    });
    for (const text of [description, reference]) {
      expect(text).toContain(person('Mrs Jane Doe'));
      expect(text).not.toMatch(/jane|doe/i);
    }
    expect(description).toMatch(/^Rent .*March$/);
  });

  it('is masked with and without its accents, and if it is one of two names', () => {
    for (const written of ['JURGEN MULLER', 'JUERGEN MUELLER', 'Müller Jürgen']) {
      expect(redacted({ counterparty: 'Jürgen Müller', description: `Rent ${written}` }).description).toBe(
        `Rent ${person('Jürgen Müller')}`,
      );
      expect(redacted({ counterparty: 'Juergen Mueller und Jane Doe', description: `Rent ${written}` }).description).not.toMatch(
        /m.+ller/i,
      );
    }
  });

  it('is masked whole where the field has only a part of it', () => {
    expect(redacted({ counterparty: 'Maria Garcia', description: 'Rent MARIA GARCIA LOPEZ March' }).description).toBe(
      `Rent ${person('Maria Garcia')} March`,
    );
    expect(redacted({ counterparty: 'Xanthippe Roasters', description: 'XANTHIPPE ROASTERS LONDON' }).description).toBe(
      `${person('Xanthippe Roasters')} LONDON`,
    );
  });

  it('is not masked within other words', () => {
    expect(redacted({ counterparty: 'Ann', description: 'Annual fee planned' }).description).toBe('Annual fee planned');
  });
});

describe('the accounts of a line', () => {
  it('are also masked in its texts: whole, or without bank and leading zeros', () => {
    const given = { account: 'DE02120300000000202051', counterpartyAccount: 'DE89370400440532013000' };
    const { description } = redacted({ ...given, description: 'IBAN DE89 3704 0044 0532 0130 00, no. 0532013000 or 532013000 to 202051' });
    const [own, other] = [account(given.account), account(given.counterpartyAccount)];
    expect(description).toBe(`IBAN ${other}, no. ${other} or ${other} to ${own}`);
  });

  it('are masked even with check digits before them', () => {
    expect(redacted({ counterpartyAccount: '40123/00998877665544', description: 'z 714012300998877665544 za' }).description).toBe(
      `z ${account('4012300998877665544')} za`,
    );
  });

  it('have the same token in free text as in a field', () => {
    expect(redacted({ description: 'KTO 55779911' }).description).toBe(
      `KTO ${redacted({ counterpartyAccount: '55779911' }).counterpartyAccount}`,
    );
  });

  it('and its address are masked without changing the rest of a text', () => {
    expect(redacted({ counterpartyAddress: '12 Example Row, Leeds', description: 'to 12 EXAMPLE ROW for 5 days' }).description).toBe(
      'to [ADDRESS] for 5 days',
    );
  });
});

describe('any line', () => {
  const names = fc.constantFrom('Jane Doe', 'Müller, Jürgen', 'Muster GmbH', 'Ana de la Cruz', 'X');
  const words = fc.constantFrom(
    'rent',
    'Rechnung',
    '2026',
    '12.03.2026',
    'an',
    'von',
    'Herr',
    'Name:',
    'Max Mustermann',
    'Tel',
    'acct',
    'Jane Doe',
    'MÜLLER JÜRGEN',
    '+',
    '/',
    '00',
    'Steuer-ID',
    '5 x 3,50',
    '\u200b',
    '🏠',
  );
  const secrets = fc.oneof(spaced(ibans), spaced(cards), emails);
  const texts = fc.array(fc.oneof(words, secrets, fc.string({ maxLength: 5 })), { maxLength: 12 }).map((parts) => parts.join(' '));
  const lines = fc.record({
    account: fc.option(ibans),
    counterparty: fc.option(names),
    counterpartyAccount: fc.option(ibans),
    description: texts,
    reference: fc.option(texts),
    amount: fc.constantFrom('0', '-1234.50', '4111111111111111.00'),
    bookedOn: fc.constantFrom('2026-02-28', '1999-12-31'),
  });

  it('has nothing left to find after redaction, and keeps its date and amount', () => {
    fc.assert(
      fc.property(lines, (given) => {
        const line = redacted(given);
        expect(line).toMatchObject({ amount: given.amount, bookedOn: given.bookedOn });
        for (const text of [line.description, line.reference ?? ''])
          expect(firstKindFound(searchableOfMasked(text), textDetectors())).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('has no five consecutive digits of a masked number left', () => {
    fc.assert(
      fc.property(ibans, ibans, cards, (own, other, card) => {
        const line = redacted({
          account: own,
          counterpartyAccount: other,
          description: `pay ${other.toLowerCase()} from ${own} with ${card}.`,
          reference: `${card} ${other}`,
        });
        const left = [line.description, line.reference, line.counterpartyAccount, line.account].join(' ');
        expect(left).not.toMatch(/\d{5}/);
      }),
    );
  });

  it.each(['Mr Jane Doe', '/NAME/JANE DOE/', 'von Hans Muster'])('has tokens that are not taken for names: %s', (description) => {
    const once = redacted({ description }).description;
    expect(once).toContain('PERSON-');
    expect(redacted({ description: once }).description).toBe(once);
  });

  it('keeps its texts when it is redacted again', () => {
    fc.assert(
      fc.property(lines, (given) => {
        const { description } = redacted(given);
        // The text of a line without a party may have its name, so a line with one stays such a line.
        const counterparty = given.counterparty && 'Example Ltd';
        expect(redacted({ description, counterparty }).description).toBe(description);
      }),
      { numRuns: 200 },
    );
  });
});
