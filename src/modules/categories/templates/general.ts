import { mentioning, type CategoryTemplate } from './template.js';

const SOFTWARE = ['GitHub', 'GitLab', 'Atlassian', 'JetBrains', 'Adobe', 'Slack', 'Zoom', 'Notion', 'Figma', 'software licence'];
const CLOUD = ['Amazon Web Services', 'AWS EMEA', 'Microsoft Azure', 'Google Cloud', 'Hetzner', 'DigitalOcean', 'OVH', 'Cloudflare'];

/** Words that many statements have. They are a start: people look at what a report leaves over, and add their own. */
export const GENERAL: readonly CategoryTemplate[] = [
  {
    id: 'travel',
    name: 'Travel',
    about: 'Rail, air, taxi, hire cars and fuel.',
    categories: [
      mentioning('TRAVEL-RAIL', 'Rail travel', [
        'Trainline',
        'LNER',
        'Great Western Railway',
        'Deutsche Bahn',
        'SNCF',
        'Eurostar',
        'railway',
      ]),
      mentioning('TRAVEL-AIR', 'Air travel', ['airline', 'airways', 'Lufthansa', 'easyJet', 'Ryanair', 'KLM', 'Air France', 'flight']),
      mentioning('TRAVEL-TAXI', 'Taxis and local transport', ['taxi', 'Uber', 'Bolt.eu', 'FreeNow', 'TfL', 'Transport for London']),
      mentioning('TRAVEL-CAR', 'Hire cars and fuel', ['Sixt', 'Europcar', 'Hertz', 'Avis', 'Enterprise Rent', 'petrol', 'parking']),
    ],
  },
  {
    id: 'subsistence',
    name: 'Subsistence',
    about: 'Hotels, and meals on business trips.',
    categories: [
      mentioning('SUBSISTENCE-HOTEL', 'Hotels', ['hotel', 'Booking.com', 'Airbnb', 'Premier Inn', 'Travelodge', 'Ibis', 'Motel One']),
      mentioning('SUBSISTENCE-MEALS', 'Meals', ['restaurant', 'Pret A Manger', 'catering', 'Deliveroo', 'Lieferando']),
    ],
  },
  {
    id: 'staff',
    name: 'Staff',
    about: 'Wages, employer contributions and pensions.',
    categories: [
      mentioning('STAFF-WAGES', 'Wages and salaries', ['salary', 'salaries', 'wages', 'payroll', 'Gehalt', 'Lohn']),
      mentioning('STAFF-SOCIAL', 'Employer contributions', [
        'HMRC PAYE',
        'PAYE/NIC',
        'national insurance',
        'Krankenkasse',
        'Sozialversicherung',
      ]),
      mentioning('STAFF-PENSION', 'Pensions', ['pension', 'NEST pension', 'Smart Pension', 'Betriebsrente']),
    ],
  },
  {
    id: 'subcontractors',
    name: 'Subcontractors',
    about: 'Freelancers, agencies and consultants.',
    categories: [
      mentioning('SUBCONTRACTORS', 'Subcontractors', [
        'subcontract',
        'freelance',
        'contractor',
        'consultancy',
        'consulting',
        'Upwork',
        'Fiverr',
      ]),
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
      mentioning('UTILITIES-ENERGY', 'Electricity and gas', [
        'British Gas',
        'EDF',
        'E.ON',
        'Octopus Energy',
        'Vattenfall',
        'electricity',
        'Stadtwerke',
      ]),
      mentioning('UTILITIES-WATER', 'Water', ['Thames Water', 'Severn Trent', 'water services', 'Wasserwerke']),
      mentioning('UTILITIES-TELECOM', 'Phone and internet', ['Vodafone', 'BT Group', 'Telekom', 'O2', 'broadband']),
    ],
  },
  {
    id: 'rent',
    name: 'Rent',
    about: 'Rent of offices and workshops, and their service charges.',
    categories: [mentioning('RENT', 'Rent', ['rent of the office', 'office rent', 'service charge', 'WeWork', 'Regus', 'Miete'])],
  },
];

export const SOFTWARE_WORDS = SOFTWARE;
export const CLOUD_WORDS = CLOUD;
