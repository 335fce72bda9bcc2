import type { OpenAPIObject } from '@nestjs/swagger';
import type { RegisteredOperation } from '../../api/operation/operation.js';
import { declaredFields } from '../../api/validation/field.js';
import type { Schema } from './openapi-examples.js';

/** The class `ClaimProjectDto` is the schema `ClaimProject`. */
export const schemaNameOf = ({ name }: { readonly name: string }): string => name.replace(/Dto$/, '');

/** The event `claim_project.created` is the schema `ClaimProjectCreatedEvent`. */
export const eventSchemaNameOf = ({ kind }: { readonly kind: string }): string =>
  `${kind.replace(/(?:^|[._])([a-z])/g, (_found, letter: string) => letter.toUpperCase())}Event`;

/** With the named schemas that fields refer to. @nestjs/swagger only adds those of classes. */
export function withComponents(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, unknown>;
  for (const fields of declaredFields.values()) for (const { components } of fields.values()) Object.assign(schemas, components);
  return document;
}

interface RequestBody {
  required: boolean;
  readonly content: Record<string, { schema: { readonly $ref?: string; readonly [keyword: string]: unknown } }>;
}

/** What is taken beside the body in JSON: a form with a file, the file itself, or a merge patch. */
export function addOtherBodies(document: OpenAPIObject, operations: readonly RegisteredOperation[]): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const { method, path, takesFile, takesMerge } of operations) {
    const { requestBody } = (document.paths[path] as Record<string, { requestBody: RequestBody }>)[method.toLowerCase()]!;
    if (takesMerge) requestBody.content['application/merge-patch+json'] = requestBody.content['application/json']!;
    if (!takesFile) continue;
    const { fields, maxBytes: maxLength, example } = takesFile;
    const { name } = fields;
    const description = `The file, of at most ${maxLength / 1024 ** 2} MiB.`;
    const file = { type: 'string', format: 'binary', maxLength, description, example };
    requestBody.content['multipart/form-data'] = { schema: { $ref: `#/components/schemas/${name}` } };
    requestBody.content['application/octet-stream'] = { schema: file };
    const { properties = {}, required = [] } = schemas[name]!;
    // Several operations may take the same form.
    if ('file' in properties) continue;
    Object.assign(schemas[name]!, { properties: { file, ...properties }, required: ['file', ...required] });
  }
}

/** Unknown properties of a body are refused, and its schema says so. A new record that needs no property needs no body. */
export function withClosedBodies(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema & { additionalProperties?: boolean }>;
  const operations = Object.values(document.paths).flatMap((path) => Object.entries(path as Record<string, { requestBody?: RequestBody }>));
  for (const [method, { requestBody }] of operations) {
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      if (schema.$ref === undefined) continue;
      const body = schemas[schema.$ref.split('/').at(-1)!]!;
      body.additionalProperties = false;
      requestBody!.required = method !== 'post' || (body.required ?? []).length > 0;
    }
  }
  return document;
}

/** openapi-typescript takes a property with a `default` for one that is always there, but these are the properties of bodies. */
export function withDefaultsInWords(document: OpenAPIObject): OpenAPIObject {
  Object.values((document.components?.schemas ?? {}) as Record<string, Schema>).forEach(sayDefaults);
  return document;
}

function sayDefaults({ properties = {} }: Schema): void {
  for (const property of Object.values(properties)) {
    sayDefaults(property);
    if (property.default === undefined) continue;
    const value = typeof property.default === 'string' ? property.default : JSON.stringify(property.default);
    property.description = `${property.description} Default: \`${value}\`.`;
    delete property.default;
  }
}

export function withoutSuffix(document: OpenAPIObject): OpenAPIObject {
  const schemas = Object.fromEntries(
    Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [schemaNameOf({ name }), schema]),
  );
  const renamed = { ...document, components: { ...document.components, schemas } };
  return JSON.parse(JSON.stringify(renamed).replace(/("#\/components\/schemas\/\w+?)Dto"/g, '$1"')) as OpenAPIObject;
}
