import { runInNewContext } from 'node:vm';
import { Collection, Request, VariableScope, type Item } from 'postman-collection';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { freshInstall, type FreshInstall } from '../support/fresh-install.js';

const START_MS = 60_000;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; tags: string[]; summary: string }>>>>;
}

let fresh: FreshInstall;
/** As Postman reads the files: with its own model. */
let collection: Collection;
let environment: VariableScope;
const items: Item[] = [];
beforeAll(async () => {
  fresh = await freshInstall();
  collection = new Collection(await read<object>('/collection.json'));
  environment = new VariableScope(await read<object>('/collection-environment.json'));
  collection.forEachItem((item) => items.push(item));
}, START_MS);
afterAll(() => fresh.close());

const read = async <T>(path: string): Promise<T> => (await (await fetch(new URL(path, fresh.app.url))).json()) as T;

it('has every operation once, in the folder of its resource', async () => {
  const { paths } = await read<Document>('/openapi.json');
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, summary }]) => `${tags[0]}: ${method.toUpperCase()} ${path} ${summary}`),
  );
  const requests = items.map((item) => {
    const path = `/${item.request.url.path.join('/')}`.replaceAll('{{', '{').replaceAll('}}', '}');
    return `${item.parent().name}: ${item.request.method} ${path} ${item.name}`;
  });
  expect(requests.sort()).toEqual(operations.sort());
});

it('has an environment with the address, and a place for the key that is empty', async () => {
  const { values, name } = await read<{ values: unknown; name: string }>('/collection-environment.json');
  expect(environment.name).toBe(name);
  expect(values).toEqual([
    { key: 'baseUrl', value: fresh.app.url, type: 'default', enabled: true },
    { key: 'apiKey', value: '', type: 'secret', enabled: true },
  ]);
});

it('is sent by a reader who enters a test key: each request is accepted or in order, and remembers the ids of new records', async () => {
  environment.set('apiKey', fresh.made.keys.test, 'string');
  const variables: Record<string, string> = { ...collection.variables.toObject(), ...environment.toObject() };
  const failed: string[] = [];
  const remembered: string[] = [];
  const keys: string[] = [];
  for (const item of items.toSorted((a, b) => orderOf(a) - orderOf(b))) {
    const { request, credential } = resolved(item, variables);
    const headers = { ...request.getHeaders({ enabled: true }), ...credential };
    keys.push(...Object.entries(headers).flatMap(([name, value]) => (name === 'Idempotency-Key' ? [value] : [])));
    const answer = await fetch(request.url.toString(), {
      method: request.method,
      headers,
      ...(request.body && { body: request.body.toString() }),
    });
    const text = await answer.text();
    // What is over cannot be cancelled or tried again.
    if (!answer.ok && !(answer.status === 409 && text.includes('"wrong_state"')))
      failed.push(`${request.method} ${request.url.toString()}: ${answer.status} ${text}`);
    // A reader waits for the new run before they ask for its file.
    if (request.method === 'POST' && request.url.path.join('/') === 'v1/claim-reports')
      await untilEnded((JSON.parse(text) as { id: string }).id);
    const script = item.events.all()[0]?.script.toSource();
    if (script === undefined) continue;
    const set = (name: string, value: string) => remembered.push(name) && (variables[name] = value);
    const pm = { response: { code: answer.status, json: () => JSON.parse(text) as unknown }, collectionVariables: { set } };
    // What Postman runs after the answer.
    runInNewContext(script, { pm });
  }
  expect(failed).toEqual([]);
  expect([keys.length > 5, new Set(keys).size]).toEqual([true, keys.length]);
  const KINDS = [
    'answered_request_id',
    'category_id',
    'claim_closing_id',
    'claim_item_id',
    'configuration_id',
    'delivery_id',
    'layout_id',
    'link_id',
    'project_id',
    'receipt_id',
    'report_id',
    'statement_id',
    'webhook_id',
  ];
  expect([...new Set(remembered)].sort()).toEqual(KINDS);
});

const untilEnded = (id: string) =>
  eventually(async () => expect((await fresh.api.get(`/v1/claim-reports/${id}`)).body).toMatchObject({ status: 'succeeded' }), START_MS);

/** What Postman would send: no variable is left, and the credential is that of the collection. */
function resolved(item: Item, variables: Readonly<Record<string, string>>) {
  const fill = (text: string): string => text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => variables[name] ?? expect.fail(name));
  const request = new Request(item.request.toObjectResolved(null, [variables], { ignoreOwnVariables: true }));
  expect(JSON.stringify(request.toJSON())).not.toContain('{{');
  const { key, value } = item.getAuth().parameters().toObject() as { key: string; value: string };
  return { request, credential: { [key]: fill(value) } };
}

/** A new record has no deliveries and no files yet, so what there is is read first. A new run has lines of its own. */
const orderOf = ({ request }: Item): number => {
  const path = request.url.path.join('/');
  // All others need what it deletes.
  if (path === 'v1/test/reset') return 4;
  return /claim-line-decisions$|\/deliveries$/.test(path) && request.method === 'POST'
    ? 0.5
    : ['GET', 'POST', 'PATCH', 'DELETE'].indexOf(request.method);
};
