import { pick } from '../../kernel/changes.js';
import { declareEvent, type EventDeclaration } from '../../kernel/declare-event.js';
import type { AnyStatus } from '../../kernel/organization-status.js';
import type { Plan } from '../../kernel/plans.js';
import { PLAN_NAMES } from '../../kernel/settings/setting-text.js';
import { CustomFields } from '../../api/validation/custom-fields.js';
import { fieldsOf } from '../../api/validation/field.js';
import { CalendarDate, Flag, Integer, Nested, OneOf, OneOfSoFar, Text, Timestamp, Uuid } from '../../api/validation/fields.js';
import { ORGANIZATION_STATUSES, Organization } from './organization.entity.js';

export class OrganizationLimitsDto {
  @OneOfSoFar([PLAN_NAMES], { about: 'The rate-limit tier that applies.', example: 'enterprise' }) rateTier: Plan;
  @Integer({ about: 'Requests per minute, in each environment.', min: 1, example: 3000 }) requestsPerMinute: number;
  @Integer({ about: 'Requests that can be sent at once.', min: 1, example: 1000 }) burst: number;
  @Integer({ about: 'Maximum number of valid API keys in each environment.', min: 1, example: 200 }) apiKeys: number;
  @Integer({ about: 'Maximum number of webhook endpoints in each environment; 0 if the plan has no webhooks.', min: 0, example: 50 })
  webhooks: number;
  @Integer({ about: 'Maximum number of expense categories in each environment.', min: 1, example: 10_000 }) expenseCategories: number;
  @Integer({ about: 'Maximum number of report configurations in each environment.', min: 1, example: 10_000 }) reportConfigurations: number;
  @Integer({ about: 'Maximum number of bank statements in each environment.', min: 1, example: 100_000 }) bankStatements: number;
  @Integer({ about: 'Maximum number of claim items in each environment.', min: 1, example: 100_000 }) claimItems: number;
  @Integer({ about: 'Maximum number of receipts in each environment.', min: 1, example: 100_000 }) receipts: number;
  @Integer({ about: 'Maximum number of partner applications in each environment.', min: 1, example: 100 }) applications: number;
  @Integer({ about: 'Maximum number of users.', min: 1, example: 1000 }) members: number;
}

export class OrganizationDto {
  @Uuid({ about: 'Id of the organization.' }) id: string;
  @Text({ about: 'Name of the organization.', example: 'Example Accountants' }) name: string;
  @Text({ about: 'Short name for URLs and commands.', example: 'example-accountants' }) slug: string;
  @OneOfSoFar([PLAN_NAMES], { about: 'The plan; some operations require `enterprise`.', example: 'enterprise' }) plan: Plan;
  @OneOf(ORGANIZATION_STATUSES, { about: 'A suspended organization has no access.' }) status: AnyStatus;
  @Text({ about: 'Country (ISO 3166-1 alpha-2).', nullable: true, example: 'DE' }) country: string | null;
  @Text({ about: 'Time zone (IANA name).', example: 'Europe/Berlin' }) timeZone: string;
  @CalendarDate({ about: 'Billing periods start on this day of the month, or on the last day of a shorter month.', example: '2026-01-15' })
  billingCycleAnchor: string;
  @Nested(OrganizationLimitsDto, { about: 'What the plan allows.' }) limits: OrganizationLimitsDto;
  @Flag({
    about: 'Whether counterparties of bank statements are replaced by tokens unless they are recognised as organisations.',
    example: true,
  })
  redactCounterparties: boolean;
  @Flag({ about: 'Whether the names behind the tokens of people are kept, encrypted, for key lists of reports.', example: false })
  keepNames: boolean;
  @Flag({ about: 'Whether people who sign in with a password need a second factor, too.', example: false })
  requireSecondFactor: boolean;
  @Flag({ about: 'Whether its audit log is such that people can be erased from it. An addition.', example: true })
  forgetsPeople: boolean;
  @Timestamp({ about: 'When the organization was created.' }) createdAt: string;
  @Timestamp({ about: 'When the organization was last changed.' }) updatedAt: string;

  static from(row: Organization, limits: OrganizationLimitsDto): OrganizationDto {
    const shown = [...fieldsOf(OrganizationDto.prototype).keys()] as (keyof OrganizationDto)[];
    return ORGANIZATION_FIELDS.answered(pick({ ...row, limits }, shown), row);
  }
}

/** Its own fields are declared one by one: each is changed in its own way. */
export const ORGANIZATION_FIELDS = new CustomFields({
  table: 'organizations',
  entity: Organization,
  inputs: [],
  answers: [OrganizationDto],
});

export const OrganizationUpdated: EventDeclaration = declareEvent({
  kind: 'organization.updated',
  status: 'emitted',
  summary: 'The organization was changed. Sent in both environments.',
  data: OrganizationDto,
});
