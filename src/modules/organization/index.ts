export { entitledSql } from './entitled-sql.js';
export { ErasuresRepository } from './erasures.repository.js';
export { ErasuresService } from './erasures.service.js';
export type { OrganizationErasure } from './organization-erasure.entity.js';
export { OrganizationModule } from './organization.module.js';
export { OrganizationService, type NewOrganization, type OrganizationChange } from './organization.service.js';
