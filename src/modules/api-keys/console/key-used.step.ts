import { Injectable } from '@nestjs/common';
import { FirstStep } from '../../../api/console/overview.js';
import type { PageContext } from '../../../api/console/page-context.js';
import { Implements } from '../../../store/discovery/ports.js';
import { ApiKeysService } from '../api-keys.service.js';

@Implements(FirstStep)
@Injectable()
export class KeyUsedStep implements FirstStep {
  readonly order = 1;
  readonly title = 'Call the API with a key';
  readonly about = 'Create a key, and paste the call that is shown with it.';
  readonly path = 'keys';
  readonly role = 'admin';

  constructor(private readonly keys: ApiKeysService) {}

  async isDone(ctx: PageContext): Promise<boolean> {
    return (await this.keys.ofTenant(ctx)).some(({ lastUsedAt }) => lastUsedAt !== null);
  }
}
