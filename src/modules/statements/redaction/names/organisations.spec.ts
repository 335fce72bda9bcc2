import { describe, expect, it } from 'vitest';
import { isOrganisation } from './organisations.js';

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
  ])('is recognized by its legal form: %s', (name) => {
    expect(isOrganisation(name)).toBe(true);
  });

  it.each(['Finanzamt Beispielstadt', 'HMRC VAT', 'BELASTINGDIENST', 'Agenzia delle Entrate'])('may be a public body: %s', (name) => {
    expect(isOrganisation(name)).toBe(true);
  });

  it.each(['Jane Doe', 'DOE JANE', 'Agnes Sagan', 'Limitedson Ida', 'Ag Nes', 'B.V. Jansen', 'Joao Sa', 'Coffee Corner'])(
    'is not recognized in a name without a legal form: %s',
    (name) => {
      expect(isOrganisation(name)).toBe(false);
    },
  );

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
