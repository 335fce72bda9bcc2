import { Controller } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import type { RequestContext } from '../../api/call/request-context.js';
import { Operation } from '../../api/operation/operation.decorator.js';
import { UsageDto } from './usage.dto.js';
import { UsageService } from './usage.service.js';

@Controller('v1/usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Operation({
    id: 'usage.get',
    route: 'GET /',
    scope: 'usage:read',
    tool: { name: 'get_usage_summary', risk: 'read_only', hint: 'Before many calls: it shows what the rate limit still allows.' },
    summary: 'Get the usage of the current billing period',
    description: 'Calls by capability, and the state of the rate limit. Calls through other replicas appear within a second.',
    returns: UsageDto,
  })
  get(@Ctx() ctx: RequestContext): Promise<UsageDto> {
    return this.usage.summary(ctx);
  }
}
