import { afterAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.js';
import { startDocumentedApp } from '../support/documented-app.js';
import { expectValid } from '../support/law-answers.js';
import { resolveRef, withoutReferences, type Schema } from '../support/law-document.js';

interface Message {
  readonly headers: Schema;
  readonly payload: Schema;
  readonly examples: { readonly headers: object; readonly payload: object }[];
}
interface AsyncApi {
  readonly components: { readonly messages: Record<string, Message>; readonly schemas: Record<string, Schema> };
}

const app = await startDocumentedApp();
const { document } = app;
const { components } = (await new Client(app.url).get('/asyncapi.json')).body as AsyncApi;
const { events } = app.registry;
afterAll(() => app.close());

/** The schema without its examples, of which each document has its own form. */
function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => name !== 'example' && name !== 'examples')
      .map(([name, inner]) => [name, plain(inner)]),
  );
}

it('has a webhook for each kind of event, and no other', () => {
  expect(Object.keys(document.webhooks)).toEqual(events.map(({ kind }) => kind));
  expect(Object.keys(components.messages)).toEqual(Object.keys(document.webhooks));
});

it('has the same schema of every record as the AsyncAPI document', () => {
  expect(Object.keys(components.schemas).length).toBeGreaterThan(5);
  for (const [name, schema] of Object.entries(components.schemas))
    expect(plain(document.components.schemas[name]), name).toEqual(plain(schema));
});

describe.each(events.map((event) => [event.kind, event] as const))('the webhook %s', (kind, { status, summary, data, collection }) => {
  const webhook = withoutReferences(document, document.webhooks[kind]!.post);
  const message = components.messages[kind]!;
  const content = webhook.requestBody!.content['application/json']!;

  it('names the collection of its record, if that can be read by its id, and was not deleted', () => {
    const reads = app.operations.filter((operation) => operation.method === 'GET' && operation.returns === data && data !== null);
    const byId = reads.flatMap(({ path }) => /^(.+)\/\{\w+\}$/.exec(path)?.[1] ?? []);
    expect(collection === undefined ? [] : [collection]).toEqual(kind.endsWith('.deleted') ? [] : byId);
  });

  it('says when it is sent, and needs no credential', () => {
    expect(webhook).toMatchObject({ summary, operationId: kind, security: [], 'x-status': status });
  });

  it('has the payload and the headers of the AsyncAPI document', () => {
    expect(plain(resolveRef(document, content.schema!))).toEqual(plain(message.payload));
    const parameters = webhook.parameters!.map(({ name, required, description, schema }) => ({ name, required, description, ...schema }));
    const { properties, required } = message.headers;
    expect(plain(parameters)).toEqual(
      Object.entries(properties!).map(([name, schema]) => ({ name, required: required!.includes(name), ...(plain(schema) as object) })),
    );
    expect(webhook.parameters!.every((parameter) => parameter.in === 'header')).toBe(true);
  });

  it('has a valid example, the one of the AsyncAPI document', () => {
    expectValid(document, ['webhooks', kind, 'post', 'requestBody', 'content', 'application/json', 'schema'], content.example);
    expect(content.example).toEqual(message.examples[0]!.payload);
    for (const [index, { example }] of webhook.parameters!.entries())
      expectValid(document, ['webhooks', kind, 'post', 'parameters', String(index), 'schema'], example);
  });

  it('says which answers matter', () => {
    expect(Object.keys(webhook.responses)).toEqual(status === 'test' ? ['2XX', 'default'] : ['410', '2XX', 'default']);
  });
});
