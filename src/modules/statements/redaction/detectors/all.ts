import type { Detector } from '../finding.js';
import { findAccounts, findUkAccounts, findUsRoutings } from './bank-numbers.js';
import { findCards } from './card.js';
import { findEmails } from './email.js';
import { findIbans } from './iban.js';
import { findNationalIds } from './national-ids.js';
import { findPersons } from './person.js';
import { findPhones } from './phone.js';
import { findPostalAddresses } from './postal-address.js';

/** The detectors for the name of an organisation, where a person's name is part of it, as in `Max Muster GmbH`. */
export function nameDetectors(known: readonly Detector[] = []): readonly Detector[] {
  // What can be told most surely comes first, since the next ones do not see it. An address may hold a name, so it comes before names.
  return [
    findEmails,
    findIbans,
    ...known,
    findUkAccounts,
    findCards,
    findUsRoutings,
    findNationalIds,
    findPhones,
    findAccounts,
    findPostalAddresses,
  ];
}

/** The detectors for free text. The known ones are those that know whom the line is about. */
export const textDetectors = (known: readonly Detector[] = []): readonly Detector[] => [...nameDetectors(known), findPersons];
