// Lines as banks of several countries write them, each with the personal data in it. People, firms and numbers are invented.
import { cardOf, CHECKED_IDS, chanceOf, ibanOf, PLAIN_IDS, routingOf } from './redaction-numbers.js';

const GIVEN = [
  'Jane',
  'Oliver',
  'Emily',
  'Hans',
  'Jürgen',
  'Käthe',
  'Sofia',
  'Pierre',
  'Amélie',
  'Pieter',
  'Saskia',
  'Giulia',
  'Mateusz',
  'Ingrid',
];
const FAMILY = [
  'Doe',
  'Whitcombe',
  'Muster',
  'Grünwald',
  'Weißenfels',
  'de Vries',
  'van den Berg',
  'Lefebvre',
  'Rossini',
  'Kowalczyk',
  "O'Hara",
  'García López',
  'Lindqvist',
];
const FIRMS = [
  'Muster Werkzeug GmbH',
  'Northwind Traders Ltd',
  'Beispiel Energie AG',
  'Exemple Transports SARL',
  'Voorbeeld Logistiek B.V.',
  'Contoso Cloud Inc.',
  'Nordlys Kontor A/S',
  'Esempio Forniture S.r.l.',
  'Stadtwerke Beispielstadt GmbH & Co. KG',
  'Finanzamt Beispielstadt',
];
const BEFORE = [
  '',
  'SEPA-UEBERWEISUNG ',
  'FASTER PAYMENT ',
  'Virement ',
  'Overboeking ',
  'SVWZ+',
  'Rechnung 2026-1042 ',
  'Bonifico ',
  'ACH CREDIT ',
];
const AFTER = ['', ' 12.03.2026', ' RENT MARCH', ' EUR 1.204,50', ' Rechnung 4471', ' merci', ' 03/2026'];

const CONTEXTS = {
  iban: ['IBAN ', 'IBAN: ', 'KREF+', '/IBAN/', 'an ', ''],
  card: ['CARD ', 'VISA ', 'Karte ', '', 'PAN:'],
};

function spacedAtPlaces(chance, text) {
  const kind = chance.below(5);
  if (kind === 0) return text.replace(/.{4}(?=.)/g, '$& ');
  if (kind === 1) return text.replace(/.{4}(?=.)/g, '$&-');
  const cut = chance.between(1, text.length - 1);
  return kind === 2 ? `${text.slice(0, cut)} ${text.slice(cut)}` : text;
}

const plainName = (chance) => `${chance.oneOf(GIVEN)} ${chance.oneOf(FAMILY)}`;
function writtenName(chance, name) {
  const [given, ...family] = name.split(' ');
  return chance.oneOf([
    name,
    name.toUpperCase(),
    `${family.join(' ')}, ${given}`,
    `${family.join(' ')} ${given}`.toUpperCase(),
    `${given[0]}. ${family.join(' ')}`,
    name.replace(/ü/g, 'ue').replace(/ä/g, 'ae').replace(/ß/g, 'ss'),
  ]);
}

const MAKERS = {
  iban: (chance) => {
    const iban = ibanOf(chance);
    return { before: chance.oneOf(CONTEXTS.iban), secret: spacedAtPlaces(chance, chance.below(4) ? iban : iban.toLowerCase()) };
  },
  card: (chance) => ({ before: chance.oneOf(CONTEXTS.card), secret: spacedAtPlaces(chance, cardOf(chance)).replace(/(\d) (?=\d$)/, '$1') }),
  us_routing: (chance) => ({
    before: chance.oneOf(['routing ', 'ABA ', 'Routing No. ', 'RTN:', 'routing number: ']),
    secret: routingOf(chance),
  }),
  national_id: (chance) => {
    const [before, make] = chance.oneOf(CHECKED_IDS);
    return { before, secret: make(chance) };
  },
  national_id_unchecked: (chance) => {
    const [before, make] = chance.oneOf(PLAIN_IDS);
    return { kind: 'national_id', before, secret: make(chance) };
  },
  uk_account: (chance) => {
    const [a, b, c, number] = [chance.between(10, 99), chance.between(13, 99), chance.between(32, 99), chance.digits(8)];
    return chance.oneOf([
      { before: '', secret: `${a}-${b}-${c} ${number}` },
      { before: 'sort code ', secret: `${a}-${b}-${c} account ${number}` },
      { before: 'SC ', secret: `${a}${b}${c} ${number}` },
      { before: '', secret: `${a}-${b}-${c}/${number}` },
    ]);
  },
  account: (chance) => ({
    before: chance.oneOf(['KTO ', 'Konto-Nr. ', 'acct ', 'account no. ', 'rekening ', 'compte ']),
    secret: chance.between(1, 9) + chance.digits(chance.between(6, 11)),
  }),
  email: (chance) => {
    const [given, host] = [
      chance.oneOf(['jane', 'o.whitcombe', 'hans_muster', 'p-lefebvre', 'giulia.rossini+bank']),
      chance.oneOf(['example.com', 'mail.example.co.uk', 'beispiel.example.de', 'voorbeeld.example.nl']),
    ];
    return {
      before: chance.oneOf(['', 'mail ', 'PAYPAL *', 'to:']).replace('*', ''),
      secret: `${given}${chance.below(100)}${chance.below(8) ? '@' : '(at)'}${host}`,
    };
  },
  phone: (chance) =>
    chance.oneOf([
      { before: 'Tel. ', secret: `030/${chance.between(20000000, 89999999)}` },
      { before: '', secret: `+49 151 ${chance.between(20000000, 29999999)}` },
      { before: 'mobile ', secret: `07700 900${chance.digits(3)}` },
      { before: '', secret: `+44 20 7946 0${chance.digits(3)}` },
      { before: 'tél. ', secret: `06 12 ${chance.digits(2)} ${chance.digits(2)} ${chance.digits(2)}` },
      { before: '', secret: `+31 6 ${chance.between(20000000, 29999999)}` },
      { before: 'phone ', secret: `(212) 555-01${chance.digits(2)}` },
    ]),
  postal_address: (chance) =>
    chance.oneOf([
      {
        before: 'to ',
        secret: `${chance.between(1, 250)} ${chance.oneOf(['High Street', 'Station Road', 'Kings Avenue'])}, London SW${chance.between(1, 9)}A 1AA`,
      },
      { before: '', secret: `${chance.between(1, 90)} rue des Exemples, 75${chance.digits(3)} Paris` },
      {
        before: '',
        secret: `${chance.oneOf(['Musterstr.', 'Lindenallee', 'Am Beispielweg', 'Gartenstraße']).replace('Am ', '')} ${chance.between(1, 150)}, 1${chance.digits(4)} Berlin`,
      },
      { before: '', secret: `Voorbeeldgracht ${chance.between(1, 400)}, 10${chance.digits(2)} CJ Amsterdam` },
      { before: '', secret: `${chance.between(100, 9999)} Example Ave, Springfield, IL 62${chance.digits(3)}` },
    ]),
  person: (chance) => {
    const name = plainName(chance);
    if (chance.below(3)) return { before: '', secret: writtenName(chance, name), counterparty: name };
    return { before: chance.oneOf(['Miete von Herr ', 'TRANSFER FROM MR ', 'Overboeking van dhr. ', 'virement de Mme ']), secret: name };
  },
};

