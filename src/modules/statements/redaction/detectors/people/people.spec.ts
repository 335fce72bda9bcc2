import { describe, expect, it } from 'vitest';
import { maskText } from '../../masking.js';
import { plainText } from '../../finding.js';
import { textDetectors } from '../all.js';

/** The text with its findings replaced by their kinds. */
const look = (text: string) => maskText(plainText(text), textDetectors(), (kind) => `<${kind}>`).text;

describe('personal data in free text', () => {
  it.each([
    ['an Wojciech Szymanski', 'an <person>'],
    ['Mustermann, Max', '<person>'],
    ['Miete Mustermann, Max Januar', 'Miete <person> Januar'],
    ['fuer SVEN OLAFSSON', 'fuer <person>'],
    ['für Anna Miete', 'für <person> Miete'],
    ['M.Mustermann', '<person>'],
    ['W.P. Jansen', '<person>'],
    ['Mustermann, M.', '<person>'],
    ['PAYPAL *MAXMUSTER', 'PAYPAL *<person>'],
    ['SUMUP *ANNA KOWALSKA', 'SUMUP *<person>'],
    ['FPS, Joe Bloggs, Food', 'FPS, <person>, Food'],
    ['Miete von Frau Erika Muster', 'Miete von Frau <person>'],
    ['PRELEVEMENT DE MR OU MME XYZ', 'PRELEVEMENT DE MR OU MME <person>'],
    ['virement pour Aurélie Lefebvre', 'virement pour <person>'],
    ['transferencia para Lucía GARCÍA', 'transferencia para <person>'],
    ['betaling til Søren Kjær', 'betaling til <person>'],
    ['przelew od Małgorzata Wójcik', 'przelew od <person>'],
    ['Anna Kowalska czynsz', '<person> czynsz'],
    ['Beitrag ERIKA MUSTERFRAU', 'Beitrag <person>'],
    ['Lohn:Hamdi Zaunkönig:DE02120300000000202051', 'Lohn:<person>:<iban>'],
    ['NL91ABNA0417164300 j zaunkoning Salaris', '<iban> <person> Salaris'],
    ['DE02120300000000202051 hr abc zaunkoning Huur', '<iban> <person> Huur'],
    ['DLA: JAN ZAUNKOWIC TYT.: CZYNSZ', 'DLA: <person> TYT.: CZYNSZ'],
    ['Jan Kowalski', '<person>'],
    ['Alain BERTRAND', '<person>'],
    ['HANS ZAUNBERG, MALTA', '<person>, MALTA'],
    ['Kontaktlos Felix Zaunberg', 'Kontaktlos <person>'],
    ['VIREMENT DE M PHILIPPE ZAUNBERT', 'VIREMENT DE <person>'],
    ['Familie Zaunberg Miete', 'Familie <person> Miete'],
    ['geb. 01.02.1980', 'geb. <birth_date>'],
    ['DOB 1980-02-01', 'DOB <birth_date>'],
    ['né le 3 mars 1980', 'né le <birth_date>'],
    ['född 1980-02-01', 'född <birth_date>'],
    ['Max *01.02.1980', 'Max *<birth_date>'],
    ['passport C01X00T47', 'passport <document>'],
    ['Personalausweis Nr. L01X00T47', 'Personalausweis Nr. <document>'],
    ["carte d'identité 880692310285", "carte d'identité <document>"],
    ['driving licence MORGA 753116 SM9IJ', 'driving licence <document>'],
    ['030/1234567', '<phone>'],
    ['0151/23456789', '<phone>'],
    ['06 12 34 56 78 merci', '<phone> merci'],
    ['06-12345678', '<phone>'],
    ['070-123 45 67', '<phone>'],
    ['07911 123456', '<phone>'],
    ['212-555-0123', '<phone>'],
  ])('is found in: %s', (text, masked) => {
    expect(look(text)).toBe(masked);
  });

  it.each([
    'Zahlung an Deutsche Bahn',
    'CARD PAYMENT TO COFFEE CORNER',
    'CARTE JOHN LEWIS 1204 PARIS',
    'PAYPAL *SPOTIFY',
    'PAYPAL *ALIEXPRESS',
    'E.LECLERC CHATEAUROUX',
    'K.MICHEL GMBH',
    "C.A.F DE L'ESSONNE",
    'N.EMETTEUR: 003476',
    'Thomas Cook Reisen GmbH',
    'Christian Dior SA',
    'Voorbeeld B.V. Utrecht',
    'HOFER DANKT 0527 K2 18.09. 17:20',
    'Rechnung 01/2026 vom 12-03-2026',
    'REF 030/123',
    'Invoice 2026-01-05/123456',
    'Reisepass Fotos 12,50',
    'booked 01.02.1980',
    'VOTRE DON CRF',
    'Rent Jan 2026',
    'DLA: KLIENT WZOROWY SP. Z O.O. DLUGA 18',
    'Beitrag:Xanthippe Verein:DE00',
    'PRODUKTE:AWS EMEA:XX00123456789012345678',
    'Anna Topaz Hotel',
    'NL00ABNA0417164300 multi zaun bv Factuur',
    'NL00ABNA0417164300 naar spaarpot Gespaard',
    'Hans im Glück',
  ])('is not found in: %s', (text) => {
    expect(look(text)).toBe(plainText(text));
  });
});
