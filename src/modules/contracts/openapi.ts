import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { INestApplication, Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { CredentialResolver, TokenFlows } from '../../api/access/ports.js';
import { ProblemDto } from '../../api/dto/problem.dto.js';
import { documentController, SECURITY_SCHEMES, PROBLEMS_OF_WRITES } from '../../api/operation/documentation.js';
import { Registry } from '../../api/operation/registry.js';
import { documentFields } from '../../api/validation/document-fields.js';
import { declaredEvents, type EventDeclaration } from '../../kernel/declare-event.js';
import { packageFolder } from '../../kernel/package-folder.js';
import { API_NAME, API_VERSION } from '../../kernel/product.js';
import { PLAN_NAMES, SERVICE_URL, withSettings, setting } from '../../kernel/settings/setting-text.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../../store/discovery/ports.js';
import { headersOf, payloadOf, WHEN_SENT } from './event-messages.js';
import { GUIDES_PATH } from './guides.js';
import { addExamples, operationsIn, type Parameter, addOtherBodies, eventSchemaNameOf, loosenHidden } from './openapi-schemas.js';
import { withClosedBodies } from './openapi-schemas.js';
import { withComponents, withDefaultsInWords, withoutSuffix } from './openapi-schemas.js';

const DESCRIPTION = readFileSync(join(packageFolder(), 'codes/description.md'), 'utf8').trimEnd();

const SERVER = 'Both environments: the credential decides whether a call is about test or live data.';

export const infoOf = (baseUrl: string) => ({
  contact: { name: API_NAME, url: `${baseUrl}/` },
  license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
});

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
  const hidden = app.get(Registry).hidden.any;
  if (hidden) loosenHidden(document, hidden);
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

function documentOperations(app: INestApplication): void {
  documentFields();
  const registry = app.get(Registry);
  for (const { metatype } of app.get(DiscoveryService).getControllers())
    documentController(metatype as Type<unknown>, (handler) => registry.operationOf(handler));
}

function addTags(document: OpenAPIObject, app: INestApplication, baseUrl: string): void {
  document.externalDocs = { description: 'Guides', url: baseUrl + GUIDES_PATH };
  document.tags = app.get(Registry).descriptions.map(([name, { about, guide }]) => ({
    name,
    description: about,
    ...(guide && { externalDocs: { description: 'Guide', url: baseUrl + guide.replace(/^docs/, GUIDES_PATH).replace(/\.md$/, '') } }),
  }));
}

interface Response {
  readonly description: string;
  headers?: Record<string, object>;
}
interface OperationObject {
  parameters?: object[];
  responses: Record<string, object>;
}
type Kind = 'responses' | 'headers' | 'parameters';

/** What operations repeat is under `components`, once. Half of the document would be repeated problems. */
export function withComponentsOnce(document: OpenAPIObject): OpenAPIObject {
  const components: Record<Kind, Record<string, object>> = { responses: {}, headers: {}, parameters: {}, ...document.components };
  const refer = (kind: Kind, name: string, part: object): object => {
    const known = (components[kind][name] ??= part);
    if (!isDeepStrictEqual(known, part)) throw new Error(`There are two ${kind} with the name ${name}, which differ.`);
    return { $ref: `#/components/${kind}/${name}` };
  };
  const operations = operationsIn<OperationObject>(document.paths);
  const all = [...operations, ...operationsIn<OperationObject>(document.webhooks ?? {})];
  const responses = operations.flatMap((operation) => Object.entries(operation.responses as Record<string, Response>));
  for (const [, response] of responses)
    for (const [name, header] of Object.entries(response.headers ?? {})) response.headers![name] = refer('headers', name, header);
  const nameOf = problemNames(responses);
  for (const operation of operations)
    for (const [status, response] of Object.entries(operation.responses as Record<string, Response>))
      if (Number(status) >= 400) operation.responses[status] = refer('responses', nameOf(status, response), response);
  const isTakenBySeveral = timesIn(all.flatMap(({ parameters = [] }) => parameters));
  for (const operation of all)
    operation.parameters &&= operation.parameters.map((parameter) =>
      isTakenBySeveral(parameter) ? refer('parameters', parameterName(parameter as Parameter), parameter) : parameter,
    );
  return Object.assign(document, { components });
}

function timesIn(parts: readonly object[]): (part: object) => boolean {
  const texts = parts.map((part) => JSON.stringify(part));
  return (part) => texts.filter((text) => text === JSON.stringify(part)).length > 1;
}

const codesOf = ({ description }: Response): string[] => [...description.matchAll(/`(\w+)`: /g)].map(([, code]) => code!);

/** `NotFound`, or with the codes that not every answer with this status has: `ConflictOrAlreadyExists`. */
function problemNames(responses: readonly [string, Response][]): (status: string, response: Response) => string {
  return (status, response) => {
    const withStatus = responses.filter(([other]) => other === status).map(([, other]) => codesOf(other));
    const special = codesOf(response).filter((code) => !withStatus.every((codes) => codes.includes(code)));
    const isOfWrite = (code: string): boolean => (PROBLEMS_OF_WRITES as readonly string[]).includes(code);
    const others = special.filter((code) => !isOfWrite(code)).map((code) => `Or${inWords(code, /_/)}`);
    const isOfDeprecated = response.headers?.Deprecation !== undefined;
    const what = [...(special.some(isOfWrite) ? ['OfWrite'] : []), ...(isOfDeprecated ? ['OfDeprecated'] : [])];
    return [inWords(STATUS_CODES[status]!, / /), ...what, ...others].join('');
  };
}

/** `already_exists` as `AlreadyExists`. */
const inWords = (name: string, separator: RegExp): string =>
  name
    .split(separator)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The header `webhook-id` is not the parameter `webhook_id`. */
const parameterName = ({ name, in: place }: Parameter): string => inWords(name, /[-_]/) + (place === 'header' ? 'Header' : '');

const SECURITY =
  'For partner applications. The authorization code flow needs PKCE (S256). A token has the scopes that were asked for, as far as the ' +
  'application was approved for them. RFC 8414 metadata is at `/.well-known/oauth-authorization-server`.';

const STATED =
  'Stated by a trusted proxy in front of the service, such as that of a client certificate. Clients do not send it themselves.';

interface Secured {
  'x-scope'?: string;
  security?: Record<string, string[]>[];
}

export function addTokenFlows(document: OpenAPIObject, app: INestApplication, baseUrl: string): void {
  const issuer = app.get(Ports).only(TokenFlows);
  if (!issuer) return;
  const { name } = issuer;
  const flows = Object.fromEntries(
    Object.entries(issuer.flows).map(([flow, { authorizationPath, tokenPath, refreshPath, scopes }]) => {
      const urls = {
        ...(authorizationPath && { authorizationUrl: baseUrl + authorizationPath }),
        tokenUrl: baseUrl + tokenPath,
        ...(refreshPath && { refreshUrl: baseUrl + refreshPath }),
      };
      return [flow, { ...urls, scopes }] as const;
    }),
  );
  document.components!.securitySchemes![name] = { type: 'oauth2', description: SECURITY, flows };
  for (const operation of operationsIn<Secured>(document.paths))
    operation.security!.push({ [name]: operation['x-scope'] ? [operation['x-scope']] : [] });
}

export function addStatedCredentials(document: OpenAPIObject, app: INestApplication): void {
  for (const { header: name } of app.get(Ports).all(CredentialResolver)) {
    if (name === undefined) continue;
    document.components!.securitySchemes![name] = { type: 'apiKey', in: 'header', name, description: STATED };
    for (const operation of operationsIn<Secured>(document.paths)) operation.security!.push({ [name]: [] });
  }
}

const ANSWERS = {
  EventReceived: { description: 'Received. Answer at once, and process the event afterwards.' },
  EndpointGone: { description: 'There is no such receiver any more: the endpoint is disabled, with `gone` as its `disabledReason`.' },
  DeliveryFailed: {
    description:
      `A failure, as is a redirect, or no answer within ${setting('webhookTimeoutMs')}. The delivery is repeated, for about ` +
      `${setting('webhookRetrySchedule')} in all.`,
    headers: {
      'Retry-After': {
        description: 'Seconds, or a date: how long to wait at least, up to the delay after the next one.',
        schema: { type: 'string' },
      },
    },
  },
  TestPassed: { description: 'The endpoint works.' },
  TestFailed: { description: 'The operator is told. The test is not repeated, and changes nothing.' },
};
const answer = (name: keyof typeof ANSWERS) => ({ $ref: `#/components/responses/${name}` });
export const recordsOfEvents = () => declaredEvents().flatMap(({ data }) => data ?? []);

export function addWebhooks(document: OpenAPIObject): void {
  const events = declaredEvents();
  const schemas = Object.fromEntries(events.map((event) => [eventSchemaNameOf(event), payloadOf(event)]));
  Object.assign(document.components!.schemas!, schemas);
  const webhooks = Object.fromEntries(events.map((event) => [event.kind, { post: requestFor(event) }]));
  Object.assign(document, { webhooks });
  Object.assign(document.components!, { responses: { ...ANSWERS } });
}

function requestFor(event: EventDeclaration) {
  const { kind, status, summary } = event;
  const headers = headersOf(event);
  const parameters = Object.entries(headers.properties).map(([name, { description, example, ...schema }]) => {
    return { name, in: 'header', required: headers.required.includes(name), description, schema, example };
  });
  return {
    operationId: kind,
    summary,
    description: WHEN_SENT[status],
    'x-status': status,
    // The signature is in the headers; there is no credential.
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${eventSchemaNameOf(event)}` } } },
    },
    responses:
      status === 'test'
        ? { '2XX': answer('TestPassed'), default: answer('TestFailed') }
        : { '2XX': answer('EventReceived'), 410: answer('EndpointGone'), default: answer('DeliveryFailed') },
  };
}
