import type { Country } from '../country.js';

export const sweden: Country = {
  name: 'Swedish',
  code: 'SE',
  given:
    'Gunnel Torbjörn Ingegerd Sixten Alva Hjalmar Märta Britt-Marie Lennart Ebba Wilma Elsa Erik Anna Lars Karin ' +
    'Mikael Fatima Ahmed Ylva ' +
    'Rutger Solveig Tage Linnéa Nils Viggo Signe Börje Saga Malin',
  family:
    'Andersson Johansson Lindqvist Bergkvist Ståhlberg Åkerlund Sjögren Hedenstierna Ljungkvist Rosengren ' +
    'Wallander Öhman Dahlgren Norrby ' +
    'Tornqvist Mohamed Hassan Ekdahl Grönvall Silfverberg Björklund Ahlgren',
  stems: 'Ny Has Fager Lilje Sten Ceder Vret Kall Sand Hell Ro Blom',
  endings: 'qvist blad ström fors dahl ander stedt lind gren vik',
  names: ['G F', 'G F', 'F G', 'F G', 'G F', 'G F', 'F, G', 'G F-F', 'g F'],
  streets:
    'Storgatan, Lillvägen, Sveavägen, Kyrkogatan, Västra Hamngatan, Björkstigen, Drottninggränd, Stora Torget, ' +
    'Karl Johans gata, Skolgången, ' +
    'Parkallén, Solbacken',
  towns: 'Uppsala, Södertälje, Västra Frölunda, Kalmar, Skellefteå, Lund, Upplands Väsby',
  addresses: [
    '{street} {house}, {zip} {town}',
    '{street} {house} {zip} {town}',
    '{street} {house} B lgh 1201, {zip} {town}',
    '{street} {house}A, SE-{zip} {town}',
  ],
  zips: ['75* ##', '11### ', '4## ##'],
  phones: ['070-### ## ##', '+46 70 ### ## ##', '073#######', '0046 70 #######', '070 ### ## ##'],
  dates: ['Y-M-D'],
  firms:
    'Vattenverket Norr AB, Lumora Försäkring AB, Zonby kommun, Bageri Kornet HB, Rörmokare Dahlgren AB, Elkraft Syd AB, Skatteverket, ' +
    'Tandläkarna Leendet AB, Bostadsrättsföreningen Eken, Förskolan Nyckelpigan, Zonby Idrottsförening',
  shops:
    'BAGERIET PA HORNET, Apoteket Svanen, MATBUTIKEN ZONBY, BENSINSTATION E4, Bokhandeln Ordet, RESTAURANG KROGEN, Blomsterhandeln Rosen',
  months: 'januari februari mars april juni juli augusti oktober november',
  lines: [
    'Överföring till {person}',
    '+Överföring från {person}',
    'Swish till {person} {phone}',
    '+SWISH FRÅN {person}',
    'Swish {phone} {person} middag',
    'SWISH BETALNING {phone}',
    'Swish betalning {person}',
    'Lön {surname} {month} 2026',
    'LÖN {surname}',
    'Löneutbetalning {surname} {month}',
    'Lön {month} {surname}',
    'Semesterlön {surname}',
    'Förskott lön {person}',
    'Personnr {id} {person}',
    'Personnummer: {id} avgift',
    'pnr {id} {person}',
    'Autogiro hyra {person} {address}',
    'Hyra {person} {address}',
    'född {birth} {person} medlemsavgift',
    'Födelsedatum {birth} {person}',
    'Återbetalning till {person}, {address}',
    'Fru {surname} städning {month}',
    'Herr {person} deposition',
    'tel {phone} {person} lektion',
    'Mobil {phone} nycklar',
    'Mottagare: {person} Bankgiro {account}',
    'BG {account} {person}',
    'Avsändare: {person} ref {reference}',
    '{person} | Hyra {month} {address}',
    '+{person} | tack för maten {person}',
    '{person} | Swish {phone}',
    '/NAME/{person}/ADDR/{address}/REMI/HYRA',
    'PayPal {email} present {person}',
    'Kort {card} innehavare {person}',
    'IBAN {iban} {person} handpenning',
    'Kortköp {date} {shop} {town}',
    'KORTKÖP {shop}',
    '{shop} | Kortbetalning {number}',
    '{firm} | Faktura {number}',
    'AUTOGIRO {firm} {reference}',
    'Bg-bet. {firm} OCR {number}',
    '+{firm} | LÖN {month} {surname}',
    '{firm} | Försäkring {number} {person}, {address}',
  ],
};

