import { Injectable } from '@nestjs/common';
import { FirstStep } from '../../../api/console/overview.js';
import type { PageContext } from '../../../api/console/page-context.js';
import { isAtLeast } from '../../../kernel/roles.js';
import { Implements } from '../../../store/discovery/ports.js';
import { ApiKeysService } from '../api-keys.service.js';
import { KEYS_ROLE } from './api-keys.views.js';

/** Done with the first call by any key of the environment: a key that nobody uses proves nothing. */
@Implements(FirstStep)
@Injectable()
export class FirstKeyStep implements FirstStep {
  readonly order = 10;
  readonly title = 'Create an API key and use it';
  readonly about = 'Your programs call the API with it. The page of a new key has a line to try.';
  readonly path = 'keys';

  constructor(private readonly keys: ApiKeysService) {}

  isFor({ user }: PageContext): boolean {
    return isAtLeast(user.role, KEYS_ROLE);
  }

  isDone(ctx: PageContext): Promise<boolean> {
    return this.keys.hasUsed(ctx);
  }
}
