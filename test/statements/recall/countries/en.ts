import type { Country } from '../country.js';

export const britain: Country = {
  name: 'English (UK)',
  code: 'GB',
  given:
    'Oliver Harriet Imogen Callum Gareth Rhiannon Siobhan Declan Nigel Beryl Hilda Percival Winifred Theodore Jack ' +
    'Emily Sarah James David ' +
    'Priya Arjun Mohammed Zainab Olufemi Chidinma Agnieszka Marek Tamsin Fergus Isla Poppy Rupert',
  family:
    'Smith Taylor Hughes Patel Ashworth Thistlewood Ramsbottom Penhaligon Cholmondeley Featherstone Gillespie ' +
    'Abernathy O’Rourke McAllister ' +
    'Okonkwo Begum Wetherall Birtwhistle Entwistle Postlethwaite Llewellyn Kowalska Hargreaves Loxley',
  stems: 'Thorn Hather Wick Brad Cold Ash Pem Hol Stan Rother Win Marl',
  endings: 'bury wick ham shaw thwaite worth bourne leigh combe more',
  names: ['G F', 'G F', 'G F', 'G F', 'G F', 'g F', 'g. F', 'F G', 'F g', 'G F-F', 'G G F'],
  streets:
    'Larkspur Road, High Street, The Old Rectory Lane, Kestrel Close, Station Approach, Elm Grove, ' +
    'Victoria Terrace, Mill Rise, Queens Parade, ' +
    'Chapel View, St Mary’s Walk, Broadway',
  towns: 'Little Marlow, Leeds, Stow on the Wold, Bath, Harrogate, Llandudno, London',
  addresses: ['{house} {street}, {town} {zip}', '{house} {street} {town} {zip}', 'Flat 3, {house} {street}, {town}, {zip}'],
  zips: ['LS* #AB', 'SW*# *QT', 'B*#*XD', 'EC*A *BB'],
  phones: ['074## 6#####', '+44 7911 1#####', '020 7946 0###', '0113 496 0###', '079##4#####'],
  dates: ['D/M/Y', 'Y-M-D'],
  firms:
    'Wrenfield Council, Harbour Insurance Ltd, Ashworth & Sons Ltd, Brightwater Utilities, Marlow Dental Practice, ' +
    'HMRC, Thornbury Lettings LLP, ' +
    'Oakridge Nursery School, Pennine Broadband plc, The Copper Kettle Company Limited, Wrenfield Parish Church',
  shops:
    'CORNER BAKERY LEEDS, Hathaway Books, GREENS GROCERS 1142, The Crooked Billet Pub, PETROL STATION A64, ' +
    'Marlow Pharmacy, WRENFIELD GARDEN CENTRE',
  months: 'January February March April June July August October November',
  lines: [
    'FASTER PAYMENT TO {person} REF RENT {month}',
    '+FASTER PAYMENTS RECEIPT REF.DINNER FROM {person}',
    'FPO {person} {account} MOBILE',
    'STO {person} RENT',
    '+BGC {person} REF {reference}',
    'Bank transfer to {person} {account}',
    'Wages {surname} {month}',
    'SALARY {surname} WK 14',
    'PAYROLL {surname}',
    'Wages {person} w/e {date}',
    'Staff pay - {surname} {month} 2026',
    'Standing order {person} housekeeping',
    'Paym {person} {phone}',
    'PayPal transfer {email} from {person}',
    'PAYPAL PAYMENT {person}',
    'Monzo.me {person} pizza',
    'Revolut transfer to {person}',
    'Refund deposit {person}, {address}',
    'Mr {surname} rent {address}',
    'MRS {person} CHILDCARE',
    '{person} | Rent {month} {address}',
    '+{person} | thanks for lunch {person}',
    'NI {id} {person}',
    'National Insurance number {id} statutory pay {surname}',
    'DOB {birth} {person} membership',
    'Call {phone} re deposit for {person}',
    'Cheque 001{number} payee {person}',
    '/NAME/{person}/ADDR/{address}/REMI/RENT',
    'IBAN {iban} {person} HOLIDAY COTTAGE',
    'Card {card} stolen, reported by {person}',
    'Lodger {person} moved to {address}, born {birth}',
    'CARD PAYMENT TO {shop} ON {date}',
    'CONTACTLESS {shop} GB',
    '{shop} | VISA PURCHASE',
    '{firm} | Invoice {number}',
    'DIRECT DEBIT {firm} REF {reference}',
    'BILL PAYMENT TO {firm} {number}',
    '+{firm} | SALARY {month} {surname}',
    '{firm} | policy {number} {person}, {address}',
  ],
};

