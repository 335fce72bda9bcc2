import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovesService, OrganizationService } from '../../../src/modules/organization/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitor } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { aProject } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** An organization with a key, somebody in the console, and an upload link. */
async function everyDoor() {
  const { organization, browser } = await aVisitor(app);
  const { key } = await aKey(app, organization.id);
  const api = new Client(app.url, key);
  const { id: projectId } = await aProject(api);
  const link = (await api.post('/v1/upload-links', { projectId, note: 'January', days: 7, maxFiles: 3 })).body.address as string;
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_claim_projects', arguments: {} } });
  const statusOf = (answer: { status: number }): number => answer.status;
  const doors = {
    read: async () => statusOf(await api.get('/v1/claim-projects')),
    write: async () => statusOf(await api.patch(`/v1/claim-projects/${projectId}`, { name: `Project ${Math.random()}` })),
    batch: async () => statusOf(await api.post('/v1/batches', { items: [] })),
    tool: async () => statusOf(await fetch(new URL('/mcp', app.url), { method: 'POST', headers, body: call })),
    page: async () => statusOf(await browser.visit('/console/test/projects')),
    link: async () => statusOf(await fetch(new URL(new URL(link).pathname, app.url))),
  };
  const statuses = async () =>
    Object.fromEntries(await Promise.all(Object.entries(doors).map(async ([name, knock]) => [name, await knock()] as const)));
  return { id: organization.id, api, statuses };
}

const all = (status: number) => ({ read: status, write: status, batch: status, tool: status, page: status, link: status });
const take = (id: string, step: 'begin' | 'abort' | 'finish') => app.app.get(MovesService).take(OPERATOR, id, step);

describe('an organization that moves to another installation', () => {
  it('is refused with 503 and Retry-After at every door, and with 403 once it is there', async () => {
    const { id, api, statuses } = await everyDoor();
    expect(await statuses()).toEqual({ ...all(200), batch: 400 });
    await take(id, 'begin');
    await eventually(async () => expect(await statuses()).toEqual(all(503)));
    const { body, headers } = await api.get('/v1/organization');
    expect([body.code, body.retry, headers['retry-after']]).toEqual(['organization_moving', 'same_key', '30']);
    await take(id, 'finish');
    await eventually(async () => expect(await statuses()).toEqual(all(403)));
    expect((await api.get('/v1/organization')).body).toMatchObject({ code: 'organization_moved', retry: 'never' });
  });

  it('is open again at every door when the move is given up', async () => {
    const { id, statuses } = await everyDoor();
    await take(id, 'begin');
    await eventually(async () => expect(await statuses()).toEqual(all(503)));
    await take(id, 'abort');
    await eventually(async () => expect(await statuses()).toEqual({ ...all(200), batch: 400 }));
  });

  it('is changed by no other command, and each step is taken from the one before alone', async () => {
    const { id } = await everyDoor();
    await expect(take(id, 'finish')).rejects.toThrow('the organization is active, not moving');
    await take(id, 'begin');
    await take(id, 'begin');
    const organizations = app.app.get(OrganizationService);
    await expect(organizations.change(OPERATOR, id, { status: 'active' })).rejects.toMatchObject({ code: 'organization_moving' });
    await take(id, 'finish');
    await expect(take(id, 'abort')).rejects.toThrow('the organization is moved, not moving');
  });
});
