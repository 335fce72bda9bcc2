import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { RateLimitStateDto } from '../../api/limits/rate-limit-state.dto.js';
import { CalendarDate, Integer, ListOf, Nested, OneOf, Text } from '../../api/validation/fields.js';

export class UsageSummaryPeriodDto {
  @CalendarDate({ about: 'First day of the period (UTC).', example: '2026-01-15' }) start: string;
  @CalendarDate({ about: 'First day of the next period (UTC).', example: '2026-02-15' }) end: string;
}

export class UsageSummaryCapabilityDto {
  @Text({ about: 'The capability: the first part of a scope, or `api` for operations without one.', example: 'claim_projects' })
  capability: string;
  @Integer({ about: 'GET requests.', min: 0, example: 42 }) reads: number;
  @Integer({ about: 'All other requests.', min: 0, example: 7 }) writes: number;
  @Integer({ about: 'Requests of either kind with a status of 400 or more.', min: 0, example: 1 }) failed: number;
  @Integer({ about: 'Reads and writes together.', min: 0, example: 49 }) total: number;
}

export class UsageSummaryDto {
  @Nested(UsageSummaryPeriodDto, { about: 'The current billing period.' }) billingPeriod: UsageSummaryPeriodDto;
  @OneOf(ENVIRONMENTS, { about: 'The environment whose requests were counted.' }) environment: Environment;
  @ListOf(UsageSummaryCapabilityDto, { about: 'All capabilities, also those without requests.' })
  capabilities: UsageSummaryCapabilityDto[];
  @Integer({ about: 'All requests of the period.', min: 0, example: 49 }) total: number;
  @Nested(RateLimitStateDto, { about: 'The rate limit and its current state.' }) rateLimit: RateLimitStateDto;
}
