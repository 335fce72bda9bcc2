import type { Country } from '../country.js';

export const portugal: Country = {
  name: 'Portuguese',
  code: 'PT',
  given:
    'Leonor Matilde Gonçalo Duarte Constança Domingos Felismina Joaquim Adelaide Tiago Inês João Ana Rui Catarina Pedro Maria_do_Carmo ' +
    'Vasco Graça Amílcar Deolinda Beatriz Iara Wanderley Rosângela Telmo Zulmira Afonso Nuno Lurdes',
  family:
    'Silva Santos Ferreira Pereira Carvalhal Quintela Bragança Mesquita Figueiredo Teles Vasconcelos Sequeira Brandão Pimentel Salgueiro ' +
    'da_Costa dos_Reis de_Almeida Trindade Malheiro Fontoura Bettencourt Cabrita Xavier',
  stems: 'Car Mon Vila Sar Pinha Alco Lou Bar Cer Tre Gui Mace',
  endings: 'valheda teira nhos drinha bosa queira redo mirim zende cães',
  names: ['G F F', 'G F F', 'G F F', 'G F', 'G F', 'G F', 'G G F F'],
  streets:
    'Rua das Flores, Avenida da Liberdade, Travessa do Carmo, Praça do Comércio, Largo da Sé, R. Augusta, ' +
    'Av. de Roma, Estrada de Benfica, ' +
    'Rua Dr. Almeida, Beco do Norte, Alameda dos Oceanos, Calçada da Ajuda',
  towns: 'Lisboa, Vila Nova de Gaia, Setúbal, Póvoa de Varzim, Évora, Matosinhos, Braga',
  addresses: [
    '{street} {house}, {zip} {town}',
    '{street}, {house}, 2º Esq, {zip} {town}',
    '{street} nº {house} {zip} {town}',
    '{street} {house} 3 Dto {zip} {town}',
  ],
  zips: ['1###-###', '4###-###', '28##-###'],
  phones: ['91# ### ###', '+351 93# ### ###', '96#######', '00351 21 4## ## ##', '21 4## ## ##'],
  dates: ['D/M/Y', 'D-M-Y'],
  firms:
    'Águas do Tejo SA, Seguros Lumora S.A., Câmara Municipal de Vilar, Padaria Central Lda, ' +
    'Canalizações Mesquita Unipessoal Lda, Energia do Sul SA, ' +
    'Colégio São Bento, Clínica Dentária Sorriso, Autoridade Tributária, Condomínio Rua Verde 12, Farmácia Moderna',
  shops:
    'CAFE CENTRAL, FARMACIA DA PRACA, Supermercado Bom Dia, POSTO GALERA A1, LIVRARIA LELLO NOVA, ' +
    'Restaurante O Pescador, PADARIA DO BAIRRO',
  months: 'janeiro fevereiro abril maio junho julho agosto outubro novembro',
  lines: [
    'TRF DE {person}',
    '+TRF MB WAY DE {person}',
    'TRF P/ {person}',
    'TRANSFERENCIA PARA {person} RENDA {month}',
    'Transferência imediata de {person}',
    'TRF CR SEPA+ DE {person} REF {reference}',
    'TRF DEB SEPA IBAN {iban} {person}',
    'MB WAY {phone} {person}',
    'MBWAY P/ {phone}',
    'MB WAY enviado para {person}',
    'TRF MBWAY {phone} jantar',
    'Vencimento {surname} {month}',
    'ORDENADO {surname}',
    'Salário {surname} {month} 2026',
    'TRF ORDENADO {surname} {month}',
    'Pagamento salário {person}',
    'Subsídio de férias {surname}',
    'Renda {month} {person} {address}',
    'NIF {id} {person}',
    'Contribuinte {id} quota {person}',
    'N.I.F.: {id} fatura {number}',
    '{person} nascido em {birth} inscrição',
    'Data de nascimento {birth} {person}',
    'Sr. {surname} caução {address}',
    'Sra. D. {person} limpezas {month}',
    'Dr. {surname} consulta {number}',
    'Beneficiário: {person} IBAN {iban}',
    'CHEQUE {number} A {person}',
    'Telemóvel {phone} {person} explicações',
    'Tlm. {phone} {person}',
    '{person} | Renda {month} {address}',
    '+{person} | obrigado {person}',
    '/NAME/{person}/ADDR/{address}/REMI/RENDA',
    'PayPal {email} prenda {person}',
    'Cartão {card} titular {person}',
    'Reembolso a {person}, {address}',
    'COMPRA {number} {shop} {town}',
    'PAG SERV {shop} {date} CARTAO',
    '{shop} | COMPRA CARTAO {number}',
    '{firm} | Fatura {number}',
    'DD {firm} REF {reference}',
    'TRF PARA {firm} FATURA {number}',
    '+{firm} | VENCIMENTO {month} {surname}',
    '{firm} | Apólice {number} {person}, {address}',
  ],
};
