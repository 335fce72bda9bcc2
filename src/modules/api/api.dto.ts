import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { RateLimitStateDto } from '../../api/limits/rate-limit-state.dto.js';
import { PLANS, type Plan, type StandardPlan } from '../../kernel/plans.js';
import { USER_ROLES, type UserRole } from '../../kernel/roles.js';
import { PLAN_NAMES, SERVICE_URL } from '../../kernel/settings/setting-text.js';
import { ListOf, Nested, OneOf, OneOfSoFar, Text, TextList, Timestamp, Uuid, UuidList } from '../../api/validation/fields.js';

export class ApiCatalogOperationDto {
  @Text({ about: 'Operation id in the OpenAPI document.', example: 'claim_projects.list' }) id: string;
  @Text({ about: 'HTTP method.', example: 'GET' }) method: string;
  @Text({ about: 'Path of the operation.', example: '/v1/claim-projects' }) path: string;
  @Text({ about: 'Required scope; null: none.', nullable: true, example: 'claim_projects:read' }) scope: string | null;
  @OneOf(USER_ROLES, {
    about:
      'The least role of a person, also of one for whom an application acts; null: any. API keys and client credentials have no role. ' +
      'An addition.',
    nullable: true,
    example: null,
  })
  role: UserRole | null;
  @OneOfSoFar(PLANS, { about: 'Required plan; null: any.', nullable: true, example: null }) plan: StandardPlan | null;
  @Text({ about: 'Name of the tool in the MCP server; null: none.', nullable: true, example: 'list_claim_projects' }) tool: string | null;
}

export class ApiCatalogCapabilityDto {
  @Text({ about: 'The capability: the first part of a scope, or `api` for operations without one.', example: 'claim_projects' })
  capability: string;
  @ListOf(ApiCatalogOperationDto, { about: 'Operations of the capability.' }) operations: ApiCatalogOperationDto[];
}

export class ApiCatalogEventDto {
  @Text({ about: 'Kind of event.', example: 'claim_project.created' }) kind: string;
  @OneOf(['emitted', 'planned', 'test'], { about: '`emitted`; `planned`: reserved, not sent yet; `test`: sent only to test an endpoint.' })
  status: string;
  @Text({
    about: 'The scope that its record takes: without it the event is not given. An addition.',
    nullable: true,
    example: 'claim_projects:read',
  })
  scope: string | null;
  @OneOf(USER_ROLES, { about: 'The least role of a person who is given it; null: any. An addition.', nullable: true, example: null })
  role: UserRole | null;
}

export class ApiCatalogDocumentationDto {
  @Text({ about: 'URL of the OpenAPI document.', example: `${SERVICE_URL}/openapi.json` }) openapi: string;
  @Text({ about: 'URL of the AsyncAPI document, which describes the events.', example: `${SERVICE_URL}/asyncapi.json` })
  asyncapi: string;
  @Text({ about: 'URL of Swagger UI.', example: `${SERVICE_URL}/docs` }) swagger: string;
}

export class ApiCatalogDto {
  @Text({ about: 'Name of the API.', example: 'Claims API' }) name: string;
  @Text({ about: 'Version of the API documents.', example: '1.0.0' }) version: string;
  @Text({ about: 'API version in the paths.', example: 'v1' }) apiVersion: string;
  @ListOf(ApiCatalogCapabilityDto, { about: 'All operations by capability.' }) capabilities: ApiCatalogCapabilityDto[];
  @ListOf(ApiCatalogEventDto, { about: 'All kinds of events.' }) events: ApiCatalogEventDto[];
  @Nested(ApiCatalogDocumentationDto, { about: 'Where the API is documented.' }) documentation: ApiCatalogDocumentationDto;
}

export class AuthContextCredentialDto {
  @OneOf(['api_key', 'oauth'], { about: 'Kind of credential.' }) type: 'api_key' | 'oauth';
  @Uuid({ about: 'Id of the credential.' }) id: string;
  @Text({ about: 'Name of the credential.', example: 'Month-end sync' }) name: string;
  @Text({ about: 'First characters of the API key; null for an access token.', nullable: true, example: 'pk_test_' }) prefix: string | null;
  @OneOf(ENVIRONMENTS, { about: 'The environment whose records the credential can access.' }) environment: Environment;
  @TextList({ about: 'Scopes of the credential that are in force.', example: ['claim_projects:read'] }) scopes: string[];
  @Timestamp({ about: 'When the credential expires; null: never.', nullable: true, example: null }) expiresAt: string | null;
  @TextList({ about: 'Addresses and CIDRs that the credential may be used from; empty: any.', example: [] }) ipAllowlist: string[];
  @UuidList({
    about: 'The only claim projects whose records the credential reaches; null: all. An addition.',
    nullable: true,
    example: null,
  })
  projectIds: string[] | null;
}

export class AuthContextOrganizationDto {
  @Uuid({ about: 'Id of the organization.' }) id: string;
  @Text({ about: 'Name of the organization.', example: 'Example Accountants' }) name: string;
  @Text({ about: 'Short name of the organization.', example: 'example-accountants' }) slug: string;
  @OneOfSoFar([PLAN_NAMES], { about: 'Plan of the organization.', example: 'enterprise' }) plan: Plan;
  @OneOfSoFar(PLANS, {
    about: 'The plan that `plan` of an operation is compared with. Another one than `plan` if that is of the operator.',
    example: 'enterprise',
  })
  standardPlan: StandardPlan;
}

export class AuthContextApplicationDto {
  @Uuid({ about: 'Id of the application.' }) id: string;
  @Text({ about: 'Name of the application.', example: 'Ledger Sync' }) name: string;
}

export class AuthContextUserDto {
  @Uuid({ about: 'Id of the user.' }) id: string;
  @Text({ about: 'Name of the user.', example: 'Robin Carter' }) name: string;
  @OneOf(USER_ROLES, {
    about: 'The role of the user now. `scopes` has none that it does not allow. An addition.',
    example: 'admin',
  })
  role: UserRole;
}

export class AuthContextDto {
  @Nested(AuthContextCredentialDto, { about: 'The credential of this request.' }) credential: AuthContextCredentialDto;
  @Nested(AuthContextOrganizationDto, { about: 'The organization of the credential.' }) organization: AuthContextOrganizationDto;
  @Nested(AuthContextApplicationDto, {
    about: 'The partner application of an access token; null for an API key.',
    nullable: true,
    example: null,
  })
  application: AuthContextApplicationDto | null;
  @Nested(AuthContextUserDto, { about: 'The user who granted access to the application, if any.', nullable: true, example: null })
  user: AuthContextUserDto | null;
  @Nested(RateLimitStateDto, { about: 'The rate limit and its current state.' }) rateLimit: RateLimitStateDto;
}
