import { Controller } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import type { RequestContext } from '../../api/operation/operation.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import { UsageSummaryDto } from './usage.dto.js';
import { UsageService } from './usage.service.js';

@Capability({
  about: 'Requests of the current billing period by capability and by credential, and the state of the rate limit.',
  guide: 'docs/limits.md',
})
@Controller('v1/usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Operation({
    id: 'usage.get',
    route: 'GET /',
    scope: 'usage:read',
    concerns: 'organization',
    tool: {
      name: 'get_usage_summary',
      risk: 'read_only',
      isLarge: true,
      says:
        'Use it before many calls, to see what the rate limit still allows. ' +
        'Requests by capability, and by key and application, and the state of the rate limit. A request may take up to a second to appear.',
    },
    summary: 'Get the usage of the current billing period',
    description:
      'Requests by capability, and by key and application, and the state of the rate limit. A request may take up to a second to appear.',
    returns: UsageSummaryDto,
  })
  get(@Ctx() ctx: RequestContext): Promise<UsageSummaryDto> {
    return this.usage.summary(ctx.principal);
  }
}
