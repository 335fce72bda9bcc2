import { PLANS, type Plan } from '../../kernel/plans.js';
import { CalendarDate, Integer, Nested, OneOf, Text, Timestamp, Uuid } from '../../api/validation/fields.js';
import { ORGANIZATION_STATUSES, type Organization, type OrganizationStatus } from './organization.entity.js';

export class OrganizationLimitsDto {
  @OneOf(PLANS, { about: 'The rate-limit tier that is enforced.', example: 'enterprise' }) rateTier: Plan;
  @Integer({ about: 'Requests per minute, in each environment.', min: 1, example: 3000 }) requestsPerMinute: number;
  @Integer({ about: 'Requests that may come at once.', min: 1, example: 1000 }) burst: number;
  @Integer({ about: 'API keys that may be in force at once.', min: 1, example: 100 }) apiKeys: number;
  @Integer({ about: 'Webhook endpoints that there may be, in each environment; 0 where the plan has no webhooks.', min: 0, example: 50 })
  webhooks: number;
}

export class OrganizationDto {
  @Uuid({ about: 'Id of the organization.' }) id: string;
  @Text({ about: 'What the organization is called.', example: 'Example Accountants' }) name: string;
  @Text({ about: 'Short name for addresses and commands.', example: 'example-accountants' }) slug: string;
  @OneOf(PLANS, { about: 'The plan; some operations need `enterprise`.', example: 'enterprise' }) plan: Plan;
  @OneOf(ORGANIZATION_STATUSES, { about: 'A suspended organization has no access.' }) status: OrganizationStatus;
  @Text({ about: 'Country (ISO 3166-1 alpha-2).', nullable: true, example: 'DE' }) country: string | null;
  @Text({ about: 'Time zone (IANA name).', example: 'Europe/Berlin' }) timeZone: string;
  @CalendarDate({ about: 'Billing periods begin on this day of the month; on its last day where it has fewer.', example: '2026-01-15' })
  billingCycleAnchor: string;
  @Nested(OrganizationLimitsDto, { about: 'What the plan allows.' }) limits: OrganizationLimitsDto;
  @Timestamp({ about: 'When the organization was created.' }) createdAt: string;
  @Timestamp({ about: 'When it was last changed.' }) updatedAt: string;

  static from(row: Organization, limits: OrganizationLimitsDto): OrganizationDto {
    const { id, name, slug, plan, status, country, timeZone, billingCycleAnchor, createdAt, updatedAt } = row;
    return { id, name, slug, plan, status, country, timeZone, billingCycleAnchor, limits, createdAt, updatedAt };
  }
}