export const finland: Country = {
  name: 'Finnish',
  code: 'FI',
  given:
    'Aino Väinö Eeva-Liisa Tuulikki Onni Helmi Matti Marja Juhani Kaarina Pekka Tiina Sami Hilkka Urho Lempi Eino ' +
    'Saara Ville Anneli Taavi ' +
    'Aleksi Fatima Ilona Reijo Tellervo Veikko Senja',
  family:
    'Korhonen Virtanen Nieminen Hakkarainen Pöyhönen Kukkonen Rautiainen Tikkanen Myllymäki Ylönen Saarelainen ' +
    'Räsänen Kettunen Luukkanen ' +
    'Hirvonen Lehtovaara Ojansuu Granqvist Nyberg Sipilä Turunen',
  stems: 'Kari Vuo Hau Pelto Ilma Rau Mus Kas Ter Jän Suo Ruo',
  endings: 'kainen mäki salo ranta nkoski lampi niemi rinen vesi harju',
  names: ['G F', 'G F', 'F G', 'F G', 'F G', 'F G', 'G F-F'],
  streets: 'Mannerheimintie, Koivukuja, Satamakatu, Rantatie, Kirkkopolku, Puistokatu, Harjukatu, Mäkitie, Kauppatori, Lehtoraitti',
  towns: 'Tampere, Espoo, Hämeenlinna, Oulu, Kuopio, Pori, Rauma',
  addresses: ['{street} {house}, {zip} {town}', '{street} {house} A 12, {zip} {town}', '{street} {house} {zip} {town}'],
  zips: ['00*##', '33###', '90###'],
  phones: ['040 ### ####', '+358 40 #######', '050#######', '040-#######'],
  dates: ['D.M.Y'],
  firms:
    'Vesilaitos Pohja Oy, Lumora Vakuutus Oyj, Zonkylän kaupunki, Leipomo Jyvä Oy, Putkiliike Kettunen Oy, ' +
    'Sähkö Etelä Oyj, Verohallinto, ' +
    'Hammaslääkärit Hymy Oy, Asunto Oy Koivula, Päiväkoti Leppäkerttu Oy',
  shops: 'LEIPOMO KULMA, Apteekki Joutsen, RUOKAKAUPPA ZONKYLA, HUOLTOASEMA E12, Kirjakauppa Sana, RAVINTOLA KIEVARI',
  months: 'tammikuu helmikuu maaliskuu huhtikuu kesäkuu heinäkuu elokuu lokakuu',
  lines: [
    'TILISIIRTO {person} VUOKRA {month}',
    'Saaja: {person} Viesti: vuokra',
    '+Maksaja: {person} Viite {number}',
    'MobilePay {person}',
    'MOBILEPAY {phone} {person}',
    'Siirto {phone} {person}',
    'Palkka {surname} {month} 2026',
    'PALKKA {surname}',
    'Palkka {month} {surname}',
    'Lomaraha {surname}',
    'Henkilötunnus {id} {person}',
    'HETU {id} maksu',
    'syntynyt {birth} {person} jäsenmaksu',
    'syntymäaika {birth} {person}',
    'Vuokra {address} {person}',
    'Palautus {person}, {address}',
    'Herra {surname} takuuvuokra {address}',
    'Rouva {person} siivous',
    'puh. {phone} {person} tunti',
    '{person} | Vuokra {month} {address}',
    '+{person} | kiitos ruuasta {person}',
    '/NAME/{person}/ADDR/{address}/REMI/VUOKRA',
    'PayPal {email} lahja {person}',
    'Kortti {card} haltija {person}',
    'IBAN {iban} {person} käsiraha',
    'KORTTIOSTO {shop} {town} {date}',
    '{shop} | Korttiosto {number}',
    '{firm} | Lasku {number}',
    'SUORAVELOITUS {firm} {reference}',
    'TILISIIRTO {firm} LASKU {number}',
    '+{firm} | PALKKA {month} {surname}',
    '{firm} | Vakuutus {number} {person}, {address}',
  ],
};

