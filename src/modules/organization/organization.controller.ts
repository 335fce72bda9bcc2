import { Controller } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import type { RequestContext } from '../../api/operation/operation.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import { OrganizationDto } from './organization.dto.js';
import { OrganizationService } from './organization.service.js';

@Capability({ about: 'The organization of the credential, with its plan and its limits.', guide: 'docs/environments.md' })
@Controller('v1/organization')
export class OrganizationController {
  constructor(private readonly organizations: OrganizationService) {}

  @Operation({
    id: 'organization.get',
    route: 'GET /',
    scope: 'organization:read',
    concerns: 'organization',
    tool: { name: 'get_organization', risk: 'read_only', says: 'Use it to see whose data this is, and its plan, time zone and limits.' },
    summary: 'Get the organization of the credential',
    description: 'With its plan, its time zone and its limits.',
    returns: OrganizationDto,
  })
  async get(@Ctx() ctx: RequestContext): Promise<OrganizationDto> {
    return this.organizations.present(await this.organizations.byId(ctx.organizationId));
  }
}
