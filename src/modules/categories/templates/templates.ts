import type { Category } from '../category.entity.js';

export type TemplateCategory = Readonly<Pick<Category, 'code' | 'name' | 'sourceMapping'>>;

export interface CategoryTemplate {
  /** In the address of its page. */
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly categories: readonly TemplateCategory[];
}

const FIELDS = ['description', 'counterparty'];

/** A category of lines that mention one of the words, which commas separate, whatever their case. */
const mentioning = (code: string, name: string, words: string, claimablePercent = 100): TemplateCategory => ({
  code,
  name,
  sourceMapping: {
    rules: [{ claimablePercent, any: words.split(', ').flatMap((value) => FIELDS.map((field) => ({ field, op: 'contains', value }))) }],
  },
});

const SOFTWARE = 'GitHub, GitLab, Atlassian, JetBrains, Adobe, Slack, Zoom, Notion, Figma, software licence';
const CLOUD = 'Amazon Web Services, AWS EMEA, Microsoft Azure, Google Cloud, Hetzner, DigitalOcean, OVH, Cloudflare';

/** Words that many statements have. They are a start: people look at what a report leaves over, and add their own. */
const GENERAL: readonly CategoryTemplate[] = [
  {
    id: 'travel',
    name: 'Travel',
    about: 'Rail, air, taxi, hire cars and fuel.',
    categories: [
      mentioning('TRAVEL-RAIL', 'Rail travel', 'Trainline, LNER, Great Western Railway, Deutsche Bahn, SNCF, Eurostar, railway'),
      mentioning('TRAVEL-AIR', 'Air travel', 'airline, airways, Lufthansa, easyJet, Ryanair, KLM, Air France, flight'),
      mentioning('TRAVEL-TAXI', 'Taxis and local transport', 'taxi, Uber, Bolt.eu, FreeNow, TfL, Transport for London'),
      mentioning('TRAVEL-CAR', 'Hire cars and fuel', 'Sixt, Europcar, Hertz, Avis, Enterprise Rent, petrol, parking'),
    ],
  },
  {
    id: 'subsistence',
    name: 'Subsistence',
    about: 'Hotels, and meals on business trips.',
    categories: [
      mentioning('SUBSISTENCE-HOTEL', 'Hotels', 'hotel, Booking.com, Airbnb, Premier Inn, Travelodge, Ibis, Motel One'),
      mentioning('SUBSISTENCE-MEALS', 'Meals', 'restaurant, Pret A Manger, catering, Deliveroo, Lieferando'),
    ],
  },
  {
    id: 'staff',
    name: 'Staff',
    about: 'Wages, employer contributions and pensions.',
    categories: [
      mentioning('STAFF-WAGES', 'Wages and salaries', 'salary, salaries, wages, payroll, Gehalt, Lohn'),
      mentioning('STAFF-SOCIAL', 'Employer contributions', 'HMRC PAYE, PAYE/NIC, national insurance, Krankenkasse, Sozialversicherung'),
      mentioning('STAFF-PENSION', 'Pensions', 'pension, NEST pension, Smart Pension, Betriebsrente'),
    ],
  },
  {
    id: 'subcontractors',
    name: 'Subcontractors',
    about: 'Freelancers, agencies and consultants.',
    categories: [
      mentioning('SUBCONTRACTORS', 'Subcontractors', 'subcontract, freelance, contractor, consultancy, consulting, Upwork, Fiverr'),
    ],
  },
  {
    id: 'software-and-cloud',
    name: 'Software and cloud',
    about: 'Licences, subscriptions and computing.',
    categories: [mentioning('SOFTWARE', 'Software', SOFTWARE), mentioning('CLOUD', 'Cloud computing', CLOUD)],
  },
  {
    id: 'utilities',
    name: 'Utilities',
    about: 'Electricity, gas, water, phone and internet.',
    categories: [
      mentioning('UTILITIES-ENERGY', 'Electricity and gas', 'British Gas, EDF, E.ON, Octopus Energy, Vattenfall, electricity, Stadtwerke'),
      mentioning('UTILITIES-WATER', 'Water', 'Thames Water, Severn Trent, water services, Wasserwerke'),
      mentioning('UTILITIES-TELECOM', 'Phone and internet', 'Vodafone, BT Group, Telekom, O2, broadband'),
    ],
  },
  {
    id: 'rent',
    name: 'Rent',
    about: 'Rent of offices and workshops, and their service charges.',
    categories: [mentioning('RENT', 'Rent', 'rent of the office, office rent, service charge, WeWork, Regus, Miete')],
  },
];

const WAGES = 'salary, salaries, wages, payroll, PAYE, pension';
/** Of payments to unconnected subcontractors and for externally provided workers, UK law lets 65 % count. */
const UNCONNECTED_PERCENT = 65;

/** The kinds of expenses that authorities ask for by name. */
const GRANTS: readonly CategoryTemplate[] = [
  {
    id: 'uk-rd',
    name: 'UK R&D tax relief',
    about:
      'The kinds of qualifying expenditure of the additional information form. Externally provided workers and contracted out R&D ' +
      `count at ${UNCONNECTED_PERCENT} %, as for unconnected parties. Check which lines are of the project: a bank cannot know.`,
    categories: [
      mentioning('RD-STAFF', 'Staff', WAGES),
      mentioning('RD-EPW', 'Externally provided workers', 'agency worker, recruitment, Hays, Adecco, Randstad', UNCONNECTED_PERCENT),
      mentioning('RD-CONTRACTED', 'Contracted out R&D', 'subcontract, contract research, testing services', UNCONNECTED_PERCENT),
      mentioning('RD-CONSUMABLES', 'Consumable items', 'RS Components, Farnell, Mouser, Digi-Key, Sigma-Aldrich, Fisher Scientific'),
      mentioning('RD-SOFTWARE', 'Software', SOFTWARE),
      mentioning('RD-CLOUD', 'Cloud computing', CLOUD),
      mentioning('RD-DATA', 'Data licences', 'data licence, data license, dataset, Refinitiv, Ordnance Survey'),
      mentioning('RD-TRIALS', 'Clinical trial volunteers', 'clinical trial, trial volunteer'),
    ],
  },
  {
    id: 'eu-grant',
    name: 'EU grant',
    about: 'The direct costs of a Horizon Europe grant. Indirect costs are a flat rate, and so on no statement.',
    categories: [
      mentioning('EU-A-PERSONNEL', 'A. Personnel', WAGES),
      mentioning('EU-B-SUBCONTRACTING', 'B. Subcontracting', 'subcontract, freelance, consulting'),
      mentioning('EU-C1-TRAVEL', 'C.1 Travel and subsistence', 'airline, airways, Deutsche Bahn, SNCF, Eurostar, hotel, Booking.com'),
      mentioning('EU-C2-EQUIPMENT', 'C.2 Equipment', 'Dell, Lenovo, Thermo Fisher, laboratory equipment'),
      mentioning('EU-C3-OTHER', 'C.3 Other goods, works and services', `${SOFTWARE}, ${CLOUD}, publication fee`),
    ],
  },
];

export const TEMPLATES: readonly CategoryTemplate[] = [...GENERAL, ...GRANTS];
