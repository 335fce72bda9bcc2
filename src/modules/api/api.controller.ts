import { Controller } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import { Ctx } from '../../api/call/ctx.decorator.js';
import type { RequestContext } from '../../api/call/request-context.js';
import { TenantLimits } from '../../api/limits/rate-limiter.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import { Registry } from '../../api/operation/registry.js';
import { AuthContextDto, ApiCatalogDto } from './api.dto.js';
import { catalogOf } from './catalog.js';

/** The catalog of the API, and the context of the caller's credential. */
@Capability({
  about:
    'What a client can find out about the API and its own credential: the catalog of operations and events, and the scopes that it has.',
  guide: 'docs/authentication.md',
})
@Controller('v1')
export class ApiController {
  constructor(
    private readonly registry: Registry,
    private readonly limits: TenantLimits,
    private readonly settings: Settings,
  ) {}

  @Operation({
    id: 'api.catalog',
    route: 'GET /',
    summary: 'Get the version and the catalog of operations and events',
    description: 'Every operation with its scope, plan and tool, and every kind of event.',
    returns: ApiCatalogDto,
  })
  catalog(): ApiCatalogDto {
    return catalogOf(this.registry, this.settings.publicUrl);
  }

  @Operation({
    id: 'api.auth_context',
    route: 'GET /auth/context',
    summary: 'Get the context of the credential',
    description: 'The organization and scopes of the credential, and the state of its rate limit.',
    returns: AuthContextDto,
  })
  async authContext(@Ctx() ctx: RequestContext): Promise<AuthContextDto> {
    const { type, id, name, prefix, environment, scopes, expiresAt, ipAllowlist, organization, application, user } = ctx.principal;
    return {
      credential: { type, id, name, prefix, environment, scopes: [...scopes], expiresAt, ipAllowlist: [...ipAllowlist] },
      organization: {
        id: organization.id,
        name: organization.name,
        slug: organization.slug,
        plan: organization.plan,
        standardPlan: this.settings.plans.standardOf(organization.plan),
      },
      application,
      user,
      rateLimit: await this.limits.state(ctx.principal),
    };
  }
}
