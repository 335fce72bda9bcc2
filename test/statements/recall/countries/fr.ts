import type { Country } from '../country.js';

export const france: Country = {
  name: 'French',
  code: 'FR',
  given:
    'Ghislaine Thibault Maëlys Corentin Solène Gwenaël Yannick Bérengère Marcelle Huguette Raymonde Capucine Léandre Côme Jean-Baptiste ' +
    'Marie-Thérèse Pierre Isabelle Nicolas Sophie Camille Fatoumata Mamadou Rachid Samira Karim Nolwenn Loïc Apolline Firmin Anne-Laure',
  family:
    'Martin Durand Moreau Lefebvre Girard Bellanger Quéméneur Le_Goff Delacroix Vasseur Tranchant Poulain Guillemot Chastagnier Boisseau ' +
    'Ouedraogo Benkhelifa Traoré N’Diaye Kerguelen Desrosiers de_La_Tour Peltier Rambourg',
  stems: 'Chan Mar Ville Bou Gour Ponte Lau Ran Tré Cour Flam Bro',
  endings: 'chard delle neuve dinier leroux chet gnac bert veau sard',
  names: ['G F', 'G F', 'G F', 'G F', 'F G', 'F G', 'F G', 'F G', 'g F', 'g. F', 'G F-F'],
  streets:
    'rue des Lilas, avenue du Général Leclerc, place de l’Église, boulevard Voltaire, chemin des Vignes, ' +
    'allée des Tilleuls, impasse du Moulin, ' +
    'rue Saint-Honoré, quai de la Loire, lotissement Les Acacias, route de Nantes, cours Gambetta',
  towns: 'Nantes, Saint-Étienne, Le Mans, Vitry-sur-Seine, Brive, La Rochelle, Aix en Provence',
  addresses: ['{house} {street}, {zip} {town}', '{house} {street} {zip} {town}', '{house} bis {street} {zip} {town}'],
  zips: ['4####', '7####', '0*###'],
  phones: ['06 ## ## ## ##', '+33 6 ## ## ## ##', '07.8#.##.##.##', '0033 612######', '06########'],
  dates: ['D/M/Y'],
  firms:
    'Assurances Lumora SA, Mairie de Villeneuve, SARL Boisseau Plomberie, Électricité du Val SAS, ' +
    'Cabinet Dentaire du Parc, SCI Les Tilleuls, ' +
    'Mutuelle des Alpes, Crèche Les Lutins, Régie du Port SAS, Trésor Public, Association Sportive Nantaise',
  shops:
    'BOULANGERIE DU PONT, PHARMACIE CENTRALE, Librairie Les Mots, SUPERMARCHE DU BOURG, CAFE DE LA GARE, ' +
    'STATION SERVICE A10, BRASSERIE FLORENTINE',
  months: 'janvier février mars avril juin juillet août octobre novembre',
  lines: [
    'VIR SEPA RECU /DE {person} /MOTIF LOYER {month} /REF {reference}',
    '+VIREMENT DE {person}',
    'VIR INST vers {person} remboursement',
    'VIREMENT EMIS POUR {person} MOTIF: LOYER',
    'VIREMENT SEPA EMIS BENEFICIAIRE {person} IBAN {iban}',
    'VIR M {person} PENSION ALIMENTAIRE',
    'VIR MME {person} GARDE ENFANT',
    'VIR {person}',
    'VRT PERMANENT {person} LOYER',
    'Salaire {surname} {month} 2026',
    'SALAIRE {surname}',
    'VIR SALAIRE {surname} {month}',
    'Paie {surname} {month}',
    'Acompte sur salaire {person}',
    'Wero {person} {phone}',
    'Paylib vers {person} {phone}',
    'Lydia {person} resto',
    'PAYPAL {email} {person} cadeau',
    'Remboursement à {person}, {address}',
    'CHEQUE 0012{number} ORDRE {person}',
    'REMISE CHEQUE {person}',
    'Loyer {person} {address}',
    '{person} | Loyer {month} {address}',
    '+{person} | merci pour le week-end {person}',
    'N° SS {id} {person}',
    '{person} né le {birth} cotisation',
    'Née le {birth} Mme {surname} licence',
    'Tél. {phone} M. {surname} devis {number}',
    '/NAME/{person}/ADDR/{address}/REMI/LOYER {month}',
    'DONNEUR D’ORDRE : {person} REF {reference}',
    'Carte {card} opposition titulaire {person}',
    'RIB {iban} {person} caution',
    'CARTE {date} {shop} {town}',
    'PAIEMENT CB {shop} {date}',
    '{shop} | ACHAT CB {number}',
    '{firm} | Facture {number}',
    'PRLV SEPA {firm} ECH {date} MDT {reference}',
    'VIR SEPA {firm} facture {number}',
    '+{firm} | SALAIRE {month} {surname}',
    '{firm} | Contrat {number} {person}, {address}',
  ],
};
