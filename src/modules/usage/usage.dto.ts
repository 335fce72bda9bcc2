import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { RateLimitStateDto } from '../../api/limits/rate-limit-state.dto.js';
import { CalendarDate, Integer, ListOf, Nested, OneOf, Text } from '../../api/validation/fields.js';

export class BillingPeriodDto {
  @CalendarDate({ about: 'First day of the period (UTC).', example: '2026-01-15' }) start: string;
  @CalendarDate({ about: 'First day of the next period (UTC).', example: '2026-02-15' }) end: string;
}

export class CapabilityUsageDto {
  @Text({ about: 'The capability: the first part of a scope, or `api` for operations without one.', example: 'claim_projects' })
  capability: string;
  @Integer({ about: 'Calls by GET.', min: 0, example: 42 }) reads: number;
  @Integer({ about: 'All other calls.', min: 0, example: 7 }) writes: number;
  @Integer({ about: 'Those of them that were answered with 400 or more.', min: 0, example: 1 }) failed: number;
  @Integer({ about: 'Reads and writes.', min: 0, example: 49 }) total: number;
}

export class UsageDto {
  @Nested(BillingPeriodDto, { about: 'The current billing period.' }) billingPeriod: BillingPeriodDto;
  @OneOf(ENVIRONMENTS, { about: 'The environment whose calls were counted.' }) environment: Environment;
  @ListOf(CapabilityUsageDto, { about: 'Every capability there is, also those without a call.' })
  capabilities: CapabilityUsageDto[];
  @Integer({ about: 'All calls of the period.', min: 0, example: 49 }) total: number;
  @Nested(RateLimitStateDto, { about: 'The limit that is enforced, and where it stands.' }) rateLimit: RateLimitStateDto;
}
