import type { INestApplication, Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { API_NAME, API_VERSION } from '../../kernel/product.js';
import { Settings } from '../../kernel/settings/settings.js';
import { PLAN_NAMES, SERVICE_URL, withSettings } from '../../kernel/settings/setting-text.js';
import { ProblemDto } from '../../api/dto/problem.dto.js';
import { documentController, SECURITY_SCHEMES } from '../../api/operation/documentation.js';
import { Registry } from '../../api/operation/registry.js';
import { documentFields } from '../../api/validation/document-fields.js';
import { GUIDES_PATH } from './guides.js';
import { withComponentsOnce } from './openapi-components.js';
import { addExamples } from './openapi-examples.js';
import { addStatedCredentials, addTokenFlows } from './openapi-security.js';
import { addOtherBodies, withClosedBodies, withComponents, withDefaultsInWords, withoutSuffix } from './openapi-schemas.js';
import { addWebhooks, recordsOfEvents } from './openapi-webhooks.js';

const DESCRIPTION = [
  "Claim preparation for accountants' software: claim projects and the records that belong to them.\n",
  '- **Credentials.** Send an API key as `X-API-Key`. Keys that begin with `pk_test_` access test data only, those with ' +
    '`pk_live_` live data only.',
  '- **Repeating requests.** Every POST and PATCH needs an `Idempotency-Key`. The same request with the same key gets the ' +
    'first answer again, so you can always repeat a request whose answer was lost.',
  '- **Errors.** Every answer that is not 2xx is a problem document (RFC 9457). `code` is for programs, `detail` for people; ' +
    '`retry` says whether and how to repeat the request.',
  '- **Versions of a record** (an addition to the description). A record comes with its `ETag`. A PATCH or DELETE with `If-Match` ' +
    'changes the record only if it still has that ETag, otherwise the answer is 412; a GET with `If-None-Match` answers 304 if ' +
    'nothing is new.',
  '- **Numbers** must be ones that a double can hold exactly. Send others, such as 12345678901234567890, as strings.',
  '- **Browsers.** Pages of any origin may call the API, with a key or token in a header; there are no cookies.',
  '- **Rate limits.** Every answer states the remaining requests in `RateLimit`. After a 429, wait for the seconds that ' +
    '`Retry-After` states.',
].join('\n');

const SERVER = 'Both environments: the credential decides whether a call is about test or live data.';

export const infoOf = (baseUrl: string) => ({
  contact: { name: API_NAME, url: `${baseUrl}/` },
  license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
});

/** The OpenAPI 3.1 document, made from the declarations at the handlers and of the events. */
export function openApiDocument(app: INestApplication, baseUrl: string): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(API_NAME)
    .setVersion(API_VERSION)
    .setDescription(DESCRIPTION)
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key: `pk_test_…` or `pk_live_…`.' },
      SECURITY_SCHEMES.apiKey,
    )
    .addSecurity(SECURITY_SCHEMES.bearer, { type: 'http', scheme: 'bearer', description: 'An access token or an API key.' })
    .build();
  Object.assign(config.info, infoOf(baseUrl));
  Object.assign(config, { servers: [{ url: baseUrl, description: SERVER, 'x-internal': false }] });
  documentOperations(app);
  const document = SwaggerModule.createDocument(app, config, {
    extraModels: [ProblemDto, ...recordsOfEvents(), ...formsOf(app)],
    autoTagControllers: false,
  });
  addTokenFlows(document, app, baseUrl);
  addStatedCredentials(document, app);
  addTags(document, app, baseUrl);
  addWebhooks(document);
  addOtherBodies(document, app.get(Registry).operations);
  const described = withoutSuffix(statingSettings(withComponents(document), app.get(Settings), baseUrl));
  return withComponentsOnce(withDefaultsInWords(addExamples(withClosedBodies(described))));
}

/** The document with the values of settings in its texts, and the address of the service in its examples. */
export function statingSettings<Document extends object>(document: Document, settings: Settings, baseUrl: string): Document {
  const text = JSON.stringify(document)
    .replaceAll(SERVICE_URL, baseUrl)
    .replaceAll(JSON.stringify(PLAN_NAMES), settings.plans.names.map((name) => JSON.stringify(name)).join(','));
  return JSON.parse(withSettings(text, settings)) as Document;
}

const formsOf = (app: INestApplication): Type<object>[] => app.get(Registry).operations.flatMap(({ takesFile }) => takesFile?.fields ?? []);

/** Tells @nestjs/swagger the operations and the fields of their classes, with what extensions add. */
function documentOperations(app: INestApplication): void {
  documentFields();
  const registry = app.get(Registry);
  for (const { metatype } of app.get(DiscoveryService).getControllers())
    documentController(metatype as Type<unknown>, (handler) => registry.operationOf(handler));
}

/**
 * Adds a tag for each capability, with what its controller says of it, and where the service answers with its guide; and the way to
 * all guides.
 */
function addTags(document: OpenAPIObject, app: INestApplication, baseUrl: string): void {
  document.externalDocs = { description: 'Guides', url: baseUrl + GUIDES_PATH };
  document.tags = app.get(Registry).descriptions.map(([name, { about, guide }]) => ({
    name,
    description: about,
    ...(guide && { externalDocs: { description: 'Guide', url: baseUrl + guide.replace(/^docs/, GUIDES_PATH).replace(/\.md$/, '') } }),
  }));
}