export const denmark: Country = {
  name: 'Danish',
  code: 'DK',
  given:
    'Birthe Gunnar Asger Ragnhild Sofie Mads Freja Villads Kirsten Jørgen Lone Søren Mette Anders Hanne Rasmus ' +
    'Tove Aksel Bodil Preben Ali ' +
    'Zeynep Storm Ditte Thorkild Inger-Lise Magnus Karla',
  family:
    'Nielsen Jensen Hansen Rasmussen Kjærgaard Bjerregaard Østergaard Thomsen Mølgaard Skovgaard Damgaard Krogh ' +
    'Winther Juul Brønnum Toft ' +
    'Kirkegaard Lauridsen Yilmaz Steensgaard Abildtrup',
  stems: 'Bro Sten Ager Lille Høj Skov Dals Fal Kvist Ny Vest Elle',
  endings: 'gaard lund bjerg toft ager mose holt bæk strup kær',
  names: ['G F', 'G F', 'G F', 'G F', 'F G', 'G F F', 'G F-F'],
  streets: 'Nørregade, Skovvej, Strandvejen, Vestergade, Kirkestræde, Lyngbakken, Solvænget, Torvet, Åboulevarden, Rosenallé, Havnen',
  towns: 'Aarhus C, Odense, Kongens Lyngby, Vejle, Roskilde, Esbjerg N, Ribe',
  addresses: ['{street} {house}, {zip} {town}', '{street} {house}, 2. tv., {zip} {town}', '{street} {house} {zip} {town}'],
  zips: ['8###', '5***', '28**'],
  phones: ['22 *# ## ##', '+45 22 *# ## ##', '26*#####', '0045 31 *# ## ##'],
  dates: ['D.M.Y', 'D-M-Y'],
  firms:
    'Vandværket Nord A/S, Lumora Forsikring A/S, Zonby Kommune, Bageriet Kornet ApS, VVS Kjærgaard ApS, ' +
    'Elværk Syd A.m.b.a., Skattestyrelsen, ' +
    'Tandlægerne Smil I/S, Andelsboligforeningen Egen, Børnehaven Mariehønen',
  shops: 'BAGER PA HJORNET, Svane Apotek, SUPERMARKED ZONBY, TANKSTATION E45, Boghandel Ordet, CAFE KROEN',
  months: 'januar februar marts april juni juli august oktober november',
  lines: [
    'Overførsel til {person}',
    '+Overførsel fra {person}',
    'MobilePay {person}',
    'MobilePay: {person} {phone}',
    'MOBILEPAY {phone}',
    'Løn {surname} {month} 2026',
    'LØN {surname}',
    'Lønoverførsel {surname}',
    'Løn {month} {surname}',
    'Feriepenge {surname}',
    'CPR {id} {person}',
    'CPR-nr. {id} kontingent',
    'født {birth} {person} kontingent',
    'Fødselsdato {birth} {person}',
    'Husleje {person} {address}',
    'Tilbagebetaling til {person}, {address}',
    'Hr. {surname} depositum {address}',
    'Fru {person} rengøring',
    'tlf. {phone} {person} undervisning',
    'Modtager: {person} Reg.nr. 1204 konto 0012345678',
    '{person} | Husleje {month} {address}',
    '+{person} | tak for mad {person}',
    '/NAME/{person}/ADDR/{address}/REMI/HUSLEJE',
    'PayPal {email} gave {person}',
    'Kort {card} indehaver {person}',
    'IBAN {iban} {person} udbetaling',
    'Dankort-køb {shop} {town} {date}',
    '{shop} | Visa/Dankort {number}',
    '{firm} | Faktura {number}',
    'BETALINGSSERVICE {firm} {reference}',
    'Overførsel til {firm} faktura {number}',
    '+{firm} | LØN {month} {surname}',
    '{firm} | Police {number} {person}, {address}',
  ],
};

