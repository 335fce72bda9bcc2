export { ApiKeysModule } from './api-keys.module.js';
export { ApiKeysService, type ApiKeyChange, type IssuedKey, type NewApiKey } from './api-keys.service.js';
