import type { Country } from '../country.js';

export const poland: Country = {
  name: 'Polish',
  code: 'PL',
  given:
    'Bożydar Genowefa Zdzisława Mieczysław Kazimiera Wacław Dobrosława Kacper Oliwia Szymon Julia Katarzyna Piotr ' +
    'Anna Krzysztof Magdalena ' +
    'Halina Ryszard Bronisława Nikodem Maja Ludwik Jagoda Mykola Olena Igor Czesława Leszek Urszula Wit',
  family:
    'Nowak Kowalski Wiśniewska Wójcik Szczepaniak Brzęczyszczykiewicz Gołębiewska Pietrzykowski Mazur Żółkiewska ' +
    'Trzeciak Dębowska Krzemień ' +
    'Bednarz Wrona Jabłonowska Szewczenko Cichocka Grzesiak Świątek Pawłowicz Kuśmierczyk',
  stems: 'Brze Krzy Wierz Goł Dzie Strze Micha Lub Ostro Zby Chmie Rado',
  endings: 'zińska wski czak bowicz niak lecki szewska nowicz kała jczyk',
  names: ['G F', 'G F', 'F G', 'F G', 'F G', 'F G', 'G F', 'G F-F', 'g. F'],
  streets:
    'ul. Długa, ul. Jana Pawła II, al. Niepodległości, os. Kościuszki, pl. Wolności, ul. 3 Maja, ul. Mickiewicza, Słoneczna, ul. Polna, ' +
    'al. Solidarności, ul. Św. Marcin, Kwiatowa',
  towns: 'Poznań, Bielsko-Biała, Nowy Sącz, Gdańsk, Piła, Zielona Góra, Radom',
  addresses: [
    '{street} {house}, {zip} {town}',
    '{street} {house}/4, {zip} {town}',
    '{street} {house} M. 12 {zip} {town}',
    '{street} {house} {zip} {town}',
  ],
  zips: ['60-###', '00-###', '8*-###'],
  phones: ['501 ### ###', '+48 60# ### ###', '601######', '0048 50# ### ###', '22 4## ## ##'],
  dates: ['D.M.Y', 'Y-M-D'],
  firms:
    'Wodociągi Miejskie Sp. z o.o., Ubezpieczenia Lumora S.A., Urząd Miasta Zdrój, Piekarnia Kłos s.c., Hydraulika Mazur Sp. z o.o., ' +
    'Energia Północ S.A., Urząd Skarbowy Zdrój, Stomatologia Uśmiech Sp. z o.o., Wspólnota Mieszkaniowa Polna 4, ' +
    'Przedszkole Biedronka, Fundacja Jasny Dom',
  shops:
    'PIEKARNIA POD LIPA, Apteka Centralna, SKLEP SPOZYWCZY ZOSIA, STACJA PALIW A2, Ksiegarnia Slowo, RESTAURACJA KRESOWA, DELIKATESY 4417',
  months: 'styczeń luty marzec kwiecień maj czerwiec lipiec sierpień październik',
  lines: [
    'PRZELEW WYCHODZĄCY {person} UL. TYTUŁ: CZYNSZ {month}',
    '+PRZELEW PRZYCHODZĄCY OD {person}',
    'Przelew do {person} tytuł zwrot za obiad',
    'NADAWCA: {person} TYTUŁ: WPŁATA {number}',
    'ODBIORCA: {person} {address} TYTUŁ: CZYNSZ',
    'Przelew na telefon BLIK {phone} {person}',
    'BLIK P2P {person} {phone}',
    'BLIK NA TELEFON {phone}',
    'Wynagrodzenie {surname} {month} 2026',
    'WYNAGRODZENIE {surname}',
    'Pensja {surname} {month}',
    'Wypłata wynagrodzenia {surname}',
    'Zaliczka na wynagrodzenie {person}',
    'Premia {surname}',
    'Wynagrodzenie za {month} {surname}',
    'PESEL {id} {person}',
    'PESEL: {id} składka',
    '{person} PESEL {id} ur. {birth}',
    'urodzona {birth} {person} wpisowe',
    'Data urodzenia: {birth} {person}',
    'Pan {person} kaucja {address}',
    'Pani {surname} sprzątanie {month}',
    'Czynsz {address} {person}',
    'Zwrot dla {person}, {address}',
    'tel. {phone} {person} korepetycje',
    'Rachunek {account} {person}',
    'Na rachunek: {account} odbiorca {person}',
    '{person} | Czynsz {month} {address}',
    '+{person} | dziękuję za obiad {person}',
    '{person} {address} | przelew {number}',
    '/NAME/{person}/ADDR/{address}/REMI/CZYNSZ',
    'PayPal {email} prezent {person}',
    'Karta {card} wydana dla {person}',
    'IBAN {iban} {person} zaliczka',
    'Płatność kartą {shop} {town} {date}',
    'ZAKUP PRZY UŻYCIU KARTY {shop} {date}',
    '{shop} | Transakcja kartą {number}',
    '{firm} | Faktura {number}',
    'POLECENIE ZAPŁATY {firm} NR {reference}',
    'Przelew do {firm} faktura {number}',
    '+{firm} | WYNAGRODZENIE {month} {surname}',
    '{firm} | Polisa {number} {person}, {address}',
  ],
};
