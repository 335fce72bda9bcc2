import type { Country } from '../country.js';

export const spain: Country = {
  name: 'Spanish',
  code: 'ES',
  given:
    'Macarena Fermín Iñaki Rosalía Consuelo Eulalia Nicanor Anselmo Ainhoa Unai Jordi Montserrat Begoña Pilar ' +
    'Encarnación José Lucía Carlos ' +
    'Carmen Javier Antonio María_José Juan_Carlos Yolanda Wilson Yessenia Fátima Abdelkader Chenoa Onofre Remedios Quique',
  family:
    'García Fernández López Martínez Etxeberria Puigdevall Berrocal Zurbano Manrique Arrieta Quintanilla ' +
    'Salvatierra Pedraza Olmedo Castroviejo ' +
    'de_la_Torre Villaescusa Goikoetxea Lillo Ferrer Amorós Zabaleta Mendieta Rubiales',
  stems: 'Alba Carra Monte Villa Santi Berro Ura Olive Madri Cisne Tala Bena',
  endings: 'rrejo nzuela sco ndía guren ños rtos brero quera vides',
  names: ['G F F', 'G F F', 'G F F', 'G F', 'G F', 'F F, G', 'F F G', 'F F, G', 'G F'],
  streets:
    'Calle Mayor, C/ Alcalá, Avda. de la Constitución, Plaza del Sol, Paseo de Gracia, Calle de los Olivos, Ronda de Toledo, Cl Serrano, ' +
    'Camino Viejo, Travesía del Pozo, Carrer de Balmes, Gran Vía',
  towns: 'Madrid, Alcalá de Henares, Vigo, San Sebastián, Castellón, Las Rozas, Badajoz',
  addresses: [
    '{street} {house}, {zip} {town}',
    '{street}, {house}, 3º B, {zip} {town}',
    '{street} nº {house} {zip} {town}',
    '{street} {house} 2 izq {zip} {town}',
  ],
  zips: ['28###', '0*###', '46###'],
  phones: ['6## ### ###', '+34 6########', '6########', '0034 6## ## ## ##', '91 4## ## ##'],
  dates: ['D/M/Y', 'D-M-Y'],
  firms:
    'Aguas del Norte SA, Seguros Lumora S.A., Ayuntamiento de Villanueva, Panadería La Espiga, ' +
    'Fontanería Olmedo S.L., Energía Verde SLU, ' +
    'Colegio San Roque, Clínica Dental Sonrisa, Agencia Tributaria, Comunidad de Propietarios Alcalá 40, Gestoría Berrocal SL',
  shops:
    'BAR EL RINCON, FARMACIA CENTRAL, Supermercado La Plaza, GASOLINERA NORTE, LIBRERIA CERVANTES, Restaurante El Olivo, FERRETERIA 2000',
  months: 'enero febrero marzo abril junio julio agosto octubre noviembre',
  lines: [
    'TRANSFERENCIA A FAVOR DE {person} CONCEPTO: ALQUILER {month}',
    '+TRANSFERENCIA DE {person}',
    'Transferencia inmediata a {person} concepto cena',
    'TRANSF. ORDENANTE: {person} REF {reference}',
    'TRASPASO A {person}',
    'Bizum enviado a {person} {phone}',
    '+BIZUM DE {person} CONCEPTO CENA',
    'Bizum {phone} {person}',
    'BIZUM A: {phone} regalo',
    '+Bizum recibido de {person}',
    'NOMINA {surname} {month}',
    'Nómina {month} 2026 {surname}',
    'ABONO NOMINA {surname}',
    'Pago nómina {person}',
    'Anticipo nómina {surname}',
    'Sueldo {surname} {month}',
    'ALQUILER {person} {address}',
    'Pago a {person} DNI {id}',
    'NIE/NIF {id} {person}',
    'Beneficiario: {person} IBAN {iban}',
    'D. {person} fianza {address}',
    'Dña. {person} clases particulares',
    'Sra. {surname} limpieza {month}',
    'Fecha de nacimiento {birth} {person} cuota',
    'Nacido el {birth} {person} licencia federativa',
    'Tlf {phone} devolución fianza {person}',
    'CHEQUE {number} A {person}',
    '{person} | Alquiler {month} {address}',
    '+{person} | gracias {person}',
    '{person} | Bizum {phone}',
    '/NAME/{person}/ADDR/{address}/REMI/ALQUILER',
    'PayPal {email} regalo {person}',
    'Tarjeta {card} titular {person}',
    'Empadronamiento {person}, {address}',
    'COMPRA TARJ. {shop} {town} {date}',
    'PAGO CON TARJETA EN {shop}',
    '{shop} | COMPRA TARJETA {number}',
    '{firm} | Factura {number}',
    'RECIBO {firm} REF {reference}',
    'TRANSFERENCIA A {firm} FACTURA {number}',
    '+{firm} | NOMINA {month} {surname}',
    '{firm} | Póliza {number} {person}, {address}',
  ],
};
