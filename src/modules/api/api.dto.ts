import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { RateLimitStateDto } from '../../api/limits/rate-limit-state.dto.js';
import { PLANS, type Plan } from '../../kernel/plans.js';
import { ListOf, Nested, OneOf, Text, TextList, Timestamp, Uuid } from '../../api/validation/fields.js';

export class CatalogOperationDto {
  @Text({ about: 'Id of the operation, as in the OpenAPI document.', example: 'claim_projects.list' }) id: string;
  @Text({ about: 'HTTP method.', example: 'GET' }) method: string;
  @Text({ about: "Path below the service's address.", example: '/v1/claim-projects' }) path: string;
  @Text({ about: 'Scope that is needed.', nullable: true, example: 'claim_projects:read' }) scope: string | null;
  @OneOf(PLANS, { about: 'Plan that is needed; null: any.', nullable: true, example: null }) plan: Plan | null;
  @Text({ about: 'Tool of the tool server.', nullable: true, example: 'list_claim_projects' }) tool: string | null;
}

export class CapabilityDto {
  @Text({ about: 'The capability: the first part of a scope, or `api` for operations without one.', example: 'claim_projects' })
  capability: string;
  @ListOf(CatalogOperationDto, { about: 'Its operations.' }) operations: CatalogOperationDto[];
}

export class CatalogEventDto {
  @Text({ about: 'The kind of event.', example: 'claim_project.created' }) kind: string;
  @OneOf(['emitted', 'planned', 'test'], { about: 'Whether it is emitted.' }) status: string;
}

export class DocumentationDto {
  @Text({ about: 'The OpenAPI document.', example: 'http://127.0.0.1:3000/openapi.json' }) openapi: string;
  @Text({ about: 'The AsyncAPI document of the events.', example: 'http://127.0.0.1:3000/asyncapi.json' }) asyncapi: string;
  @Text({ about: 'The Swagger UI.', example: 'http://127.0.0.1:3000/docs' }) swagger: string;
}

export class CatalogDto {
  @Text({ about: 'What this is.', example: 'Claims API' }) name: string;
  @Text({ about: 'Version of the description.', example: '1.0.0' }) version: string;
  @Text({ about: 'Version in the paths.', example: 'v1' }) apiVersion: string;
  @ListOf(CapabilityDto, { about: 'All that can be done.' }) capabilities: CapabilityDto[];
  @ListOf(CatalogEventDto, { about: 'All that is told.' }) events: CatalogEventDto[];
  @Nested(DocumentationDto, { about: 'Where it is described.' }) documentation: DocumentationDto;
}

export class CredentialDto {
  @OneOf(['api_key', 'oauth'], { about: 'What kind of credential it is.' }) type: 'api_key' | 'oauth';
  @Uuid({ about: 'Its id.' }) id: string;
  @Text({ about: 'Its name.', example: 'Month-end sync' }) name: string;
  @Text({ about: 'The first characters of an API key.', nullable: true, example: 'pk_test_' }) prefix: string | null;
  @OneOf(ENVIRONMENTS, { about: 'The environment it belongs to.' }) environment: Environment;
  @TextList({ about: 'What it may do.', example: ['claim_projects:read'] }) scopes: string[];
  @Timestamp({ about: 'When it expires.', nullable: true, example: null }) expiresAt: string | null;
  @TextList({ about: 'Addresses it may be used from; empty: any.', example: [] }) ipAllowlist: string[];
}

export class ContextOrganizationDto {
  @Uuid({ about: 'Id of the organization.' }) id: string;
  @Text({ about: 'Its name.', example: 'Example Accountants' }) name: string;
  @Text({ about: 'Its short name.', example: 'example-accountants' }) slug: string;
  @OneOf(PLANS, { about: 'Its plan.', example: 'enterprise' }) plan: Plan;
}

export class NamedDto {
  @Uuid({ about: 'Its id.' }) id: string;
  @Text({ about: 'Its name.', example: 'Ledger Sync' }) name: string;
}

export class AuthContextDto {
  @Nested(CredentialDto, { about: 'The credential of this call.' }) credential: CredentialDto;
  @Nested(ContextOrganizationDto, { about: 'The organization it speaks for.' }) organization: ContextOrganizationDto;
  @Nested(NamedDto, { about: 'The partner application, for an access token.', nullable: true, example: null }) application: NamedDto | null;
  @Nested(NamedDto, { about: 'The user who gave the access, if one did.', nullable: true, example: null }) user: NamedDto | null;
  @Nested(RateLimitStateDto, { about: 'The limit that is enforced, and where it stands.' }) rateLimit: RateLimitStateDto;
}
