import { isAction } from '../../src/api/operation/operation.js';
import { stat } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { EXPOSED_HEADERS } from '../../src/api/http/answer-headers.js';
import { FIELD_CODES } from '../../src/kernel/field-codes.js';
import { PROBLEMS, type ProblemCode } from '../../src/kernel/problems.js';
import { snakeCase } from '../../src/kernel/text.js';
import { scopeTexts } from '../../src/api/access/scopes.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { factsOfExtensions } from '../support/extension-facts.js';
import { expectValid } from '../support/law-answers.js';
import { bodySchema, documented, withoutReferences, type Content } from '../support/law-document.js';
import { headersOfCredentials, named, startDocumentedApp } from '../support/documented-app.js';

const app = await startDocumentedApp();
const { document, operations, registry } = app;
afterAll(() => app.close());

interface OAuthFlow {
  readonly scopes: Readonly<Record<string, string>>;
}

const pathsOf = (method: string, path: string) => ['paths', path, method.toLowerCase()];
const inDocument = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation: withoutReferences(document, operation) })),
);

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1, without `nullable` of 3.0', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(
      nodesOf(document)
        .flatMap((node) => Object.keys(node))
        .filter((name) => name === 'nullable'),
    ).toEqual([]);
  });

  it('is valid by the schema that the OpenAPI Initiative publishes', async () => {
    expect(await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>)).toEqual({ valid: true });
  });

  it('has schemas that are valid JSON Schema', () => {
    const ajv = new Ajv2020({ strict: false });
    for (const [name, schema] of Object.entries(document.components.schemas))
      expect(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`).toBe(true);
  });

  it('has a valid example of every parameter that has one', () => {
    let count = 0;
    for (const { path, method, operation } of inDocument)
      for (const [index, { schema, example = schema.example ?? schema.examples?.[0] }] of (operation.parameters ?? []).entries()) {
        if (example === undefined) continue;
        expectValid(document, ['paths', path, method, 'parameters', String(index), 'schema'], example);
        count += 1;
      }
    expect(count).toBeGreaterThan(50);
  });

  it('has exactly the operations of the registry', () => {
    const inDocumentIds = inDocument.map(({ method, path, operation }) => `${operation.operationId} ${method.toUpperCase()} ${path}`);
    expect(inDocumentIds.sort()).toEqual(operations.map(({ id, method, path }) => `${id} ${method} ${path}`).sort());
  });

  it('describes the capability of every operation once, in sentences, with a guide that exists', async () => {
    expect(document.tags.map(({ name }) => name)).toEqual([...new Set(operations.map(({ capability }) => capability))]);
    for (const { name, description } of document.tags) {
      expect(description, name).toMatch(/^[A-Z][^]{20,}\.$/);
      for (const [, guide] of description.matchAll(/`(docs\/[^`]+)`/g)) expect((await stat(guide!)).isFile(), guide).toBe(true);
    }
    expect(document.tags.filter(({ externalDocs }) => /\/guides\/[a-z-]+$/.test(externalDocs?.url ?? '')).length).toBeGreaterThan(5);
  });

  it('lists the codes of problems and of field errors with a sentence each, and allows for new ones', () => {
    const lists = [
      [document.components.schemas.Problem!, Object.fromEntries(Object.entries(PROBLEMS).map(([code, { title }]) => [code, `${title}.`]))],
      [document.components.schemas.ProblemFieldError!, FIELD_CODES],
    ] as const;
    for (const [{ properties }, sentences] of lists) {
      const code = properties!.code as { description: string; enum?: unknown; 'x-extensible-enum': unknown };
      expect(code.enum).toBeUndefined();
      expect(code['x-extensible-enum']).toEqual(Object.keys(sentences));
      for (const [name, sentence] of Object.entries(sentences)) expect(code.description).toContain(`\n- \`${name}\`: ${sentence}`);
      expect(code.description).toContain('new ones may be added');
    }
  });

  it('has everything that it refers to, and no unused components', () => {
    const references = new Set(nodesOf(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])));
    const { schemas, responses, parameters, headers } = document.components;
    const components = Object.entries({ schemas, responses, parameters, headers });
    expect([...references].sort()).toEqual(
      components.flatMap(([kind, parts]) => Object.keys(parts).map((name) => `#/components/${kind}/${name}`)).sort(),
    );
  });

  it('says once what several operations have: problems, headers of answers, parameters', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const answers = operations.flatMap(({ responses }) => Object.entries(responses));
    const problems = answers.filter(([status]) => Number(status) >= 400).map(([, problem]) => problem);
    expect(problems.filter((problem) => !('$ref' in problem))).toEqual([]);
    const headers = nodesOf([document.paths, document.components.responses]).flatMap((node) => Object.values(node.headers ?? {}));
    const written = headers.filter((header) => !('$ref' in (header as object)));
    // Only receivers of deliveries answer with this one.
    expect(written).toEqual([document.components.responses.DeliveryFailed!.headers!['Retry-After']]);
    const parameters = operations.flatMap((operation) => operation.parameters ?? []).filter((parameter) => !('$ref' in parameter));
    expect(new Set(parameters.map((parameter) => JSON.stringify(parameter))).size).toBe(parameters.length);
  });

  it('has schema names without Dto', () => {
    expect(Object.keys(document.components.schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name) || /Dto$/.test(name))).toEqual([]);
  });

  it('states defaults of properties in words: types that are made of it let callers leave them out', () => {
    const properties = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      Object.entries(schema.properties ?? {}).map(([property, { description = '' }]) => ({
        place: `${name}.${property}`,
        isStated: / Default: `/.test(description),
        isRequired: schema.required?.includes(property),
      })),
    );
    expect(nodesOf(document.components.schemas).filter((node) => 'default' in node)).toEqual([]);
    const stated = properties.filter(({ isStated }) => isStated);
    expect(stated.map(({ place }) => place)).toContain('CreateClaimProject.status');
    expect(stated.filter(({ isRequired }) => isRequired)).toEqual([]);
  });

  it('describes every property and every parameter', () => {
    const schemas = Object.entries(document.components.schemas).flatMap(([name, { properties }]) =>
      Object.entries(properties ?? {}).map(([property, schema]) => [`${name}.${property}`, schema] as const),
    );
    const parameters = inDocument.flatMap(({ operation }) =>
      (operation.parameters ?? []).map((parameter) => [`${operation.operationId} ${parameter.name}`, parameter] as const),
    );
    expect(
      [...schemas, ...parameters].filter(([, described]) => !(described as { description?: string }).description).map(([name]) => name),
    ).toEqual([]);
  });
});

const headers = headersOfCredentials(app);

describe('the OAuth scheme', () => {
  const { type, flows } = document.components.securitySchemes.oauth2 as { type: string; flows: Record<string, OAuthFlow> };

  it('has every grant of the authorization server, with the addresses of its metadata', async () => {
    const server = (await new Client(app.url).get('/.well-known/oauth-authorization-server')).body as Record<string, unknown>;
    const { authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = server;
    expect(type).toBe('oauth2');
    expect(flows).toMatchObject({
      authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl },
      clientCredentials: { tokenUrl },
    });
    const grants = Object.keys(flows).map((name) => snakeCase(name));
    // OpenAPI 3.1 has no flow for devices (RFC 8628).
    const described = (server.grant_types_supported as string[]).filter((grant) => !grant.endsWith(':device_code'));
    expect([...grants, 'refresh_token']).toEqual(described);
  });

  it('has every scope, with the text of the consent page', () => {
    const texts = Object.fromEntries(scopeTexts(registry, registry.scopes).map(({ scope, sentence }) => [scope, sentence]));
    expect(Object.keys(texts)).toEqual(registry.scopes);
    for (const { scopes } of Object.values(flows)) expect(scopes).toEqual(texts);
  });
});

describe.each(named(operations))('%s', (_id, operation) => {
  const described = documented(document, operation);
  const parametersIn = (location: string) => (described.parameters ?? []).filter((parameter) => parameter.in === location);

  it('has a summary, its capability as tag, and each way to send a credential, with its scope for OAuth', () => {
    expect(described).toMatchObject({ operationId: operation.id, summary: operation.summary, tags: [operation.capability] });
    const usual = [{ apiKey: [] }, { bearer: [] }, { oauth2: operation.scope ? [operation.scope] : [] }];
    expect(described.security).toEqual([...usual, ...headers.map((name) => ({ [name]: [] }))]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(['apiKey', 'bearer', 'oauth2', ...headers]);
  });

  it('has each parameter of its path, and the headers Idempotency-Key, If-Match and If-None-Match only if it reads them', () => {
    const inPath = (name: string, schema: object) => expect.objectContaining({ name, required: true, schema }) as unknown;
    expect(parametersIn('path')).toEqual([
      ...operation.pathIds.map((name) => inPath(name, { type: 'string', format: 'uuid' })),
      ...(operation.returnsFile ? [inPath(operation.fileParam!, { type: 'string', enum: Object.keys(operation.returnsFile) })] : []),
    ]);
    const needed = expect.objectContaining({
      name: 'Idempotency-Key',
      required: true,
      schema: expect.objectContaining({ type: 'string', minLength: 1, maxLength: 255 }) as unknown,
    }) as unknown;
    const isConditional = operation.method === 'GET' && operation.isTagged;
    const optional = (name: string) => expect.objectContaining({ name, required: false }) as unknown;
    expect(parametersIn('header')).toEqual([
      ...(operation.needsKey ? [needed] : []),
      ...(operation.takesIfMatch ? [optional('If-Match')] : []),
      ...(isConditional ? [optional('If-None-Match')] : []),
    ]);
  });

  it('has a body only if it accepts one, without unknown properties and with a valid example', () => {
    expect(described.requestBody !== undefined).toBe(operation.body !== undefined);
    expect(operation.body !== undefined || isAction(operation)).toBe(operation.needsKey);
    if (!described.requestBody) return;
    expect(Object.keys(described.requestBody.content)).toEqual([
      'application/json',
      ...(operation.takesFile ? ['multipart/form-data', 'application/octet-stream'] : []),
      ...(operation.takesMerge ? ['application/merge-patch+json'] : []),
    ]);
    const { additionalProperties, required } = bodySchema(document, operation);
    expect(additionalProperties).toBe(false);
    expect(described.requestBody.required).toBe(operation.method === 'PATCH' || required !== undefined);
    const { 'application/json': json } = described.requestBody.content;
    expectExample({ 'application/json': json! }, [...pathsOf(operation.method, operation.path), 'requestBody', 'content']);
  });

  it('has one success status, 304 only if it can be conditional, and valid examples of all answers', () => {
    const notModified = operation.method === 'GET' && operation.isTagged ? ['304'] : [];
    expect(Object.keys(described.responses).filter((status) => Number(status) < 400)).toEqual([String(operation.status), ...notModified]);
    for (const [status, { content }] of Object.entries(described.responses)) {
      if (status === '204' || status === '304') expect(content).toBeUndefined();
      else if (operation.returnsFile && status === '200')
        expect(Object.keys(content!)).toEqual([...new Set(Object.values(operation.returnsFile))]);
      else expectExample(content, [...pathsOf(operation.method, operation.path), 'responses', status, 'content']);
    }
  });

  it('declares the headers of its answer, all of which pages of other origins may read', () => {
    const declared = Object.keys(described.responses[operation.status]!.headers ?? {});
    expect(declared.includes('ETag')).toBe(operation.isTagged);
    expect(declared.includes('Location')).toBe(operation.status === 201);
    expect([...EXPOSED_HEADERS, 'Access-Control-Allow-Origin']).toEqual(expect.arrayContaining(declared));
  });

  it('has the same status, title and retry for each problem as the service', () => {
    for (const [status, { content, description }] of Object.entries(described.responses).filter(([status]) => Number(status) >= 400)) {
      expect(Object.keys(content ?? {})).toEqual(['application/problem+json']);
      const example = content!['application/problem+json']!.example as { code: ProblemCode; type: string };
      const { title, retry } = PROBLEMS[example.code];
      expect(example).toMatchObject({ status: Number(status), title, retry });
      expect(description).toContain(`\`${example.code}\``);
      for (const [, code] of description.matchAll(/`(\w+)`: /g)) expect(PROBLEMS[code as ProblemCode]?.status, code).toBe(Number(status));
    }
  });

  it('is in the catalog under its capability', async () => {
    const { key } = await aTenant(app);
    const { body } = await new Client(app.url, key).get('/v1');
    const { capabilities } = body as { capabilities: { capability: string; operations: { id: string }[] }[] };
    const listed = capabilities
      .flatMap(({ capability, operations: listing }) => listing.map((entry) => ({ capability, ...entry })))
      .filter(({ id }) => id === operation.id);
    const { id, method, path, scope = null, plan = null, role = null, tool, capability } = operation;
    expect(listed).toEqual([{ capability, id, method, path, scope, plan, role, tool: tool?.name ?? null }]);
  });
});

