export { entitledSql } from './entitled-sql.js';
export { OrganizationModule } from './organization.module.js';
export { OrganizationService, type NewOrganization, type OrganizationChange } from './organization.service.js';
