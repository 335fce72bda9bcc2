import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshInstall, type FreshInstall } from '../support/fresh-install.js';

const START_MS = 60_000;

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: true;
}
interface Item {
  readonly name: string;
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[];
  readonly request: {
    readonly method: string;
    readonly description: string;
    readonly header: readonly Pair[];
    readonly url: { readonly raw: string; readonly query: readonly Pair[] };
    readonly body?: { readonly raw: string };
  };
}
interface Collection {
  readonly variable: readonly Pair[];
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; tags: string[]; summary: string }>>>>;
}

let fresh: FreshInstall;
let collection: Collection;
beforeAll(async () => {
  fresh = await freshInstall();
  collection = await read('/collection.json');
}, START_MS);
afterAll(() => fresh.close());

const read = async <T>(path: string): Promise<T> => (await (await fetch(new URL(path, fresh.app.url))).json()) as T;

it('has every operation once, in the folder of its resource', async () => {
  const { paths } = await read<Document>('/openapi.json');
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, summary }]) => `${tags[0]}: ${method.toUpperCase()} ${path} ${summary}`),
  );
  const requests = collection.item.flatMap(({ name, item }) =>
    item.map(({ name: summary, request }) => {
      const path = request.url.raw.split('?')[0]!.replace('{{baseUrl}}', '').replaceAll('{{', '{').replaceAll('}}', '}');
      return `${name}: ${request.method} ${path} ${summary}`;
    }),
  );
  expect(requests.sort()).toEqual(operations.sort());
});

it('has an environment with the address, and a place for the key that is empty', async () => {
  const { values } = await read<{ values: unknown }>('/collection-environment.json');
  expect(values).toEqual([
    { key: 'baseUrl', value: fresh.app.url, type: 'default', enabled: true },
    { key: 'apiKey', value: '', type: 'secret', enabled: true },
  ]);
});

it('sends requests that the service accepts, with a new Idempotency-Key each, and remembers the ids of new records', async () => {
  const variables: Record<string, string> = { baseUrl: fresh.app.url, apiKey: fresh.made.keys.test };
  for (const { key, value } of collection.variable) variables[key] = value;
  const fill = (text: string): string =>
    text.replace(/\{\{(\$?\w+)\}\}/g, (_all, name: string) =>
      name === '$guid' ? crypto.randomUUID() : (variables[name] ?? expect.fail(name)),
    );
  const items = collection.item.flatMap(({ item }) => item).sort((a, b) => orderOf(a) - orderOf(b));
  const failed: string[] = [];
  const remembered: string[] = [];
  for (const { request, event } of items) {
    const sent = request.header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, fill(value)] as const);
    const answer = await fetch(fill(request.url.raw), {
      method: request.method,
      headers: { ...Object.fromEntries(sent), 'X-API-Key': variables.apiKey! },
      ...(request.body && { body: fill(request.body.raw) }),
    });
    const text = await answer.text();
    if (!answer.ok) failed.push(`${request.method} ${request.url.raw}: ${answer.status} ${text}`);
    const script = event?.[0]!.script.exec.join('\n');
    if (script === undefined) continue;
    const set = (name: string, value: string) => remembered.push(name) && (variables[name] = value);
    const pm = { response: { code: answer.status, json: () => JSON.parse(text) as unknown }, collectionVariables: { set } };
    // What Postman runs after the answer.
    runInNewContext(script, { pm });
  }
  expect(failed).toEqual([]);
  const KINDS = ['category_id', 'configuration_id', 'delivery_id', 'project_id', 'report_id', 'statement_id', 'webhook_id'];
  expect([...new Set(remembered)].sort()).toEqual(KINDS);
});

/** A new record has no deliveries and no files yet, so what there is is read first. */
const orderOf = ({ request }: Item): number => ['GET', 'POST', 'PATCH', 'DELETE'].indexOf(request.method);
