import type { INestApplication, Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { API_NAME, API_VERSION } from '../../kernel/product.js';
import { ProblemDto } from '../../api/dto/problem.dto.js';
import { documentController, SECURITY_SCHEMES } from '../../api/operation/documentation.js';
import { documentFields } from '../../api/validation/document-fields.js';
import { addExamples } from './openapi-examples.js';

const DESCRIPTION = `Claim preparation for accountants' software: claim projects and what belongs to them.

- **Credentials.** Send an API key as \`X-API-Key\`. Keys that begin with \`pk_test_\` see test data only, those with \`pk_live_\` live data only.
- **Repeating calls.** Every POST and PATCH needs an \`Idempotency-Key\`. The same call with the same key gets the first answer again, so a call that was cut off can always be repeated.
- **Errors.** Every answer that is not 2xx is a problem document (RFC 9457). \`code\` is for programs, \`detail\` for people, \`retry\` says what to do.
- **Limits.** Every answer tells in \`RateLimit\` what is left; after a 429 wait as long as \`Retry-After\` says.`;

/** The OpenAPI 3.1 document, made from the handlers' declarations; further classes are among its schemas, too. */
export function openApiDocument(app: INestApplication, baseUrl: string, further: Type<unknown>[] = []): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(API_NAME)
    .setVersion(API_VERSION)
    .setDescription(DESCRIPTION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(baseUrl)
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key: `pk_test_…` or `pk_live_…`.' },
      SECURITY_SCHEMES.apiKey,
    )
    .addSecurity(SECURITY_SCHEMES.bearer, { type: 'http', scheme: 'bearer', description: 'A credential as bearer token.' })
    .build();
  documentFields();
  for (const { metatype } of app.get(DiscoveryService).getControllers()) documentController(metatype as Type<unknown>);
  const document = SwaggerModule.createDocument(app, config, { extraModels: [ProblemDto, ...further], autoTagControllers: false });
  return addExamples(withClosedBodies(withoutSuffix(document)));
}

type WithBody = Record<string, { requestBody?: { content: Record<string, { schema: { $ref: string } }> } }>;

/** A body with a property that is not declared is refused, so its schema says so. */
function withClosedBodies(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, { additionalProperties?: boolean }>;
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path as WithBody));
  for (const { schema } of operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))) {
    schemas[schema.$ref.split('/').at(-1)!]!.additionalProperties = false;
  }
  return document;
}

/** A class is `ClaimProjectDto` among us; for integrators it is a `ClaimProject`. */
export const schemaNameOf = ({ name }: { readonly name: string }): string => name.replace(/Dto$/, '');

function withoutSuffix(document: OpenAPIObject): OpenAPIObject {
  const schemas = Object.fromEntries(
    Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [schemaNameOf({ name }), schema]),
  );
  const renamed = { ...document, components: { ...document.components, schemas } };
  return JSON.parse(JSON.stringify(renamed).replace(/("#\/components\/schemas\/\w+?)Dto"/g, '$1"')) as OpenAPIObject;
}
