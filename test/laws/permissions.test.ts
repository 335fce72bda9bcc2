import { DiscoveryService } from '@nestjs/core';
import { afterAll, describe, expect, it } from 'vitest';
import { pageOf } from '../../src/api/console/page.js';
import { controllerPath, routesOf } from '../../src/api/operation/nest-metadata.js';
import { newId } from '../../src/kernel/ids.js';
import { isAtLeast, USER_ROLES } from '../../src/kernel/roles.js';
import { methodsOf } from '../../src/store/discovery/methods-of.js';
import { PEOPLE, tokensOfPeople } from '../support/acting-applications.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { aVisitorOf } from '../support/console.js';
import { named, startDocumentedApp } from '../support/documented-app.js';
import { callForMissing } from '../support/law-call.js';
import { LOCAL_DOCUMENTS } from '../support/shared-clients.js';
import { callTool, connectTools, namesOf } from '../support/tools.js';

const app = await startDocumentedApp(LOCAL_DOCUMENTS);
const { organization } = await aTenant(app);
const bearer = await tokensOfPeople(app, organization);
afterAll(() => app.close());

const OF_API = named(app.operations);

describe.each(PEOPLE)('an application that acts for a person with the role %s, by %s', (role, way) => {
  it.each(OF_API)('calls %s only if the role allows it', async (_id, operation) => {
    const call = callForMissing(app, operation);
    const { status, body, text } = await new Client(app.url).send(operation.method, call.path, call.body, bearer(role, way));
    if (isAtLeast(role, operation.role ?? 'member')) return void expect(status, text).not.toBe(403);
    expect([status, (body as { code: string }).code, text]).toEqual([403, 'role_required', expect.stringContaining(operation.role!)]);
  });

  it('is shown the tools that the role allows, no others, and can call no others', async () => {
    const tools = await connectTools(app, bearer(role, way), '?tools=claims');
    const all = app.operations.filter(({ tool }) => tool !== undefined);
    const allowed = all.filter((operation) => isAtLeast(role, operation.role ?? 'member')).map(({ tool }) => tool!.name);
    expect((await namesOf(tools)).sort()).toEqual([...allowed].sort());
    for (const { tool } of all.filter(({ tool: one }) => !allowed.includes(one!.name)))
      expect((await callTool(tools, tool!.name)).content, tool!.name).toMatchObject({ code: 'role_required' });
    await tools.close();
  });
});

/** The pages and forms of the console that do what an operation does. */
const PAGES = app.app
  .get(DiscoveryService)
  .getControllers()
  .flatMap(({ metatype }) =>
    [...methodsOf(metatype!.prototype as object)].flatMap(([, handler]) => {
      const operation = pageOf(handler)?.operation;
      if (operation === undefined) return [];
      const { method, paths } = routesOf(handler);
      return paths.map((path) => ({
        operation,
        method,
        path: `/${controllerPath(metatype as never)}/${path}`.replace(/\/+/g, '/').replace(/\/$/, ''),
      }));
    }),
  );

it.each(USER_ROLES)('the console asks a person with the role %s the same for every page and form', async (role) => {
  const { browser } = await aVisitorOf(app, organization, { role });
  expect(PAGES.length).toBeGreaterThan(20);
  for (const { operation: id, method, path } of PAGES) {
    const operation = app.registry.operationCalled(id);
    const address = path.replace(':environment', 'test').replace(/:\w+/g, newId());
    const shown = await browser.visit(address, method === 'POST' ? {} : undefined);
    const isRefused = shown.text.includes('You may not do this');
    expect([method, path, isRefused], id).toEqual([method, path, !isAtLeast(role, operation.role ?? 'member')]);
    if (isRefused) expect(shown.status).toBe(403);
  }
});
