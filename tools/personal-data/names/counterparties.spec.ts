import { describe, expect, it } from 'vitest';
import { circumstancesOf, verdictOn } from './counterparties.js';

/** On a line that says nothing but the name, of money that was received. */
const isOrganisation = (name: string) => verdictOn(name, circumstancesOf('', false)) === 'company';

describe('an organisation', () => {
  it.each([
    'Muster Werkzeug GmbH',
    'MUSTER WERKZEUG GMBH & CO. KG',
    'Nordwind AG',
    'Kleintierzucht Beispielstadt e.V.',
    'Northwind Ltd',
    'NORTHWIND TRADING LIMITED',
    'Northwind Holdings PLC',
    'Contoso, Inc.',
    'Contoso LLC',
    'Voorbeeld B.V.',
    'Voorbeeld BV',
    'Exemple SARL',
    'Exemple S.A.',
    'EXEMPLE SA',
    'Esempio S.r.l.',
    'Esempio SpA',
    'Ejemplo S.L.',
    'Exempel AB',
    'Eksempel A/S',
    'Esimerkki Oy',
    'Beispiel KabelGmbH',
    'ZAUNBERT NAMUR SPRL',
    'Zaunbert & Co',
    'Zaunbert and Sons',
  ])('is recognized by its legal form: %s', (name) => {
    expect(isOrganisation(name)).toBe(true);
  });

  it.each(['Finanzamt Beispielstadt', 'HMRC VAT', 'BELASTINGDIENST', 'Agenzia delle Entrate'])('may be a public body: %s', (name) => {
    expect(isOrganisation(name)).toBe(true);
  });

  it.each([
    'Jane Doe',
    'DOE JANE',
    'Agnes Sagan',
    'Limitedson Ida',
    'Ida & Cora Zaunbert',
    'Ida and Sonsy',
    'Ag Nes',
    'B.V. Jansen',
    'Joao Sa',
  ])('is not recognized in a name without a legal form: %s', (name) => {
    expect(isOrganisation(name)).toBe(false);
  });

  it.each(['Jane Doe e.K.', 'Blumen Doe e. K.', 'Blumenhaus Inh. Jane Doe', 'Jane Doe t/a Northwind Ltd', 'Jane Doe c/o Muster GmbH'])(
    'is not a person who trades under a business name: %s',
    (name) => {
      expect(isOrganisation(name)).toBe(false);
    },
  );
});

describe('an organisation without a legal form', () => {
  it.each(['NETFLIX.COM', 'NINTENDO OF EUROPE', 'Drogeriemarkt Nord', 'Stadtwerke Beispielstadt', 'Example Insurance', 'Hotel Seeblick'])(
    'is recognized by a site or by a word that only organisations have: %s',
    (name) => {
      expect(isOrganisation(name)).toBe(true);
    },
  );

  it.each(['Hotel Anna Müller', 'max.de Max Mustermann', 'Studio Erika Muster'])('is not one with the name of a person: %s', (name) => {
    expect(isOrganisation(name)).toBe(false);
  });
});

const verdictOf = (name: string, { text = '', isPaidOut = true, isCardPayment = false } = {}) =>
  verdictOn(name, circumstancesOf(text, isPaidOut, isCardPayment));

describe('a well-known business', () => {
  it.each([
    'Pret A Manger',
    'PRET A MANGER LONDON GB',
    'Albert Heijn 1234',
    'MCDONALD’S',
    'H&M Online',
    'CARD PAYMENT TO TESCO STORES 2045',
    'POS 1203 CARREFOUR CITY',
    'CLOUDFLARE',
    'SPOTIFY P2C4B6',
    'PAYPAL *SPOTIFY',
    'Hilton London',
    'żabka z1234',
  ])('is a company: %s', (name) => {
    expect(verdictOf(name, { isPaidOut: false })).toBe('company');
  });

  it.each([
    'Hilton Paris Whitcombe',
    'John Lewis',
    'Müller',
    'Müller Jürgen',
    'Amazon Erika Mustermann',
    'Hema Patel',
    'Zara Qureshi',
    'Otto Wagner',
    'H M Patel',
    'Thalia Etxeberria',
  ])('is none if a person may be called like it: %s', (name) => {
    expect(verdictOf(name)).toBe('person');
  });
});

describe('a payment by card or direct debit', () => {
  it.each([
    ['JOHN LEWIS LEEDS', 'Card payment'],
    ['MUELLER 2045 BERLIN', 'Kartenzahlung girocard'],
    ['BOUL DUPONT', 'CARTE 12/03'],
    ['Xanthippe', 'BEA, Betaalpas 12.03.26 pas 014'],
    ['Xanthippe', 'PAGO CON TARJETA'],
    ['Xanthippe', 'pagamento PAGOBANCOMAT'],
    ['Xanthippe', 'Zakup kartą'],
    ['CAFE ANNA', 'POS'],
    ['Xanthippe', 'Terminal 88213 MCC 5812'],
    ['EDEKA SCHMIDT', 'girocard'],
    ['PRLV SEPA XANTHIPPE', ''],
    ['Xanthippe Verde', 'SEPA-Lastschrift Beitrag'],
    ['Xanthippe', 'Xanthippe Gouda, NL'],
  ])('goes to a company: %s, %s', (name, text) => {
    expect(verdictOf(name, { text })).toBe('company');
    expect(verdictOf(name, { text, isPaidOut: false })).toBe('person');
  });

  it('is also one if the file says so outside of its texts, or a terminal wrote the name', () => {
    expect(verdictOf('XANTHIPPE ROASTERS', { isCardPayment: true })).toBe('company');
    expect(verdictOf('TST* XANTHIPPE')).toBe('company');
    expect(verdictOf('XANTHIPPE ROASTERS')).toBe('person');
  });

  it.each([
    ['MARIA GARCIA', 'card payment'],
    ['Erika Mustermann', 'Kartenzahlung'],
    ['SUMUP *ANNA KOWALSKA', 'girocard'],
    ['PAYPAL *MAXMUSTER', 'Visa'],
    ['Xanthippe', 'Overboeking, kosten visa'],
    ['Jane Doe e.K.', 'girocard'],
  ])('does not make a company of the name of a person: %s, %s', (name, text) => {
    expect(verdictOf(name, { text })).toBe('person');
  });
});

describe('the descriptor of a shop', () => {
  it.each(['XANTHIPPE 1234', 'XANTHIPPE #042', 'XANTHIPPE SAN FRANCISCO CA', 'Xanthippe Roasters Milano IT'])('%s', (name) => {
    expect(verdictOf(name)).toBe('company');
    expect(verdictOf(name, { isPaidOut: false })).toBe('person');
    expect(verdictOf(name, { text: 'Zelle' })).toBe('person');
  });

  it.each(['SMITH JOHN 1234', 'Xanthippe Klementz', 'Xanthippe Klementz Berlin', 'XANTHIPPE 2026', 'XANTHIPPE 12/03/2026'])(
    'not: %s',
    (name) => {
      expect(verdictOf(name)).toBe('person');
    },
  );
});
