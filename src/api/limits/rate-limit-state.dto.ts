import { Integer, OneOfSoFar, Timestamp } from '../validation/fields.js';
import type { Plan } from '../../kernel/plans.js';
import { PLAN_NAMES } from '../../kernel/settings/setting-text.js';

export class RateLimitStateDto {
  @OneOfSoFar([PLAN_NAMES], { about: 'The rate-limit tier that applies.', example: 'enterprise' }) tier: Plan;
  @Integer({ about: 'Requests per window.', min: 1, example: 3000 }) limit: number;
  @Integer({ about: 'Length of the window in seconds.', min: 1, example: 60 }) windowSeconds: number;
  @Integer({ about: 'Requests that can be sent at once now.', min: 0, example: 998 }) remaining: number;
  @Timestamp({ about: 'When the limit is fully replenished.' }) resetAt: string;
}
