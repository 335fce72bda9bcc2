import type { Detector } from '../finding.js';
import { findCards, findIbans, findAccounts, findNationalAccounts, findUkAccounts, findUsRoutings } from './national-accounts.js';
import { findEmails, findPhones, findPostalAddresses } from './contact-details.js';
import { findBirthDates, findDocuments, findNationalIds } from './national-ids.js';
import { outside } from './known-values.js';
import { findAnnouncedNames, findNamesBesideAccounts } from './people/announced-names.js';
import { findPersons } from './person.js';

/** The detectors for names of organisations: all but the one for people, whose names may be part of it, as in `Max Muster GmbH`. */
export function nameDetectors(known: readonly Detector[] = []): readonly Detector[] {
  // The most certain detectors come first, since masks hide text from later ones. Addresses come before names: they may contain names.
  return [
    findEmails,
    findIbans,
    ...known,
    findUkAccounts,
    findNationalAccounts,
    findCards,
    findUsRoutings,
    findNationalIds,
    findDocuments,
    findBirthDates,
    findPhones,
    findAccounts,
    findPostalAddresses,
  ];
}

/** `known`: those for the values of the line's fields. The name of a company that the line is about is not searched for people. */
export const textDetectors = (known: readonly Detector[] = [], company = ''): readonly Detector[] => [
  ...nameDetectors(known),
  ...[findPersons, findAnnouncedNames, findNamesBesideAccounts].map((detector) => (company === '' ? detector : outside(company, detector))),
];
