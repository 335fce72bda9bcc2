import { ExportedOriginals } from '../content/exported-originals.js';
import { ImportRecord } from './import-record.js';
import { ImportService } from './import.service.js';
import { StoredNamesService } from './stored-names.service.js';

/** What imports statements, and says how their files are exported. */
export const IMPORT_PROVIDERS = [ExportedOriginals, ImportRecord, ImportService, StoredNamesService];
