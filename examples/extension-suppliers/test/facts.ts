import type { ExtensionFacts } from '../../../../test/extension-api.js';

/** What laws cannot find out about the extension. */
export const facts: ExtensionFacts = {
  related: { supplierId: '/v1/suppliers' },
  sharedRecords: { '/v1/suppliers': 'A supplier sells to every project.' },
};