const tools = operations.flatMap(({ id, method, scope, tool }) => (tool ? [{ id, method, scope, tool }] : []));

/** Additions for programs: what follows something for hours, whole messages, and files. There are 26 tools. */
const WITHOUT_TOOL = [
  ...['upload_links.list', 'upload_links.create', 'upload_links.get', 'upload_links.update'],
  ...['claim_closings.get', 'claim_lines.get', 'claim_items.get'],
  ...['list', 'create', 'get', 'update', 'delete'].map((action) => `statement_layouts.${action}`),
  ...['receipts.list', 'receipts.create', 'receipts.get', 'receipts.update'],
  ...['audit.get_checkpoint', 'audit.get_proof', 'audit.get_consistency'],
  ...['requests.list', 'requests.get'],
  ...['test.send_event', 'test.set_outcome', 'test.set_answers', 'test.reset'],
  'webhooks.get_delivery',
  ...['webhooks.redeliver', 'webhooks.get_missed', 'webhooks.replay', 'webhooks.stop_replays', 'webhooks.ping'],
  'claim_reports.download',
  ...['bank_statements.check', 'bank_statements.retry', 'claim_reports.cancel'],
  ...Object.keys(factsOfExtensions('withoutTool')),
];

it('has a tool for every operation that needs a scope, but for those that only programs use', () => {
  const scoped = operations.filter(({ scope }) => scope !== undefined).map(({ id }) => id);
  expect(scoped).toEqual(expect.arrayContaining(WITHOUT_TOOL));
  expect(tools.map(({ id }) => id)).toEqual(scoped.filter((id) => !WITHOUT_TOOL.includes(id)));
});

