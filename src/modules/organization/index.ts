export { type OrganizationChange, requireDeclaredPlans } from './organization-rules.js';
export { entitledSql, keptSql } from './organization.repository.js';
export { MovesService } from './moves.js';
export { ErasuresService } from './erasures.js';
export { Notice, NoticeChoices, NoticeRecipients, Notices, type NoticeText } from './notices/notices.service.js';
export type { OrganizationDto } from './organization.dto.js';
export type { Organization, OrganizationErasure } from './organization.entity.js';
export { OrganizationModule } from './organization.module.js';
export { NewOrganizations, type NewOrganization, OrganizationService } from './organization.service.js';
