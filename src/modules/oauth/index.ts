export { OAuthModule } from './oauth.module.js';
export { ApplicationsService, type IssuedApplication } from './applications.service.js';
export { GRANT_TYPES, type GrantType } from './application.entity.js';
