import { Injectable } from '@nestjs/common';
import { OrganizationLimit } from '../../api/limits/organization-limit.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Implements } from '../../store/discovery/ports.js';

@Implements(OrganizationLimit)
@Injectable()
export class KeyLimit implements OrganizationLimit {
  readonly name = 'apiKeys';

  constructor(private readonly settings: Settings) {}

  of(): number {
    return this.settings.recordLimits.apiKeys;
  }
}
