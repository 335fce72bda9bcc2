export { OAuthModule } from './oauth.module.js';
export { ApplicationsService, type IssuedApplication } from './applications/applications.service.js';
export { ConnectionRulesService } from './shared/connections/connections.service.js';
export type { ConnectionRule } from './shared/connections/connection-rule.entity.js';
export { RegistrationsService } from './shared/registrations/registrations.service.js';
export { GRANT_TYPES, type GrantType, type SecurityRule } from './applications/application.entity.js';