export const norway: Country = {
  name: 'Norwegian',
  code: 'NO',
  given:
    'Torgeir Ragnhild Sindre Ingunn Håkon Synnøve Kåre Gunhild Kari Ola Bjørg Anne Marit Jan-Erik Sigrid Eirik ' +
    'Nora Jonas Abdi Amina Torstein ' +
    'Solfrid Odd Borghild Vegard Hege Trygve Live',
  family:
    'Hansen Johansen Olsen Bakkerud Nordgård Haugland Solbakken Tveit Myhre Hovland Strømsnes Aasen Kvamme Rønning Opsahl Mohamud Fjeld ' +
    'Grønningen Sletten Vikøren Engebretsen',
  stems: 'Bjørke Nord Fager Stein Sol Elve Gran Hauge Lang Øst Brei Tor',
  endings: 'vik land moen dal heim seth rud nes stad li',
  names: ['G F', 'G F', 'G F', 'G F', 'F G', 'F G', 'G F F', 'G F-F'],
  streets:
    'Storgata, Skogveien, Kirkegata, Bjørnstjerne Bjørnsons gate, Fjellveien, Solbakken, Torget, Nedre Slottsgate, Havneveien, Bekkefaret',
  towns: 'Oslo, Mo i Rana, Trondheim, Ålesund, Bodø, Nes på Hedmarken, Tønsberg',
  addresses: ['{street} {house}, {zip} {town}', '{street} {house} B, {zip} {town}', '{street} {house} {zip} {town}'],
  zips: ['0*##', '7***', '5***'],
  phones: ['9## ## ###', '+47 9## ## ###', '4#######', '0047 9#######'],
  dates: ['D.M.Y'],
  firms:
    'Vannverket Nord AS, Lumora Forsikring ASA, Zonby kommune, Bakeriet Kornet AS, Rørlegger Haugland AS, ' +
    'Kraftverk Sør AS, Skatteetaten, ' +
    'Tannlegene Smil AS, Borettslaget Eika, Barnehagen Marihøna',
  shops: 'BAKERI PA HJORNET, Apotek Svanen, MATBUTIKK ZONBY, BENSINSTASJON E6, Bokhandel Ordet, KAFE KROEN',
  months: 'januar februar mars april juni juli august oktober november',
  lines: [
    'Overføring til {person}',
    '+Overføring fra {person}',
    'Vipps til {person}',
    '+VIPPS FRA {person} {phone}',
    'Vipps {phone}',
    'Lønn {surname} {month} 2026',
    'LØNN {surname}',
    'Lønnsutbetaling {surname}',
    'Lønn {month} {surname}',
    'Feriepenger {surname}',
    'Fødselsnummer {id} {person}',
    'Fnr. {id} kontingent',
    'født {birth} {person} kontingent',
    'Fødselsdato {birth} {person}',
    'Husleie {person} {address}',
    'Tilbakebetaling til {person}, {address}',
    'Herr {surname} depositum {address}',
    'Fru {person} rengjøring',
    'tlf. {phone} {person} undervisning',
    'Mottaker: {person} konto {account}',
    'Til konto {account} {person}',
    '{person} | Husleie {month} {address}',
    '+{person} | takk for maten {person}',
    '/NAME/{person}/ADDR/{address}/REMI/HUSLEIE',
    'PayPal {email} gave {person}',
    'Kort {card} innehaver {person}',
    'IBAN {iban} {person} forskudd',
    'Varekjøp {shop} {town} {date}',
    '{shop} | Visa varekjøp {number}',
    '{firm} | Faktura {number}',
    'AVTALEGIRO {firm} {reference}',
    'Overføring til {firm} faktura {number}',
    '+{firm} | LØNN {month} {surname}',
    '{firm} | Forsikring {number} {person}, {address}',
  ],
};
