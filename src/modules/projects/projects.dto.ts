import { RecordPageQuery } from '../../api/dto/page.js';
import { CalendarDate, Changes, FreeFormObject, OneOf, OR_NULL, Text } from '../../api/validation/fields.js';
import { AnswerOf } from '../../api/validation/record-fields.js';
import { FREE_FORM_FIELD, type FreeForm } from '../../kernel/json.js';

export const PROJECT_STATUSES = ['draft', 'active', 'archived'] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

export class CreateClaimProjectDto {
  @Text({
    about: 'Name of the project. Name (case-insensitive) and client reference together are unique.',
    min: 1,
    max: 200,
    example: 'Berlin office 2026',
    people: { inList: true },
  })
  name: string;

  @Text({
    about: 'Your reference for the client or matter.',
    max: 200,
    ...OR_NULL,
    example: 'CLIENT-1042',
    people: { hint: 'Your own, if you have one.', inList: true },
  })
  clientReference?: string | null;

  @CalendarDate({
    about: 'First day of the claim period.',
    example: '2026-01-01',
    alsoCalled: ['startDate', 'dateFrom'],
    people: { label: 'First day of the period', until: ['periodEnd', 'Period'], inList: true },
  })
  periodStart: string;

  @CalendarDate({
    about: 'Last day of the claim period; not before the first.',
    example: '2026-12-31',
    alsoCalled: ['endDate', 'dateTo'],
    people: { label: 'Last day of the period', onPage: false },
  })
  periodEnd: string;

  @OneOf(PROJECT_STATUSES, {
    about: 'Status of the project. It may change to any other.',
    optional: true,
    default: 'draft',
    example: 'active',
    people: { words: { draft: ['Draft'], active: ['Active', 'good'], archived: ['Archived', 'busy'] }, inList: true },
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

export class ListClaimProjectsQuery extends RecordPageQuery {
  @Text({ about: 'Case-insensitive substring of the name or client reference.', max: 200, optional: true, example: 'berlin' })
  search?: string;

  @Text({ about: 'Only projects with exactly this client reference. An addition.', max: 200, optional: true, example: 'CLIENT-1042' })
  client_reference?: string;

  @OneOf(PROJECT_STATUSES, { about: 'Only projects with this status.', optional: true, example: 'active' })
  status?: ProjectStatus;
}

export class ClaimProjectDto extends AnswerOf(CreateClaimProjectDto) {}
