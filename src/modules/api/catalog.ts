import { API_NAME, API_VERSION } from '../../kernel/product.js';
import type { RegisteredOperation } from '../../api/operation/operation.js';
import type { Registry } from '../../api/operation/registry.js';
import type { ApiCatalogDto, ApiCatalogOperationDto } from './api.dto.js';

/** The operations and events of the registry, as integrators see them. */
export function catalogOf(registry: Registry, baseUrl: string): ApiCatalogDto {
  const operationsOf = (capability: string) => registry.operations.filter((operation) => operation.capability === capability).map(present);
  return {
    name: API_NAME,
    version: API_VERSION,
    apiVersion: 'v1',
    capabilities: registry.capabilities.map((capability) => ({ capability, operations: operationsOf(capability) })),
    events: registry.events.map(({ kind, status }) => ({ kind, status })),
    documentation: { openapi: `${baseUrl}/openapi.json`, asyncapi: `${baseUrl}/asyncapi.json`, swagger: `${baseUrl}/docs` },
  };
}

function present({ id, method, path, scope, plan, tool }: RegisteredOperation): ApiCatalogOperationDto {
  return { id, method, path, scope: scope ?? null, plan: plan ?? null, tool: tool?.name ?? null };
}