describe.each(named(tools))('the tool of %s', (_id, { method, scope, tool }) => {
  it('has a unique name in snake case, a risk and a scope that match its method', () => {
    expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(tools.filter((other) => other.tool.name === tool.name)).toHaveLength(1);
    expect(tool.risk).toBe({ GET: 'read_only', POST: 'write', PATCH: 'write', DELETE: 'destructive' }[method]);
    expect(scope).toMatch(method === 'GET' ? /:read$/ : method === 'DELETE' ? /:delete$/ : /:write$/);
  });
});

it('lists every event that operations emit in the catalog', async () => {
  const { key } = await aTenant(app);
  const { events } = (await new Client(app.url, key).get('/v1')).body as { events: { kind: string; status: string }[] };
  expect(events.map(({ kind, status }) => ({ kind, status }))).toEqual(registry.events.map(({ kind, status }) => ({ kind, status })));
  for (const { kind } of operations.flatMap(({ emits }) => emits))
    expect(events).toContainEqual(expect.objectContaining({ kind, status: 'emitted' }));
});

/** Expects content with one media type and a valid example. */
function expectExample(content: Content | undefined, path: string[]): void {
  expect(Object.keys(content ?? {})).toHaveLength(1);
  for (const [mediaType, { example }] of Object.entries(content ?? {})) expectValid(document, [...path, mediaType, 'schema'], example);
}

/** Every object in the document. */
function nodesOf(node: unknown): Record<string, unknown>[] {
  if (Array.isArray(node)) return node.flatMap(nodesOf);
  if (typeof node !== 'object' || node === null) return [];
  return [node as Record<string, unknown>, ...Object.values(node).flatMap(nodesOf)];
}
