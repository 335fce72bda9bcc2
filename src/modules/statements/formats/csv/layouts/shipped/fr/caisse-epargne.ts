import type { WrittenLayout } from '../../written-layout.js';

export default {
  name: 'fr/caisse-epargne',
  dates: 'day-month',
  columns: {
    'Date de comptabilisation': 'bookingDate',
    'Libelle simplifie': 'description',
    'Libelle operation': 'description',
    Reference: 'reference',
    'Informations complementaires': 'description',
    'Type operation': 'kind',
    Categorie: 'kind',
    'Sous categorie': 'kind',
    Debit: 'debit',
    Credit: 'credit',
    'Date operation': 'date',
    'Date de valeur': 'valueDate',
    'Pointage operation': 'ignore',
  },
} satisfies WrittenLayout;
