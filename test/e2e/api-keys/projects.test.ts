import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeysService } from '../../../src/modules/api-keys/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { aProject } from '../../support/webhooks.js';

let app: TestApp;
let keys: ApiKeysService;
beforeAll(async () => {
  app = await startApp();
  keys = app.app.get(ApiKeysService);
});
afterAll(() => app.close());

/** An organization with projects, in the order of their ids. */
async function withProjects(count: number) {
  const { organization, key } = await aTenant(app);
  const projects: string[] = [];
  for (let index = 0; index < count; index += 1) projects.push((await aProject(new Client(app.url, key))).id);
  return { organizationId: organization.id, key, projects };
}

const projectsOf = async (key: string): Promise<string[] | null> =>
  (await new Client(app.url, key).get('/v1/auth/context')).body.credential.projectIds as string[] | null;

const changesOf = (id: string) =>
  rowsOf<{ action: string; projects: unknown }>(
    app.databaseUrl,
    `SELECT action, changes -> 'projectIds' AS projects FROM audit_entries WHERE resource_id = $1 ORDER BY ordinal`,
    [id],
  );

describe('a key for some projects', () => {
  it('says which projects it is bound to, and so does its copy by a rotation', async () => {
    const { organizationId, key: unbound, projects } = await withProjects(2);
    // In capitals, and twice: ids are compared as ids.
    const { id, key } = await aKey(app, organizationId, { projectIds: [projects[1]!, projects[0]!.toUpperCase(), projects[0]!] });
    expect(await projectsOf(key)).toEqual(projects);
    const rotated = await keys.rotate(OPERATOR, id, 60_000);
    expect(await projectsOf(rotated.key)).toEqual(projects);
    expect(await projectsOf(unbound)).toBeNull();
  });

  it('is bound to others, or to all, within a second, and the audit log has the change', async () => {
    const { organizationId, projects } = await withProjects(2);
    const [first, second] = projects as [string, string];
    const { id, key } = await aKey(app, organizationId, { projectIds: [first] });
    expect(await projectsOf(key)).toEqual([first]);
    await keys.change(OPERATOR, id, { name: 'Renamed' });
    await keys.change(OPERATOR, id, { projectIds: [second] });
    await eventually(async () => expect(await projectsOf(key)).toEqual([second]));
    await keys.change(OPERATOR, id, { projectIds: null });
    await eventually(async () => expect(await projectsOf(key)).toBeNull());
    expect(await changesOf(id)).toEqual([
      { action: 'api_key.created', projects: { from: null, to: [first] } },
      { action: 'api_key.updated', projects: null },
      { action: 'api_key.updated', projects: { from: [first], to: [second] } },
      { action: 'api_key.updated', projects: { from: [second], to: null } },
    ]);
  });

  it('is refused with projects of others or of the other environment, and the id is named', async () => {
    const [mine, theirs] = [await withProjects(1), await withProjects(1)];
    const live = await aKey(app, mine.organizationId, { environment: 'live' });
    const inLive = await aProject(new Client(app.url, live.key));
    const { id } = await aKey(app, mine.organizationId);
    for (const wrong of [theirs.projects[0]!, inLive.id, newId(), 'no id']) {
      const projectIds = [mine.projects[0]!, wrong];
      const refusal = {
        code: 'related_record_missing',
        detail: `There is no claim project ${wrong} in this environment (projectIds).`,
        errors: [{ field: 'projectIds' }],
      };
      await expect(aKey(app, mine.organizationId, { projectIds })).rejects.toMatchObject(refusal);
      await expect(keys.change(OPERATOR, id, { projectIds })).rejects.toMatchObject(refusal);
    }
  });

  it('is refused with no project, which never means all, and with more than 100', async () => {
    const { organizationId } = await withProjects(0);
    const many = Array.from({ length: 101 }, () => newId());
    for (const [projectIds, code] of [
      [[], 'required'],
      [many, 'too_many'],
    ] as const)
      await expect(aKey(app, organizationId, { projectIds })).rejects.toMatchObject({ errors: [{ field: 'projectIds', code }] });
  });
});

describe('at the command', () => {
  const claims = (...args: string[]) => runCommand(args, { DATABASE_URL: app.databaseUrl });

  it('a key is bound, bound to others, left as it is, and bound no more', async () => {
    const { organizationId, projects } = await withProjects(2);
    const [first, second] = projects as [string, string];
    const printed = async (...args: string[]) => {
      const { stdout, stderr } = await claims('key', ...args, '--json');
      expect(stderr).toBe('');
      return JSON.parse(stdout) as { id: string; projectIds: string[] | null };
    };
    const of = ['--org', organizationId, '--environment', 'test'];
    const { id, projectIds } = await printed('create', ...of, '--project', first, '--project', second);
    expect(projectIds).toEqual(projects);
    expect(await printed('set', id, '--project', second)).toMatchObject({ projectIds: [second] });
    expect(await printed('set', id, '--name', 'Renamed')).toMatchObject({ projectIds: [second] });
    expect(await printed('set', id, '--all-projects')).toMatchObject({ projectIds: null });
    expect(await printed('create', ...of)).toMatchObject({ projectIds: null });
    const wrong = newId();
    const refused = await claims('key', 'set', id, '--project', wrong);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(wrong)]);
    const both = await claims('key', 'set', id, '--project', first, '--all-projects');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('cannot be used with')]);
  });
});
