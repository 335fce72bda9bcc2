import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { RateLimitStateDto } from '../../api/limits/rate-limit-state.dto.js';
import { CLIENTS_MAX } from './usage-credential.entity.js';
import { CalendarDate, Integer, ListOf, Nested, OneOf, Text, Uuid } from '../../api/validation/fields.js';

const CREDENTIAL_TYPES = ['api_key', 'oauth'] as const;

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

export const CREDENTIALS_MAX = 500;

export class UsageSummaryClientDto {
  @Text({ about: 'What the client calls itself, which proves nothing.', example: 'Claude Code' }) name: string;
  @Integer({ about: 'Its requests.', min: 1, example: 12 }) calls: number;
}

export class UsageSummaryCredentialDto {
  @Uuid({ about: 'The API key or the application.' }) id: string;
  @Text({ about: 'Its name at its last call.', example: 'Month-end sync' }) name: string;
  @OneOf(CREDENTIAL_TYPES, { about: 'An API key, or an application with access tokens.' }) type: (typeof CREDENTIAL_TYPES)[number];
  @Integer({ about: 'All its requests.', min: 0, example: 49 }) calls: number;
  @ListOf(UsageSummaryClientDto, { about: `The clients of tools by which it has made most of them, at most ${CLIENTS_MAX}.` })
  clients: UsageSummaryClientDto[];
}

export class UsageSummaryDto {
  @Nested(UsageSummaryPeriodDto, { about: 'The current billing period.' }) billingPeriod: UsageSummaryPeriodDto;
  @OneOf(ENVIRONMENTS, { about: 'The environment whose requests were counted.' }) environment: Environment;
  @ListOf(UsageSummaryCapabilityDto, { about: 'All capabilities, also those without requests.' })
  capabilities: UsageSummaryCapabilityDto[];
  @Integer({ about: 'All requests of the period.', min: 0, example: 49 }) total: number;
  @ListOf(UsageSummaryCredentialDto, {
    about: `The API keys and applications with most requests of the period, at most ${CREDENTIALS_MAX}.`,
  })
  credentials: UsageSummaryCredentialDto[];
  @Integer({ about: 'How many others have made requests in the period.', min: 0, example: 0 }) credentialsLeftOut: number;
  @Nested(RateLimitStateDto, { about: 'The rate limit and its current state.' }) rateLimit: RateLimitStateDto;
}
