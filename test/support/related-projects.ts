import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import type { TestApp } from './app.js';
import { aKey, aTenant } from './builders.js';
import { Client } from './client.js';
import { countRows } from './traces.js';

interface RecordOfProject {
  readonly id: string;
  readonly projectId: string | null;
  readonly updatedAt: string;
}

interface OfProjects {
  readonly path: string;
  /** A valid body that can be sent several times. */
  readonly body: () => object;
}

const PROJECT = { name: 'Berlin office', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

/** Tests what every resource promises whose records may belong to a claim project. */
export function describeRelatedProjects(app: TestApp, { path, body }: OfProjects): void {
  async function open() {
    const { organization, key } = await aTenant(app);
    const api = new Client(app.url, key);
    const live = new Client(app.url, (await aKey(app, organization.id, { environment: 'live' })).key);
    const stranger = new Client(app.url, (await aTenant(app)).key);
    const create = (changes: object = {}, headers: Record<string, string> = {}) => api.post(path, { ...body(), ...changes }, headers);
    const make = async (changes: object = {}) => (await create(changes)).body as RecordOfProject;
    const patch = (id: string, changes: object) => api.patch(`${path}/${id}`, changes);
    const aProject = async (owner = api) =>
      ((await owner.post('/v1/claim-projects', { ...PROJECT, name: newId() })).body as { id: string }).id;
    const listed = async (query: string) => {
      const { data, pagination } = (await api.get(`${path}?${query}`)).body as { data: RecordOfProject[]; pagination: { total: number } };
      expect(pagination.total).toBe(data.length);
      return data.map(({ id }) => id);
    };
    return { organizationId: organization.id, api, live, stranger, create, make, patch, aProject, listed };
  }

  const missing = {
    status: 400,
    body: {
      code: 'related_record_missing',
      retry: 'never',
      errors: [{ location: 'body', field: 'projectId', code: 'related_record_missing' }],
    },
  };

  describe('the project', () => {
    it('must exist: ids of other tenants and unknown ids get the identical 400, and nothing is written', async () => {
      const { organizationId, create, make, patch, aProject, live, stranger, api } = await open();
      const before = await make();
      const counts = await countRows(app, organizationId);
      const ids = [newId(), await aProject(stranger), before.id, '00000000-0000-0000-0000-000000000000'];
      const details = new Set<unknown>();
      for (const projectId of [...ids, await aProject(live)]) {
        for (const answer of [
          await create({ projectId }),
          await patch(before.id, { projectId }),
          await patch(before.id, { projectId, name: 'Renamed' }),
        ]) {
          expect(answer, projectId).toMatchObject(missing);
          details.add(answer.body.detail);
        }
      }
      expect(details.size).toBe(1);
      expect((await api.get(`${path}/${before.id}`)).body).toEqual(before);
      // Only the live project, which belongs to this organization, was written.
      expect(await countRows(app, organizationId)).toEqual({
        projects: counts.projects + 1,
        events: counts.events + 1,
        audit: counts.audit + 1,
        keys: counts.keys + 1,
      });
    });

    it('if missing, does not use up the Idempotency-Key', async () => {
      const { create, aProject } = await open();
      const key = { 'Idempotency-Key': newId() };
      expect(await create({ projectId: newId() }, key)).toMatchObject(missing);
      expect((await create({ projectId: await aProject() }, key)).status).toBe(201);
    });

    it('may be archived, and its id may be in capitals', async () => {
      const { make, patch, aProject, api, listed } = await open();
      const projectId = await aProject();
      await api.patch(`/v1/claim-projects/${projectId}`, { status: 'archived' });
      const made = await make({ projectId: projectId.toUpperCase() });
      expect(made.projectId).toBe(projectId);
      expect((await patch(made.id, { projectId: projectId.toUpperCase() })).body, 'nothing changed').toEqual(made);
      expect(await listed(`project_id=${projectId.toUpperCase()}`)).toEqual([made.id]);
    });

    it('can be set later, changed and set to null, and stays if a PATCH omits it', async () => {
      const { make, patch, aProject } = await open();
      const { id, projectId } = await make();
      expect(projectId).toBeNull();
      const [first, second] = [await aProject(), await aProject()];
      for (const wanted of [first, second, null, second])
        expect((await patch(id, { projectId: wanted })).body).toMatchObject({ projectId: wanted });
      expect((await patch(id, { status: 'archived' })).body).toMatchObject({ projectId: second, status: 'archived' });
    });

    it('is not looked up if the record itself is missing, which is a 404', async () => {
      const { patch } = await open();
      expect(await patch(newId(), { projectId: newId() })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });
  });

  describe('the filter project_id', () => {
    it('returns the records of one project, newest first, and combines with other filters', async () => {
      const { make, aProject, listed } = await open();
      const [project, other] = [await aProject(), await aProject()];
      const first = await make({ projectId: project, name: 'Needle' });
      const second = await make({ projectId: project, name: 'Hay', status: 'archived' });
      const elsewhere = await make({ projectId: other, name: 'Needle' });
      const none = await make({ name: 'Needle' });
      expect(await listed(`project_id=${project}`)).toEqual([second.id, first.id]);
      expect(await listed(`project_id=${other}`)).toEqual([elsewhere.id]);
      expect(await listed(`project_id=${project}&status=archived`)).toEqual([second.id]);
      expect(await listed(`project_id=${project}&search=needle`)).toEqual([first.id]);
      expect(await listed(`project_id=${project}&search=needle&status=archived`)).toEqual([]);
      expect(await listed('search=needle')).toEqual([none.id, elsewhere.id, first.id]);
    });

    it('returns an empty page for an unknown project or one of another tenant', async () => {
      const { make, aProject, listed, live, stranger } = await open();
      await make();
      expect(await listed(`project_id=${newId()}`)).toEqual([]);
      for (const [whose, owner] of [
        ['the live environment', live],
        ['another organization', stranger],
      ] as const) {
        const projectId = await aProject(owner);
        const theirs = (await owner.post(path, { ...body(), projectId })).body as RecordOfProject;
        const { data } = (await owner.get(`${path}?project_id=${projectId}`)).body as { data: RecordOfProject[] };
        expect(data, `${whose} finds its own`).toEqual([theirs]);
        expect(await listed(`project_id=${projectId}`), `of ${whose}`).toEqual([]);
      }
    });

    it('returns 400 to a value that is not a UUID, and names the parameter', async () => {
      const { api } = await open();
      for (const text of ['x', '', 'null', '1', newId().replaceAll('-', '')]) {
        expect(await api.get(`${path}?project_id=${text}`), text).toMatchObject({
          status: 400,
          body: { code: 'validation_failed', errors: [{ location: 'query', field: 'project_id', code: 'invalid_uuid' }] },
        });
      }
    });
  });
}
