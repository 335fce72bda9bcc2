import { Injectable } from '@nestjs/common';
import { OrganizationLimit } from '../../api/limits/organization-limit.js';
import { Implements } from '../../store/discovery/ports.js';

/** API keys of one organization that may be in force at once: far more than integrations need, few enough to oversee. */
export const MAX_API_KEYS = 100;

@Implements(OrganizationLimit)
@Injectable()
export class KeyLimit implements OrganizationLimit {
  readonly name = 'apiKeys';

  of(): number {
    return MAX_API_KEYS;
  }
}
