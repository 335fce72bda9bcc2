import { Injectable } from '@nestjs/common';
import { OrganizationLimit } from '../../api/limits/organization-limit.js';
import { Implements } from '../../store/discovery/ports.js';

/** How many valid API keys an organization may have at once. */
export const MAX_API_KEYS = 100;

@Implements(OrganizationLimit)
@Injectable()
export class KeyLimit implements OrganizationLimit {
  readonly name = 'apiKeys';

  of(): number {
    return MAX_API_KEYS;
  }
}
