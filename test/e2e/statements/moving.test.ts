import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { openStatements, STATEMENTS } from '../../support/statements.js';
import { aProject } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function open() {
  const statements = await openStatements(app);
  const { id } = await statements.take();
  const project = await aProject(statements.api);
  const move = (projectId: unknown, api = statements.api) => api.patch(`${STATEMENTS}/${id}`, { projectId });
  return { ...statements, id, project, move };
}

describe('a statement', () => {
  it('is moved to a project and out of it, and the audit log says from where to where', async () => {
    const { api, id, project, move, list } = await open();
    const before = (await api.get(`${STATEMENTS}/${id}`)).body as { updatedAt: string };
    const moved = await move(project.id);
    expect(moved).toMatchObject({ status: 200, body: { id, projectId: project.id } });
    expect((moved.body as typeof before).updatedAt > before.updatedAt).toBe(true);
    expect((await list({ project_id: project.id })).data.map((one) => one.id)).toEqual([id]);
    expect(await move(null)).toMatchObject({ status: 200, body: { projectId: null } });
    const { data } = (await api.get('/v1/audit/events?action_prefix=bank_statement.updated')).body as { data: { changes: object }[] };
    expect(data.map(({ changes }) => changes)).toMatchObject([
      { projectId: { from: null, to: project.id } },
      { projectId: { from: project.id, to: null } },
    ]);
  });

  it('stays as it is by a change that changes nothing', async () => {
    const { api, id, project, move } = await open();
    const first = await move(project.id);
    const again = await move(project.id);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await api.patch(`${STATEMENTS}/${id}`, {})).status).toBe((await api.patch('/v1/claim-projects/' + project.id, {})).status);
  });

  it('is moved to projects of its tenant only, and by those who may', async () => {
    const { organizationId, id, move, liveKey, get } = await open();
    const [stranger, live] = [new Client(app.url, (await aTenant(app)).key), new Client(app.url, await liveKey())];
    for (const projectId of [newId(), (await aProject(stranger)).id, (await aProject(live)).id])
      expect(await move(projectId)).toMatchObject({
        status: 400,
        body: { code: 'related_record_missing', errors: [{ field: 'projectId' }] },
      });
    for (const projectId of ['x', 7, {}]) expect((await move(projectId)).status).toBe(400);
    for (const other of [stranger, live]) expect((await move(null, other)).status).toBe(404);
    const reader = new Client(app.url, (await aKey(app, organizationId, { scopes: ['bank_statements:read'] })).key);
    expect(await move(null, reader)).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
    expect((await get(id)).projectId).toBe(null);
  });
});
