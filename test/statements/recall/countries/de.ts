import type { Country } from '../country.js';

export const germany: Country = {
  name: 'German',
  code: 'DE',
  given:
    'Annelore Gisela Traudl Friederike Lieselotte Mechthild Roswitha Henrike Svenja Wiebke Leonie Mathilda Jonas Lasse Thorben Eberhard ' +
    'Gottfried Hartmut Ulf Wolfram Reinhold Jannik Malte Felix Katharina Stefan Michael Sabine Petra Thomas Klaus-Dieter Karl-Heinz ' +
    'Anna-Lena Yusuf Ayşe Dragan Oksana Swetlana Enrico Leopold',
  family:
    'Müller Schmidt Weber Hoffmann Krause Lehmann Vogelsang Pfannkuch Zeisig Drechsler Kaltenbach Morgenroth Oehlschläger Nüßlein ' +
    'Quandt Rübsam Wachtmeister Strohbach Uhlenbrock Yılmaz Kowalczyk Petrović Nguyen von_Arnsfeld Lüdenscheidt Brömmelkamp Achterberg',
  stems: 'Kröm Stol Brunn Hage Wende Ziege Lauten Pfeffer Schim Grütz Knob Ober Nieder Tann',
  endings: 'mann hauer bach lich rieder stetter egger ler witz kamp',
  names: ['G F', 'G F', 'G F', 'G F', 'F G', 'F G', 'F, G', 'F, G', 'g. F', 'G F-F', 'G G F'],
  streets:
    'Lindenallee, Goethestr., Hauptstraße, Am Alten Markt, Zum Wiesengrund, Kirchgasse, Hinter der Mauer, Schillerplatz, Berliner Ring, ' +
    'An der Alster, Mühlenweg, Von-Stein-Straße, Im Winkel',
  towns: 'Musterhausen, Dresden, Bad Königshofen, Celle, Oberursel, Frankfurt am Main, Leer',
  addresses: ['{street} {house}, {zip} {town}', '{street} {house} {zip} {town}', '{street} {house}, D-{zip} {town}'],
  zips: ['*####', '0*###'],
  phones: ['0151 2345####', '+49 171 #######', '0049 30 4#####', '(030) 4#####', '0171/#######'],
  dates: ['D.M.Y'],
  firms:
    'Elektro Wiesner GmbH, Stadtwerke Hohenfels, Lumora Versicherung AG, Bäckerei Sonnentau, Finanzamt Hohenfels, ' +
    'Tischlerei Krug & Söhne OHG, ' +
    'Grünwald Immobilien GmbH & Co. KG, Turnverein Hohenfels e.V., Praxis am Marktplatz, Kita Regenbogen gGmbH, Hausverwaltung Eck GmbH',
  shops:
    'Blumenhaus Kästner, LANDMARKT HOHENFELS, Apotheke am Tor, TANKSTELLE NORDRING, Café Morgenstern, ' +
    'Buchhandlung Lesezeit, SUPERMARKT 4471',
  months: 'Januar Februar März April Juni Juli August Oktober November',
  lines: [
    'SEPA-ÜBERWEISUNG an {person} IBAN {iban} BIC COBADEFFXXX Miete {month}',
    'SVWZ+Miete {month} {person} EREF+NOTPROVIDED',
    '+Gutschrift {person} Rückzahlung Abendessen',
    'Gehalt {surname} {month} 2026',
    'Lohn/Gehalt {surname} {month}/26',
    'LOHN {surname} 03/2026 PERS.-NR. 00412',
    'Lohnzahlung {surname}',
    'Gehaltszahlung {month} {surname}',
    'Aushilfslohn {person} {month}',
    'Dauerauftrag {person} Taschengeld',
    'ECHTZEITÜBERWEISUNG AN {person}, {address}',
    'PayPal Geschenk für {person} {email}',
    'Kaution zurück {person} geb. {birth}, {address}',
    'Steuer-ID {id} {person}',
    'Rückruf Tel. {phone} Herr {surname}',
    'Honorar Frau Dr. {surname} Rechnung {number}',
    '{person} | Miete {address}',
    '{person} | Danke für den schönen Abend {person}',
    '+{person} | SVWZ+Untermiete {month} KREF+{reference}',
    '/NAME/{person}/IBAN/{iban}/REMI/Miete {month}',
    '/ORDP//NAME/{person}/ADDR/{address}//REMI//USTD//{number}/',
    'Wohngeld {person}, geboren am {birth}',
    'Auftraggeber: {person} Verwendungszweck: Urlaub Konto {iban}',
    'Unterhalt für {person} lt. Urteil {number}',
    'Erstattung an {surname}, {address}',
    'Empfänger: {person} Zweck: Kindergeld IdNr {id}',
    'Wero an {person} {phone}',
    'giropay {person} {email} Flohmarkt',
    '{person} | Geburtsdatum {birth} Beitrag',
    'Karte {card} ersetzt, Inhaber {person}',
    'Kartenzahlung {shop} {town} {date}',
    'girocard {shop} {date} 12:04 Terminal 54001234',
    '{shop} | VISA DEBITKARTE {number}',
    '{firm} | Rechnung {number}',
    'Lastschrift {firm} Mandat {reference} Abschlag {month}',
    'Überweisung an {firm} Rechnung {number} vom {date}',
    '{firm} | Kd.-Nr. {number} {person}, {address}',
    '+{firm} | Lohn {month} {surname}',
    '+{firm} | LOHN / GEHALT {month} {person}',
  ],
};
