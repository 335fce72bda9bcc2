import { Integer, OneOf, Timestamp } from '../validation/fields.js';
import { PLANS, type Plan } from '../../kernel/plans.js';

export class RateLimitStateDto {
  @OneOf(PLANS, { about: 'The tier that is enforced.', example: 'enterprise' }) tier: Plan;
  @Integer({ about: 'Requests per window.', min: 1, example: 3000 }) limit: number;
  @Integer({ about: 'Seconds of the window.', min: 1, example: 60 }) windowSeconds: number;
  @Integer({ about: 'Requests that may come at once now.', min: 0, example: 998 }) remaining: number;
  @Timestamp({ about: 'When as many may come at once as ever.' }) resetAt: string;
}
