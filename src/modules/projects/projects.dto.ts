import { PageQuery } from '../../api/dto/page.js';
import { RecordDto } from '../../api/dto/record.dto.js';
import { Both, CalendarDate, Changes, Complete, FreeFormObject, OneOf, Text } from '../../api/validation/fields.js';
import type { FreeForm } from '../../kernel/json.js';
import { PROJECT_STATUSES, type Project, type ProjectStatus } from './project.entity.js';

export class CreateClaimProjectDto {
  @Text({
    about: 'What the project is called. Unique together with the client reference, whatever its case.',
    min: 1,
    max: 200,
    example: 'Berlin office 2026',
  })
  name: string;

  @Text({ about: 'Your own reference for the client or matter.', max: 200, optional: true, nullable: true, example: 'CLIENT-1042' })
  clientReference?: string | null;

  @CalendarDate({ about: 'First day of the period that is claimed for.', example: '2026-01-01' })
  periodStart: string;

  @CalendarDate({ about: 'Last day of the period that is claimed for; not before `periodStart`.', example: '2026-12-31' })
  periodEnd: string;

  @OneOf(PROJECT_STATUSES, {
    about: 'Where the project stands. Any status may follow any other.',
    optional: true,
    default: 'draft',
    example: 'active',
  })
  status?: ProjectStatus;

  @FreeFormObject({
    about: 'Whatever you want to keep with the project: at most 32 KiB as JSON, nested at most 20 levels. Replaced as a whole.',
    optional: true,
    default: {},
    example: { officeCode: 'BER-1' },
  })
  metadata?: FreeForm;
}

export class UpdateClaimProjectDto extends Changes(CreateClaimProjectDto) {}

export class ListClaimProjectsQuery extends PageQuery {
  @Text({ about: 'Part of the name or of the client reference, whatever its case.', max: 200, optional: true, example: 'berlin' })
  search?: string;

  @OneOf(PROJECT_STATUSES, { about: 'Only projects with this status.', optional: true, example: 'active' })
  status?: ProjectStatus;
}

export class ClaimProjectDto extends Both(RecordDto, Complete(CreateClaimProjectDto)) {
  static from(row: Project): ClaimProjectDto {
    const { id, environment, name, clientReference, periodStart, periodEnd, status, metadata, createdAt, updatedAt } = row;
    return { id, environment, name, clientReference, periodStart, periodEnd, status, metadata, createdAt, updatedAt };
  }
}
