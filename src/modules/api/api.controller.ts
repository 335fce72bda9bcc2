import { Controller } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import { TenantLimits } from '../../api/limits/rate-limiter.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import type { RegisteredOperation, RequestContext } from '../../api/operation/operation.js';
import { Registry } from '../../api/operation/registry.js';
import type { Environment } from '../../kernel/context.js';
import type { EventDeclaration } from '../../kernel/declare-event.js';
import type { Permission } from '../../kernel/permissions.js';
import { pick } from '../../kernel/changes.js';
import { Problem } from '../../kernel/problems.js';
import { API_NAME, API_VERSION } from '../../kernel/product.js';
import { Settings } from '../../kernel/settings/settings.js';
import { ApiCatalogDto, type ApiCatalogEventDto, type ApiCatalogOperationDto, AuthContextDto } from './api.dto.js';

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
    description: 'Every operation with its scope, role, plan and tool, and every kind of event.',
    returns: ApiCatalogDto,
  })
  catalog(@Ctx() { environment }: RequestContext): ApiCatalogDto {
    return catalogOf(this.registry, environment, this.settings.publicUrl);
  }

  @Operation({
    id: 'api.auth_context',
    route: 'GET /auth/context',
    summary: 'Get the context of the credential',
    description: 'The organization, scopes and projects of the credential, and the state of its rate limit.',
    returns: AuthContextDto,
  })
  async authContext(@Ctx() ctx: RequestContext): Promise<AuthContextDto> {
    const { type, id, name, prefix, environment, scopes, expiresAt, ipAllowlist, projects, organization, application, user } =
      ctx.principal;
    // Somebody in the console has none.
    if (type === 'user' || !scopes) throw new Problem('credential_missing');
    const projectIds = projects ? [...projects] : null;
    return {
      credential: { type, id, name, prefix, environment, scopes: [...scopes], expiresAt, ipAllowlist: [...ipAllowlist], projectIds },
      organization: {
        id: organization.id,
        name: organization.name,
        slug: organization.slug,
        plan: organization.plan,
        standardPlan: this.settings.plans.standardOf(organization.plan),
      },
      application: application && pick(application, ['id', 'name']),
      user,
      rateLimit: await this.limits.state(ctx.principal),
    };
  }
}

function catalogOf(registry: Registry, environment: Environment, baseUrl: string): ApiCatalogDto {
  const there = registry.operations.filter((operation) => (operation.environment ?? environment) === environment);
  const operationsOf = (name: string) => there.filter(({ capability }) => capability === name).map(present);
  const capabilities = registry.capabilities.map((capability) => ({ capability, operations: operationsOf(capability) }));
  return {
    name: API_NAME,
    version: API_VERSION,
    apiVersion: 'v1',
    capabilities: capabilities.filter(({ operations }) => operations.length > 0),
    events: registry.events.map((event) => presentEvent(event, registry.readersOf(event))),
    documentation: { openapi: `${baseUrl}/openapi.json`, asyncapi: `${baseUrl}/asyncapi.json`, swagger: `${baseUrl}/docs` },
  };
}

function present({ id, method, path, scope, role, plan, tool }: RegisteredOperation): ApiCatalogOperationDto {
  return { id, method, path, scope: scope ?? null, role: role ?? null, plan: plan ?? null, tool: tool?.name ?? null };
}

function presentEvent({ kind, status }: EventDeclaration, [reader]: readonly Permission[]): ApiCatalogEventDto {
  return { kind, status, scope: reader?.scope ?? null, role: reader?.role ?? null };
}
