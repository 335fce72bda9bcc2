import { CLOUD_WORDS, SOFTWARE_WORDS } from './general.js';
import { mentioning, type CategoryTemplate } from './template.js';

const WAGES = ['salary', 'salaries', 'wages', 'payroll', 'PAYE', 'pension'];
/** Of payments to unconnected subcontractors and for externally provided workers, UK law lets 65 % count. */
const UNCONNECTED_PERCENT = 65;

/** The kinds of expenses that authorities ask for by name. */
export const GRANTS: readonly CategoryTemplate[] = [
  {
    id: 'uk-rd',
    name: 'UK R&D tax relief',
    about:
      'The kinds of qualifying expenditure of the additional information form. Externally provided workers and contracted out R&D ' +
      `count at ${UNCONNECTED_PERCENT} %, as for unconnected parties. Check which lines are of the project: a bank cannot know.`,
    categories: [
      mentioning('RD-STAFF', 'Staff', WAGES),
      mentioning(
        'RD-EPW',
        'Externally provided workers',
        ['agency worker', 'recruitment', 'Hays', 'Adecco', 'Randstad'],
        UNCONNECTED_PERCENT,
      ),
      mentioning('RD-CONTRACTED', 'Contracted out R&D', ['subcontract', 'contract research', 'testing services'], UNCONNECTED_PERCENT),
      mentioning('RD-CONSUMABLES', 'Consumable items', [
        'RS Components',
        'Farnell',
        'Mouser',
        'Digi-Key',
        'Sigma-Aldrich',
        'Fisher Scientific',
      ]),
      mentioning('RD-SOFTWARE', 'Software', SOFTWARE_WORDS),
      mentioning('RD-CLOUD', 'Cloud computing', CLOUD_WORDS),
      mentioning('RD-DATA', 'Data licences', ['data licence', 'data license', 'dataset', 'Refinitiv', 'Ordnance Survey']),
      mentioning('RD-TRIALS', 'Clinical trial volunteers', ['clinical trial', 'trial volunteer']),
    ],
  },
  {
    id: 'eu-grant',
    name: 'EU grant',
    about: 'The direct costs of a Horizon Europe grant. Indirect costs are a flat rate, and so on no statement.',
    categories: [
      mentioning('EU-A-PERSONNEL', 'A. Personnel', WAGES),
      mentioning('EU-B-SUBCONTRACTING', 'B. Subcontracting', ['subcontract', 'freelance', 'consulting']),
      mentioning('EU-C1-TRAVEL', 'C.1 Travel and subsistence', [
        'airline',
        'airways',
        'Deutsche Bahn',
        'SNCF',
        'Eurostar',
        'hotel',
        'Booking.com',
      ]),
      mentioning('EU-C2-EQUIPMENT', 'C.2 Equipment', ['Dell', 'Lenovo', 'Thermo Fisher', 'laboratory equipment']),
      mentioning('EU-C3-OTHER', 'C.3 Other goods, works and services', [...SOFTWARE_WORDS, ...CLOUD_WORDS, 'publication fee']),
    ],
  },
];
