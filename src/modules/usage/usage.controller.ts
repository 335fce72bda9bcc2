import { Controller } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import type { RequestContext } from '../../api/operation/operation.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import { UsageSummaryDto } from './usage.dto.js';
import { UsageService } from './usage.service.js';

@Capability({
  about: 'How many requests the organization has made in the current billing period, by capability, and the state of its rate limit.',
  guide: 'docs/limits.md',
})
@Controller('v1/usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Operation({
    id: 'usage.get',
    route: 'GET /',
    scope: 'usage:read',
    tool: {
      name: 'get_usage_summary',
      risk: 'read_only',
      says:
        'Use it before many calls, to see what the rate limit still allows. ' +
        'Requests by capability, and the state of the rate limit. A request may take up to a second to appear.',
    },
    summary: 'Get the usage of the current billing period',
    description: 'Requests by capability, and the state of the rate limit. A request may take up to a second to appear.',
    returns: UsageSummaryDto,
  })
  get(@Ctx() ctx: RequestContext): Promise<UsageSummaryDto> {
    return this.usage.summary(ctx.principal);
  }
}
