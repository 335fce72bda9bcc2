import { Entity, Index } from 'typeorm';
import { CustomFieldsColumn, DateColumn, JsonColumn, TenantRow, TextColumn } from '../../store/database/columns.js';
import type { CustomValues } from '../../store/tenant/custom-columns.js';
import type { FreeForm } from '../../kernel/json.js';

export const PROJECT_STATUSES = ['draft', 'active', 'archived'] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

@Entity('claim_projects')
@Index('claim_projects_newest', ['organizationId', 'environment', 'id'])
@Index('claim_projects_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('claim_projects_search', { synchronize: false })
@Index('claim_projects_unique', ['organizationId', 'environment', 'uniqueKey'], { unique: true })
export class Project extends TenantRow {
  @TextColumn() name: string;
  @TextColumn({ nullable: true }) clientReference: string | null;
  @DateColumn() periodStart: string;
  @DateColumn() periodEnd: string;
  @TextColumn() status: ProjectStatus;
  @JsonColumn() metadata: FreeForm;
  /** Equal for two projects that must not both exist. A digest, since index entries are limited in size. */
  @TextColumn({ select: false }) uniqueKey?: string;
  /** Name and client reference, folded: the text that a search looks through. */
  @TextColumn({ select: false }) searchKey?: string;
  @CustomFieldsColumn() customFields?: CustomValues;
}
