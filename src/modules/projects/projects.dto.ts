import { PageQuery } from '../../api/dto/page.js';
import { RecordDto } from '../../api/dto/record.dto.js';
import { Both, CalendarDate, Changes, Complete, FreeFormObject, OneOf, Text } from '../../api/validation/fields.js';
import { CustomFields } from '../../api/validation/custom-fields.js';
import { FREE_FORM_FIELD, type FreeForm } from '../../kernel/json.js';
import { PROJECT_STATUSES, Project, type ProjectStatus } from './project.entity.js';

export class CreateClaimProjectDto {
  @Text({
    about: 'Name of the project. Name (case-insensitive) and client reference together are unique.',
    min: 1,
    max: 200,
    example: 'Berlin office 2026',
  })
  name: string;

  @Text({ about: 'Your reference for the client or matter.', max: 200, optional: true, nullable: true, example: 'CLIENT-1042' })
  clientReference?: string | null;

  @CalendarDate({ about: 'First day of the claim period.', example: '2026-01-01', alsoCalled: ['startDate', 'dateFrom'] })
  periodStart: string;

  @CalendarDate({
    about: 'Last day of the claim period; not before the first.',
    example: '2026-12-31',
    alsoCalled: ['endDate', 'dateTo'],
  })
  periodEnd: string;

  @OneOf(PROJECT_STATUSES, {
    about: 'Status of the project. It may change to any other.',
    optional: true,
    default: 'draft',
    example: 'active',
  })
  status?: ProjectStatus;

  @FreeFormObject({
    about: `Any data that you want to store with the project. ${FREE_FORM_FIELD}`,
    optional: true,
    default: {},
    example: { officeCode: 'BER-1' },
  })
  metadata?: FreeForm;
}

export class UpdateClaimProjectDto extends Changes(CreateClaimProjectDto) {}

export class ListClaimProjectsQuery extends PageQuery {
  @Text({ about: 'Case-insensitive substring of the name or client reference.', max: 200, optional: true, example: 'berlin' })
  search?: string;

  @OneOf(PROJECT_STATUSES, { about: 'Only projects with this status.', optional: true, example: 'active' })
  status?: ProjectStatus;
}

export class ClaimProjectDto extends Both(RecordDto, Complete(CreateClaimProjectDto)) {
  static from(row: Project): ClaimProjectDto {
    const { id, environment, name, clientReference, periodStart, periodEnd, status, metadata, createdAt, updatedAt } = row;
    return {
      id,
      environment,
      name,
      clientReference,
      periodStart,
      periodEnd,
      status,
      metadata,
      createdAt,
      updatedAt,
      ...PROJECT_FIELDS.shown(row),
    };
  }
}

/** The fields that extensions declare. */
export const PROJECT_FIELDS = new CustomFields({
  table: 'claim_projects',
  entity: Project,
  create: CreateClaimProjectDto,
  update: UpdateClaimProjectDto,
  answer: ClaimProjectDto,
  list: ListClaimProjectsQuery,
});
