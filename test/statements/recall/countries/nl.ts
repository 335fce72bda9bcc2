import type { Country } from '../country.js';

export const netherlands: Country = {
  name: 'Dutch',
  code: 'NL',
  given:
    'Fenna Wietske Geertruida Joost Diederik Sjoerd Jelle Maartje Hendrika Cornelis Willemijn Bram Daan Lotte ' +
    'Sanne Pieter Johanna Mohamed ' +
    'Fatma Ewoud Rinske Tjeerd Hidde Aaltje Gijsbert Noor Thijs Machteld Ruud Ilse',
  family:
    'de_Jong Jansen Bakker van_den_Berg Visser Oosterhuis van_der_Meulen Hoogendijk ter_Haar Wiersma Kuipers ' +
    'Zonneveld Schuurmans van_Leeuwen ' +
    'Boonstra Nijhuis Ploeg Verstappen El_Idrissi Yıldız Wassenaar Roelofs van_’t_Hof Klaassen',
  stems: 'Ooster Mid Bron Heeme Schra Wal Kroe Noor Zand Vree Pols Kamp',
  endings: 'kamp stra huizen wijk ema man daal veld horst sma',
  names: ['G F', 'G F', 'g F', 'g F', 'G F', 'G F', 'g.g. F', 'F g', 'F, G', 'G F-F'],
  streets:
    'Dorpsstraat, Prinsengracht, Lange Voorhout, Kerkplein, Molenweg, Burgemeester Reigerlaan, ' +
    'De Savornin Lohmanstraat, Oude Kade, Singel, ' +
    'Vossendijk, Het Hoogt, Plantsoen Zuid',
  towns: 'Amersfoort, Den Haag, Alphen aan den Rijn, Zwolle, Bergen op Zoom, Heerlen, Sneek',
  addresses: [
    '{street} {house}, {zip} {town}',
    '{street} {house} {zip} {town}',
    '{street} {house}-2, {zip} {town}',
    '{street} {house}A {zip} {town}',
  ],
  zips: ['3*## @B', '1*##@D', '25## G@'],
  phones: ['06-2#######', '+31 6 4#######', '06 1#######', '0031 65#######', '070-4######'],
  dates: ['D-M-Y'],
  firms:
    'Waterbedrijf Noord B.V., Lumora Verzekeringen N.V., Gemeente Zonnedal, Bakkerij Wiersma, ' +
    'Loodgieter Kuipers BV, Stichting De Regenboog, ' +
    'Belastingdienst, Tandartspraktijk Lach, Energie Direkt Noord BV, Woningstichting Eigen Dak, Basisschool De Vlinder',
  shops: 'BAKKERIJ OP DE HOEK, Apotheek Centrum, SUPERMARKT ZUID 4411, Boekhandel Lezen, TANKSTATION A28, CAFE DE KROON, Bloemenhuis Tulp',
  months: 'januari februari maart april juni juli augustus oktober november',
  lines: [
    'SEPA Overboeking IBAN: {iban} BIC: RABONL2U Naam: {person} Omschrijving: huur {month}',
    '/TRTP/SEPA OVERBOEKING/IBAN/{iban}/BIC/INGBNL2A/NAME/{person}/REMI/HUUR {month}/EREF/NOTPROVIDED',
    'Naam: {person} Omschrijving: terugbetaling etentje IBAN: {iban} Kenmerk: {reference}',
    'Overboeking aan {person} huur',
    '+Overschrijving van {person}',
    'Tikkie ID {number}, {person}, van {iban}',
    'TIKKIE {person} borrel',
    'Betaalverzoek {person} ABN AMRO',
    'Salaris {surname} {month} 2026',
    'LOON {surname}',
    'SALARIS {month} {surname}',
    'Loonbetaling {surname} periode 3',
    'Voorschot salaris {person}',
    'Vakantiegeld {surname}',
    'BSN {id} {person}',
    'Burgerservicenummer: {id} toeslag',
    'Dhr. {person} borg {address}',
    'Mevr. {surname} schoonmaak {month}',
    'HR {person} VERJAARDAG',
    'Fam. {surname} oppas',
    'geboren op {birth} {person} contributie',
    'Geboortedatum {birth} {person}',
    'Huur {address} {person}',
    'Terugbetaling aan {person}, {address}',
    'Tel {phone} {person} bijles',
    'Bel {phone} voor sleutel',
    '{person} | Huur {month} {address}',
    '+{person} | dank voor het eten {person}',
    '{person} | iDEAL {reference}',
    '/ORDP//NAME/{person}/ADDR/{address}//REMI//HUUR/',
    'PayPal {email} cadeau {person}',
    'Pas {card} vervangen, houder {person}',
    'Begunstigde: {person} rekening {iban}',
    'Alimentatie {person} {month}',
    'BEA, Betaalpas {shop},PAS123 NR:XJ22K1 {date}',
    'Betaalautomaat {shop} {town} {date}',
    '{shop} | Pinbetaling {number}',
    '{firm} | Factuur {number}',
    'SEPA Incasso algemeen doorlopend Incassant: NL12ZZZ{number} Naam: {firm} Machtiging: {reference}',
    'Overboeking naar {firm} factuur {number}',
    '+{firm} | SALARIS {month} {surname}',
    '{firm} | Polis {number} {person}, {address}',
  ],
};
