import { Entity, Index } from 'typeorm';
import { RecordFields, RowOf } from '../../api/validation/record-fields.js';
import { CustomFieldsColumn, TextColumn, type CustomValues } from '../../store/database/columns.js';
import { ClaimProjectDto, CreateClaimProjectDto, ListClaimProjectsQuery, UpdateClaimProjectDto } from './projects.dto.js';
import { PersonStays } from '../../store/tenant/organization-tables.js';

@Entity('claim_projects')
@PersonStays(['name', 'client_reference', 'metadata', 'custom_fields', 'unique_key', 'search_key'])
@Index('claim_projects_newest', ['organizationId', 'environment', 'id'])
@Index('claim_projects_changed', ['organizationId', 'environment', 'updatedAt'])
@Index('claim_projects_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('claim_projects_by_reference', ['organizationId', 'environment', 'clientReference', 'id'])
@Index('claim_projects_search', { synchronize: false })
@Index('claim_projects_unique', ['organizationId', 'environment', 'uniqueKey'], { unique: true })
export class Project extends RowOf(CreateClaimProjectDto) {
  /** Equal for two projects that must not both exist. A digest, since index entries are limited in size. */
  @TextColumn({ select: false }) uniqueKey?: string;
  /** Name and client reference, folded: the text that a search looks through. */
  @TextColumn({ select: false }) searchKey?: string;
  @CustomFieldsColumn() customFields?: CustomValues;
}

export const PROJECT_FIELDS = new RecordFields({
  entity: Project,
  create: CreateClaimProjectDto,
  update: UpdateClaimProjectDto,
  answer: ClaimProjectDto,
  list: ListClaimProjectsQuery,
  customFieldsOf: 'claim_projects',
});
