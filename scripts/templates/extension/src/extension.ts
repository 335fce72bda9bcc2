import { declareExtension } from '@claims-api/extension-api';
import { ReferencesModule } from './references.module.js';

export const referencesExtension = declareExtension({
  name: 'acme-references',
  // The same as claims.madeFor in package.json.
  madeFor: '^1.0.0',
  modules: [ReferencesModule],
});
