import type { ExtensionFacts } from '../../../../test/extension-api.js';

/** What laws cannot find out about the extension. */
export const facts: ExtensionFacts = {
  sharedRecords: { '/v1/suppliers': 'A supplier sells to every project.' },
};
