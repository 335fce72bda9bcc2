import type { OpenAPIObject } from '@nestjs/swagger';
import { declaredFields } from '../../api/validation/field.js';
import { schemaNameOf } from './schema-names.js';

/** With the named schemas that fields refer to. @nestjs/swagger only adds those of classes. */
export function withComponents(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, unknown>;
  for (const fields of declaredFields.values()) for (const { components } of fields.values()) Object.assign(schemas, components);
  return document;
}

type WithBody = Record<string, { requestBody?: { content: Record<string, { schema: { $ref: string } }> } }>;

/** Unknown properties of a body are refused, and its schema says so. */
export function withClosedBodies(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, { additionalProperties?: boolean }>;
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path as WithBody));
  for (const { schema } of operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))) {
    schemas[schema.$ref.split('/').at(-1)!]!.additionalProperties = false;
  }
  return document;
}

/** With schemas that are named as `schemaNameOf` says. */
export function withoutSuffix(document: OpenAPIObject): OpenAPIObject {
  const schemas = Object.fromEntries(
    Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [schemaNameOf({ name }), schema]),
  );
  const renamed = { ...document, components: { ...document.components, schemas } };
  return JSON.parse(JSON.stringify(renamed).replace(/("#\/components\/schemas\/\w+?)Dto"/g, '$1"')) as OpenAPIObject;
}
