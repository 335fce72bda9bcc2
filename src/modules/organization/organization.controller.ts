import { Controller } from '@nestjs/common';
import { MAX_API_KEYS } from '../../platform/access/max-api-keys.js';
import { Settings } from '../../platform/config/settings.js';
import { Ctx } from '../../platform/context/ctx.decorator.js';
import type { RequestContext } from '../../platform/context/request-context.js';
import { tierOf } from '../../platform/limits/tiers.js';
import { Operation } from '../../platform/operation/operation.decorator.js';
import { OrganizationDto } from './organization.dto.js';
import { OrganizationService } from './organization.service.js';

@Controller('v1/organization')
export class OrganizationController {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly settings: Settings,
  ) {}

  @Operation({
    id: 'organization.get',
    route: 'GET /',
    scope: 'organization:read',
    tool: { name: 'get_organization', risk: 'read_only' },
    summary: 'Get the organization of the credential',
    returns: OrganizationDto,
  })
  async get(@Ctx() ctx: RequestContext): Promise<OrganizationDto> {
    const organization = await this.organizations.byId(ctx.organizationId);
    return OrganizationDto.from(organization, tierOf(this.settings.rateLimits, organization), MAX_API_KEYS);
  }
}
