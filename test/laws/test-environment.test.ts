import { afterAll, describe, expect, it } from 'vitest';
import { ConsoleDoor } from '../../src/api/console/console-door.js';
import { Form, type PageContext } from '../../src/api/console/page.js';
import { newId } from '../../src/kernel/ids.js';
import { aKey, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { named, startDocumentedApp } from '../support/documented-app.js';
import { validCall, withoutRequestId } from '../support/law-call.js';
import { everyRowOf } from '../support/law-database.js';
import { expectProblem } from '../support/problem.js';
import { aUser } from '../support/users.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

const ofTest = app.operations.filter(({ environment }) => environment === 'test');

it('an operation is of the test environment alone exactly if its path begins with /v1/test/', () => {
  expect(ofTest.length).toBeGreaterThan(1);
  expect(ofTest).toEqual(app.operations.filter(({ path }) => path.startsWith('/v1/test/')));
});

it('the catalog shows them to test credentials only', async () => {
  const { organization, key } = await aTenant(app);
  const { key: live } = await aKey(app, organization.id, { environment: 'live' });
  const [seen, unseen] = await Promise.all(
    [key, live].map(async (credential) => {
      const { body } = await new Client(app.url, credential).get('/v1');
      return (body as { capabilities: { operations: { id: string }[] }[] }).capabilities.flatMap(({ operations }) => operations);
    }),
  );
  const others = unseen!.map(({ id }) => id);
  expect(seen!.map(({ id }) => id).filter((id) => !others.includes(id))).toEqual(ofTest.map(({ id }) => id));
});

describe.each(named(ofTest))('%s', (id, operation) => {
  it('is marked in the documents', () => {
    const documented = (app.document.paths[operation.path] as Record<string, Record<string, unknown>>)[operation.method.toLowerCase()];
    expect(documented).toMatchObject({
      'x-environment': 'test',
      description: expect.stringContaining('Only in the test environment: for a live credential this path does not exist.') as string,
    });
  });

  it('is for a live credential a path that does not exist, whatever it asks for, and changes nothing', async () => {
    const { organization, key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    const { key: live } = await aKey(app, organization.id, { environment: 'live' });
    const narrow = await aKey(app, organization.id, { environment: 'live', scopes: [] });
    const before = await everyRowOf(app, organization.id);
    for (const [credential, body] of [
      [live, call.body],
      [live, '{"malformed'],
      [narrow.key, call.body],
    ] as const) {
      const client = new Client(app.url, credential);
      const [refused, unknown] = [
        await client.send(operation.method, operation.path, body),
        await client.send(operation.method, `/${newId()}`, body),
      ];
      expectProblem(refused, 'route_not_found');
      expect(withoutRequestId(refused)).toEqual(withoutRequestId(unknown));
      expect(refused.headers.ratelimit).toBeUndefined();
    }
    expect(await everyRowOf(app, organization.id)).toEqual(before);
  });

  it('does not exist in the live console', async () => {
    const { organization, key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    const user = await aUser(app, organization.id, { role: 'owner' });
    const asked = { requestId: newId(), ipAddress: '127.0.0.1' };
    const inConsole = (environment: string) => {
      const ctx = {
        ...{ organization, organizationId: organization.id, environment, emits: [], user, ...asked },
        actor: { type: 'user', id: user.id, name: user.name, call: asked },
        form: new Form(new URLSearchParams()),
      } as unknown as PageContext;
      return app.app.get(ConsoleDoor).call(ctx, { operation: id, body: call.body as object });
    };
    const before = await everyRowOf(app, organization.id);
    await expect(inConsole('live')).rejects.toMatchObject({ code: 'route_not_found', status: 404 });
    expect(await everyRowOf(app, organization.id)).toEqual(before);
    await inConsole('test');
    expect(await everyRowOf(app, organization.id)).not.toEqual(before);
  });
});
