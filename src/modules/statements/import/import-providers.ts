import { ImportRecord } from './import-record.js';
import { ImportService } from './import.service.js';
import { StoredNamesService } from './stored-names.service.js';

/** What imports statements. */
export const IMPORT_PROVIDERS = [ImportRecord, ImportService, StoredNamesService];