export const unitedStates: Country = {
  name: 'English (US)',
  code: 'US',
  given:
    'Jayden Makayla Brooklyn Hunter Dwayne Latoya Keisha Tyrone Wyatt Savannah Emily Michael Jennifer Robert Linda ' +
    'Guadalupe Xiomara Hector ' +
    'Thuy Minh Rajesh Deepika Ezekiel Josiah Harper Delilah Earl Bernice Clarence Mavis',
  family:
    'Johnson Williams Garcia Rodriguez Nguyen Kowalski O’Brien Abernathy Stubblefield Hollingsworth Yoder ' +
    'Lindqvist Thibodeaux Castellanos ' +
    'Washington Vandermolen Okafor Pennington Ledbetter Swearingen Zimmer Culpepper Patel Ruiz-Ortega',
  stems: 'Hadd Kel Brock Farn Whit Lang Cald Strat Mon Ever Pruitt Tal',
  endings: 'field man ster well ton ingham ers kins rell land',
  names: ['G F', 'G F', 'G F', 'G F', 'G F', 'G F', 'G g F', 'F, G', 'F G', 'G F-F'],
  streets:
    'Maple Street, Oak Hollow Drive, Elm Ave, 5th Street, Old Mill Rd, Sycamore Ct, Lakeview Blvd, County Road 12, ' +
    'Peachtree Lane, Main St, ' +
    'Magnolia Pkwy, Cedar Trail',
  towns: 'Springfield, Cedar Rapids, Boise, Salt Lake City, Tulsa, Baton Rouge, Akron',
  addresses: ['{house} {street}, {town}, OH {zip}', '{house} {street} {town} TX {zip}', '{house} {street} Apt 4B, {town}, IL {zip}'],
  zips: ['4####', '6####', '7####-####'],
  phones: ['(415) 555-01##', '212-555-01##', '+1 312 555 01##', '303.555.01##', '20655501##'],
  dates: ['M/D/Y', 'M-D-Y'],
  firms:
    'Lakeview Utilities Inc, Hadley Insurance Company, Cedar Dental LLC, First Valley Credit Union, Springfield School District, IRS, ' +
    'Maplewood Apartments LLC, Pioneer Electric Cooperative, Kellman & Associates Inc, Buckeye Lumber Co',
  shops:
    'CEDAR GRILL #1204, TRAILHEAD COFFEE, LAKEVIEW GAS STATION, Hadley Hardware Store, PIONEER FOODS 0447, Maple Diner, RIVERBEND PHARMACY',
  months: 'January February March April June July August October November',
  lines: [
    'Zelle payment to {person} Conf# {reference}',
    '+Zelle payment from {person} {phone}',
    'Zelle to {person} on {date} Ref # {reference}',
    'ZELLE FROM {person} ON {date} RENT',
    'VENMO PAYMENT {person}',
    'VENMO CASHOUT {person} {reference}',
    'CASH APP*{person}',
    '+Cash App from {person}',
    'PAYPAL INST XFER {person}',
    'APPLE CASH SENT TO {person}',
    'ACH CREDIT INDN:{person} CO ID:{number} PPD',
    'ORIG CO NAME:LAKEVIEW UTILITIES INC ENTRY DESCR:PAYROLL IND NAME:{person}',
    'WIRE TYPE:WIRE OUT DATE:{date} BNF:{person} ID:{number} {address}',
    'FEDWIRE DEBIT VIA: FIRST VALLEY BANK A/C: {person} {address}',
    'Payroll {surname} {month}',
    'WAGES {surname} PPE {date}',
    'Salary - {surname}',
    'Direct deposit payroll {person}',
    'CHECK 1204 {person}',
    'Check to {person} for babysitting',
    'SSN {id} {person}',
    'Refund to {person}, {address}',
    'Security deposit {person} DOB {birth}',
    'Call {phone} {person} about lease',
    '{person} | RENT {month} {address}',
    '+{person} | Zelle {phone}',
    '{person} | {email} dinner',
    'Mr. {surname} piano lessons',
    'Ms {person} tutoring {month}',
    'Card ending replaced {card} for {person}',
    '/NAME/{person}/ADDR/{address}/',
    'International wire IBAN {iban} beneficiary {person}',
    'DEBIT CARD PURCHASE {shop} {town} OH',
    'POS PURCHASE {shop} {date}',
    '{shop} | Checkcard {number}',
    '{firm} | ACH DEBIT {reference}',
    'BILL PAY {firm} ACCT {number}',
    'ACH DEBIT {firm} WEB ID: {number}',
    '+{firm} | PAYROLL {person}',
    '{firm} | Policy {number} insured {person}, {address}',
  ],
};