const DECOYS = [
  (chance) => `Rechnung Nr. ${chance.digits(10)} vom 12.03.2026 Kundennummer ${chance.digits(9)}`,
  (chance) => `INVOICE ${chance.digits(8)} ORDER ${chance.digits(3)}-${chance.digits(7)}-${chance.digits(7)}`,
  (chance) => `EREF+${chance.digits(12)}MREF+M${chance.digits(13)} SVWZ+Abschlag ${chance.digits(2)}`,
  (chance) => `CARD PAYMENT TO ${chance.oneOf(['COFFEE CORNER', 'BOOKS AND MORE'])} ${chance.digits(4)} LONDON GBR 12.50 GBP RATE 1.00`,
  (chance) => `BETAALPAS ${chance.digits(3)} ${chance.between(10, 28)}.05.26/09.41 VOORBEELDMARKT ${chance.digits(4)} UTRECHT`,
  (chance) => `Transactie ${chance.digits(16).replace(/^[23456]/, '1')} van 07-04-2026 08:15`,
  (chance) => `Cheque ${chance.digits(6)} ref ${chance.some('ABCDEFGHJK', 4)}${chance.digits(8)}`,
  (chance) => `POS ${chance.between(1, 99)},${chance.digits(2)} KASSE ${chance.digits(4)} 07.04. 08:15 BEISPIELMARKT LINZ 4020`,
  (chance) =>
    `order ${chance.some('0123456789abcdef', 8)}-${chance.some('0123456789abcdef', 4)}-4${chance.some('0123456789abcdef', 3)}-a${chance.some('0123456789abcdef', 3)}-${chance.some('0123456789abcdef', 12)}`,
  (chance) => `Mobilfunkrechnung ${chance.digits(10)} Betrag 19,99 EUR`,
  (chance) => `FROM SAVINGS ACCOUNT TO CURRENT ACCOUNT ON 12-03-26 ${chance.digits(8)}`,
  (chance) => `Interest 0,0625 % p.a. 01.07.26-30.09.26 ${chance.digits(5)},${chance.digits(2)}`,
  (chance) => `AWS EMEA ${chance.digits(12)} eu-central-1`,
  // These look like personal data, but their check digits are wrong.
  (chance) => `IBAN ${broken(ibanOf(chance))}`,
  (chance) => `CARD REF ${broken(cardOf(chance))}`,
  (chance) => `routing ${broken(routingOf(chance))}`,
];

/** Changes the last digit, which makes every usual checksum fail. */
const broken = (number) => number.replace(/\d(?=\D*$)/, (digit) => (Number(digit) + 1) % 10);

/** `{line, kind, secrets}`: the kind is null if a line has no personal data. */
export function makeLines(seed, perKind) {
  const chance = chanceOf(seed);
  const cases = Object.entries(MAKERS).flatMap(([row, make]) =>
    Array.from({ length: perKind }, () => {
      const { before, secret, counterparty, kind = row } = make(chance);
      return {
        row,
        kind,
        secrets: [secret, ...(counterparty ? [counterparty] : [])],
        counterparty,
        description: `${chance.oneOf(BEFORE)}${before}${secret}${chance.oneOf(AFTER)}`,
      };
    }),
  );
  const decoys = Array.from({ length: perKind * 4 }, () => ({
    row: null,
    kind: null,
    secrets: [],
    counterparty: chance.oneOf(FIRMS),
    description: chance.oneOf(DECOYS)(chance),
  }));
  return [...cases, ...decoys].map(({ counterparty = null, description, ...labels }, index) => ({
    ...labels,
    line: {
      lineNumber: index + 1,
      account: null,
      bookedOn: '2026-03-12',
      amount: '-12.50',
      currency: 'EUR',
      description,
      counterparty,
      counterpartyAccount: null,
      counterpartyAddress: null,
      reference: null,
      bankReference: null,
    },
  }));
}
