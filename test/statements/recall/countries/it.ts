import type { Country } from '../country.js';

export const italy: Country = {
  name: 'Italian',
  code: 'IT',
  given:
    'Ludovica Ermenegildo Fiammetta Gaspare Immacolata Pasquale Concetta Beniamino Ginevra Tommaso Marco Giulia Francesco Anna Giuseppe ' +
    'Maria_Grazia Gian_Luca Salvatore Rosaria Ornella Nunzia Ubaldo Mirko Samuele Fatima Ionela Dragoș Zoe Loredana Orazio',
  family:
    'Rossi Esposito Ricci Marino Sgarlata Bevilacqua Quagliarella Pappalardo Cantalupo De_Santis Della_Valle Lo_Presti Zanetti Brambilla ' +
    'Mastropasqua Fumagalli Scognamiglio Tagliaferri D’Ambrosio Iannone Popescu Passalacqua Cherubini',
  stems: 'Cala Bor Sgar Ven Maz Trava Fio Pes Gua Bra Lan Zuc',
  endings: 'mandrei ghetti zzola tonelli scotti renzi vacchi ttini roldi gnati',
  names: ['G F', 'G F', 'G F', 'G F', 'F G', 'F G', 'F G', 'g. F', 'G F F'],
  streets:
    'Via Roma, Via Giuseppe Garibaldi, Corso Vittorio Emanuele, Piazza San Marco, Viale dei Mille, Via dell’Olmo, Strada Provinciale, ' +
    'Largo Augusto, Vicolo Stretto, V.le Europa, P.zza Dante, Contrada Fontana',
  towns: 'Bologna, Reggio Emilia, Sesto San Giovanni, Lecce, Cuneo, L’Aquila, Monza',
  addresses: [
    '{street} {house}, {zip} {town}',
    '{street} {house} {zip} {town}',
    '{street}, {house} - {zip} {town} (MI)',
    '{street} n. {house}, {zip} {town}',
  ],
  zips: ['20###', '40###', '0*###'],
  phones: ['347 #######', '+39 333 #######', '347#######', '0039 02 4######', '06 4######'],
  dates: ['D/M/Y', 'D.M.Y'],
  firms:
    'Acque del Piave S.p.A., Assicurazioni Lumora SpA, Comune di Villanova, Idraulica Brambilla S.r.l., ' +
    'Farmacia San Carlo, Condominio Via Verdi 8, ' +
    'Studio Dentistico Sorriso, Energia Pulita Srl, Agenzia delle Entrate, Asilo Girasole, Panificio Rossi snc',
  shops: 'BAR CENTRALE, FARMACIA COMUNALE, Supermercato La Piazza, DISTRIBUTORE A4, Libreria Dante, TRATTORIA DA NINO, FERRAMENTA ZETA',
  months: 'gennaio febbraio marzo aprile giugno luglio agosto ottobre novembre',
  lines: [
    'BONIFICO A FAVORE DI {person} CAUSALE: AFFITTO {month}',
    '+BONIFICO DA {person} PER RIMBORSO',
    'Bonifico istantaneo a {person} causale cena',
    'BON. DA {person} TRN {reference}',
    'BONIFICO ORDINANTE {person} IBAN {iban}',
    'Disposizione di bonifico beneficiario: {person} {iban}',
    'GIROCONTO {person}',
    'Stipendio {surname} {month} 2026',
    'STIPENDIO {surname}',
    'Accredito stipendio {surname} {month}',
    'Emolumenti {person} {month}',
    'Busta paga {surname}',
    'Compenso {surname} {month}',
    'Satispay {person} {phone}',
    '+SATISPAY DA {person}',
    'Satispay {phone} regalo',
    'BANCOMAT PAY A {person} {phone}',
    'PayPal {email} {person}',
    'Affitto {person} {address}',
    'C.F. {id} {person}',
    'Codice fiscale {id} quota iscrizione {person}',
    '{person} nato il {birth} tessera',
    'Data di nascita {birth} {person}',
    'Sig. {surname} caparra {address}',
    'Sig.ra {person} pulizie {month}',
    'Dott. {surname} visita fattura {number}',
    'Rimborso a {person}, {address}',
    'ASSEGNO {number} A {person}',
    'Cell. {phone} {person} lezioni',
    '{person} | Affitto {month} {address}',
    '+{person} | grazie {person}',
    '/NAME/{person}/ADDR/{address}/REMI/AFFITTO',
    'Carta {card} intestata a {person}',
    'Residente in {address} {person}',
    'PAGAMENTO POS {shop} {town} {date}',
    'PAGOBANCOMAT {shop} {date}',
    '{shop} | Pagamento carta {number}',
    '{firm} | Fattura {number}',
    'ADDEBITO DIRETTO SDD {firm} MANDATO {reference}',
    'BONIFICO A {firm} FATTURA {number}',
    '+{firm} | STIPENDIO {month} {surname}',
    '{firm} | Polizza {number} {person}, {address}',
  ],
};
