export { OAuthModule } from './oauth.module.js';
export { ApplicationsService, type IssuedApplication } from './applications/applications.service.js';
export { GRANT_TYPES, type GrantType } from './applications/application.entity.js';
