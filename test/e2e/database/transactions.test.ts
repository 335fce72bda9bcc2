import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClaimProjectCreated, ClaimProjectUpdated } from '../../../src/modules/projects/index.js';
import { Project } from '../../../src/modules/projects/project.entity.js';
import { type ChangeContext, type Tenant, OPERATOR } from '../../../src/kernel/context.js';
import { type ReadContext, type WriteContext, UnitOfWork } from '../../../src/store/database/unit-of-work.js';
import { Database } from '../../../src/store/database/database.js';
import { newId } from '../../../src/kernel/ids.js';
import { TenantRepository } from '../../../src/store/tenant/tenant-repository.js';
import { Events } from '../../../src/store/events/events.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { rowsOf } from '../../support/database.js';
import { countRows } from '../../support/traces.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** A repository with a custom query. */
class Projects extends TenantRepository<Project> {
  constructor() {
    super(app.app.get(Database), Project);
  }

  async names(ctx: ReadContext): Promise<string[]> {
    const rows = await this.createQueryBuilder(ctx, 'project').orderBy('project.name').getMany();
    return rows.map(({ name }) => name);
  }
}

const aTenantOf = (environment: Tenant['environment'] = 'test', organizationId = newId()): ChangeContext & Tenant => ({
  organizationId,
  environment,
  actor: OPERATOR,
  requestId: null,
  ipAddress: null,
  emits: [ClaimProjectCreated],
});

function aProject(name: string, wanted: Partial<Project> = {}): Project {
  const now = new Date().toISOString();
  const tenant = { organizationId: newId(), environment: 'live' as const };
  return {
    id: newId(),
    ...tenant,
    name,
    clientReference: null,
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
    status: 'draft',
    metadata: {},
    uniqueKey: newId(),
    searchKey: name,
    createdAt: now,
    updatedAt: now,
    ...wanted,
  };
}

const INSERT_TEN_THOUSAND = `INSERT INTO claim_projects (id, organization_id, environment, created_at, updated_at, name, period_start,
    period_end, status, metadata, unique_key, search_key)
  SELECT gen_random_uuid(), $1, 'test', now(), now(), 'P' || n, '2026-01-01',
    '2026-12-31', 'draft', '{}', 'key ' || n, 'P' || n FROM generate_series(1, 10000) n`;

const unitOfWork = (): UnitOfWork => app.app.get(UnitOfWork);
const inUnit = <T>(ctx: ChangeContext & Tenant, work: (inner: WriteContext) => Promise<T>): Promise<T> => unitOfWork().run(ctx, work);

describe('a transaction', () => {
  it('commits row, event and audit entry together', async () => {
    const ctx = aTenantOf();
    const project = aProject('Berlin');
    await inUnit(ctx, async (inner) => {
      await new Projects().insert(inner, project);
      app.app.get(Events).append(inner, ClaimProjectCreated, { before: null, after: project });
      expect(await countRows(app, ctx.organizationId)).toEqual({ projects: 0, events: 0, audit: 0, keys: 0 });
    });
    expect(await countRows(app, ctx.organizationId)).toEqual({ projects: 1, events: 1, audit: 1, keys: 0 });
  });

  it('of a deletion writes the event with the record as it was, and an audit entry with its last values', async () => {
    const event = { kind: 'thing.deleted', status: 'emitted' as const, summary: 'A thing was deleted.', data: null };
    const ctx = { ...aTenantOf(), emits: [event] };
    const project = aProject('Berlin');
    const { id, name, status } = project;
    const published = { id, name, status };
    await inUnit(ctx, (inner) => new Projects().insert(inner, project));
    await inUnit(ctx, async (inner) => {
      expect(await new Projects().remove(inner, id)).toBeDefined();
      app.app.get(Events).append(inner, event, { before: published, after: null });
    });
    expect(await countRows(app, ctx.organizationId)).toEqual({ projects: 0, events: 1, audit: 1, keys: 0 });
    const [written] = await rowsOf(
      app.databaseUrl,
      'SELECT kind, resource_id, data, changed_fields FROM events WHERE organization_id = $1',
      [ctx.organizationId],
    );
    expect(written).toEqual({ kind: 'thing.deleted', resource_id: id, data: published, changed_fields: null });
    const [recorded] = await rowsOf(app.databaseUrl, 'SELECT action, resource_id, changes FROM audit_entries WHERE organization_id = $1', [
      ctx.organizationId,
    ]);
    expect(recorded).toEqual({
      action: 'thing.deleted',
      resource_id: id,
      changes: { name: { from: 'Berlin', to: null }, status: { from: 'draft', to: null } },
    });
  });

  it('is rolled back if its callback throws, and rethrows the error', async () => {
    const ctx = aTenantOf();
    const failure = new Error('changed my mind');
    const work = inUnit(ctx, async (inner) => {
      const project = aProject('Berlin');
      await new Projects().insert(inner, project);
      app.app.get(Events).append(inner, ClaimProjectCreated, { before: null, after: project });
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    expect(await countRows(app, ctx.organizationId)).toEqual({ projects: 0, events: 0, audit: 0, keys: 0 });
  });

  it('is rolled back if an event cannot be written', async () => {
    const ctx = aTenantOf();
    const work = inUnit(ctx, async (inner) => {
      const project = aProject('Berlin');
      await new Projects().insert(inner, project);
      app.app.get(Events).append(inner, ClaimProjectCreated, { before: null, after: { ...project, id: 'no id' } });
    });
    await expect(work).rejects.toThrow(/uuid/);
    expect(await countRows(app, ctx.organizationId)).toEqual({ projects: 0, events: 0, audit: 0, keys: 0 });
  });

  it('fails if its callback ignores a failed statement', async () => {
    const ctx = aTenantOf();
    const project = aProject('Berlin');
    const work = inUnit(ctx, async (inner) => {
      await new Projects().insert(inner, project);
      await new Projects().insert(inner, project).catch(() => undefined);
    });
    await expect(work).rejects.toThrow('A statement of the transaction failed');
    expect(await countRows(app, ctx.organizationId)).toMatchObject({ projects: 0 });
  });

  it('returns its connection to the pool, however it ends', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      await expect(inUnit(aTenantOf(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
      await expect(
        inUnit(aTenantOf(), (inner) => new Projects().insert(inner, aProject('x', { periodStart: 'no day' }))),
      ).rejects.toThrow();
      await inUnit(aTenantOf(), (inner) => new Projects().insert(inner, aProject('x')));
    }
  });

  it('is required for events, which must be declared', async () => {
    const ctx = aTenantOf();
    const change = { before: null, after: aProject('Berlin') };
    expect(() => app.app.get(Events).append(ctx as WriteContext, ClaimProjectCreated, change)).toThrow(
      'claim_project.created was appended outside a transaction.',
    );
    const undeclared = inUnit(ctx, async (inner) => {
      await new Projects().insert(inner, change.after);
      app.app.get(Events).append(inner, ClaimProjectUpdated, change);
    });
    await expect(undeclared).rejects.toThrow('claim_project.updated is not among the events that were declared here.');
    expect(await countRows(app, ctx.organizationId)).toEqual({ projects: 0, events: 0, audit: 0, keys: 0 });
  });

  it.each(['planned', 'test'] as const)('refuses events with the status %s, even if an operation declares them', async (status) => {
    const event = { kind: 'thing.made', status, summary: 'Something happened.', data: null };
    const ctx = { ...aTenantOf(), emits: [event] };
    const append = inUnit(ctx, async (inner) => {
      await new Projects().insert(inner, aProject('Berlin'));
      app.app.get(Events).append(inner, event, { before: null, after: aProject('Berlin') });
    });
    await expect(append).rejects.toThrow(`${event.kind} is ${status}, so it is never emitted.`);
    expect(await countRows(app, ctx.organizationId)).toEqual({ projects: 0, events: 0, audit: 0, keys: 0 });
  });
});

describe('a tenant repository', () => {
  it('writes and finds only rows of the tenant in the context', async () => {
    const [mine, theirs] = [aTenantOf(), aTenantOf()];
    const live = aTenantOf('live', mine.organizationId);
    const projects = new Projects();
    // The tenant in the row itself is ignored.
    const project = aProject('Berlin', { organizationId: theirs.organizationId });
    await inUnit(mine, (inner) => projects.insert(inner, project));
    expect(await projects.get(mine, project.id)).toMatchObject({
      organizationId: mine.organizationId,
      environment: 'test',
      name: 'Berlin',
    });
    for (const other of [theirs, live]) {
      expect(await projects.get(other, project.id)).toBeUndefined();
      expect(await projects.names(other)).toEqual([]);
      expect((await projects.page(other, { page: 1, page_size: 50 })).rows).toEqual([]);
      await inUnit(other, async (inner) => {
        expect(await projects.lock(inner, project.id)).toBeUndefined();
        await projects.update(inner, { ...project, name: 'Stolen' }, ['name']);
      });
    }
    expect(await projects.names(mine)).toEqual(['Berlin']);
  });

  it('removes a row once, only for its own tenant, and returns it', async () => {
    const ctx = aTenantOf();
    const projects = new Projects();
    const [kept, gone] = [aProject('Berlin'), aProject('Hamburg')];
    await inUnit(ctx, async (inner) => {
      for (const project of [kept, gone]) await projects.insert(inner, project);
    });
    for (const other of [aTenantOf(), aTenantOf('live', ctx.organizationId)])
      expect(await inUnit(other, (inner) => projects.remove(inner, gone.id))).toBeUndefined();
    const before = await projects.get(ctx, gone.id);
    expect(before).toMatchObject({ id: gone.id, name: 'Hamburg' });
    expect(await inUnit(ctx, (inner) => projects.remove(inner, gone.id))).toEqual(before);
    expect(await projects.get(ctx, gone.id)).toBeUndefined();
    expect(await inUnit(ctx, (inner) => projects.remove(inner, gone.id))).toBeUndefined();
    expect(await projects.names(ctx)).toEqual(['Berlin']);
  });

  it('returns a row to only one of several concurrent removals', async () => {
    const ctx = aTenantOf();
    const project = aProject('Berlin');
    await inUnit(ctx, (inner) => new Projects().insert(inner, project));
    const removed = await Promise.all(Array.from({ length: 5 }, () => inUnit(ctx, (inner) => new Projects().remove(inner, project.id))));
    expect(removed.filter((row) => row !== undefined)).toMatchObject([{ id: project.id }]);
  });

  it('keeps a row if the transaction that removed it fails', async () => {
    const ctx = aTenantOf();
    const projects = new Projects();
    const project = aProject('Berlin');
    await inUnit(ctx, (inner) => projects.insert(inner, project));
    const work = inUnit(ctx, async (inner) => {
      await projects.remove(inner, project.id);
      expect(await projects.get(inner, project.id)).toBeUndefined();
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await projects.get(ctx, project.id)).toBeDefined();
  });

  it('commits nothing if its last write cannot be sent', async () => {
    const ctx = aTenantOf();
    const projects = new Projects();
    const project = aProject('Never there');
    const circle: Record<string, unknown> = {};
    circle.itself = circle;
    const work = inUnit(ctx, async (inner) => {
      await projects.insert(inner, project);
      inner.unit.lastWrites.push({ name: 'test.circle', sql: (bind) => `SELECT ${bind(circle)}::json` });
    });
    await expect(work).rejects.toThrow('circular');
    expect(await projects.get(ctx, project.id)).toBeUndefined();
  });

  describe.each([
    ['waited for', false],
    ['not waited for', true],
  ])('where writes are %s', (_how, isHasty) => {
    const inOwnUnit = <T>(ctx: ChangeContext & Tenant, work: (inner: WriteContext) => Promise<T>) =>
      inUnit(ctx, (inner) => {
        inner.unit.isHasty = isHasty;
        return work(inner);
      });

    it('commits nothing if one is refused, and the reason is what the first was refused for', async () => {
      const ctx = aTenantOf();
      const projects = new Projects();
      const [kept, beside] = [aProject('Berlin'), aProject('Beside')];
      await inOwnUnit(ctx, (inner) => projects.insert(inner, kept));
      const work = inOwnUnit(ctx, async (inner) => {
        await projects.insert(inner, beside);
        await projects.insert(inner, aProject('Twin', { uniqueKey: kept.uniqueKey! }));
        await projects.get(inner, kept.id);
        inner.unit.lastWrites.push({ name: 'test.last', sql: () => 'SELECT 1' });
      });
      await expect(work).rejects.toMatchObject({ code: '23505' });
      expect(await projects.names(ctx)).toEqual(['Berlin']);
    });

    it('commits nothing if one cannot be sent', async () => {
      const ctx = aTenantOf();
      const projects = new Projects();
      const circle: Record<string, unknown> = {};
      circle.itself = circle;
      const work = inOwnUnit(ctx, async (inner) => {
        await projects.insert(inner, aProject('Beside'));
        await projects.insert(inner, aProject('Never there', { clientReference: circle as unknown as string }));
      });
      await expect(work).rejects.toThrow('circular');
      expect(await projects.names(ctx)).toEqual([]);
    });

    it('commits nothing of an organization that has begun to move', async () => {
      const { organization } = await aTenant(app);
      const ctx = aTenantOf('test', organization.id);
      const projects = new Projects();
      await rowsOf(app.databaseUrl, "UPDATE organizations SET status = 'moving' WHERE id = $1", [organization.id]);
      const work = inOwnUnit(ctx, (inner) => projects.insert(inner, aProject('Too late')));
      await expect(work).rejects.toMatchObject({ code: 'organization_moving' });
      expect(await projects.names(ctx)).toEqual([]);
    });
  });

  it('commits nothing if its last write has the name of another statement', async () => {
    const ctx = aTenantOf();
    const projects = new Projects();
    const write = (text: string) => ({ name: 'test.same_name', sql: () => text });
    const inserted = (project: Project, text: string) =>
      inUnit(ctx, async (inner) => {
        await projects.insert(inner, project);
        inner.unit.lastWrites.push(write(text));
      });
    const [first, ...more] = Array.from({ length: 30 }, (_, index) => aProject(`Named ${index}`));
    await inserted(first!, 'SELECT 1');
    const outcomes = await Promise.allSettled(more.map((project) => inserted(project, 'SELECT 2')));
    const kept = await Promise.all(more.map(async ({ id }) => (await projects.get(ctx, id)) !== undefined));
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
    expect(kept).toEqual(outcomes.map(({ status }) => status === 'fulfilled'));
  });

  it.each([
    ['is removed', (projects: Projects, inner: WriteContext, { id }: Project) => projects.remove(inner, id)],
    [
      'is updated',
      (projects: Projects, inner: WriteContext, project: Project) => projects.update(inner, { ...project, status: 'archived' }, ['status']),
    ],
  ])('counts a long list again after row 10,001 %s, even if the list was read during the transaction', async (_how, takeOut) => {
    const ctx = aTenantOf();
    const projects = new Projects();
    const project = aProject('One too many');
    const totalFor = async (reader: ReadContext) => {
      const { total, totalRelation } = await projects.page(reader, { page: 1, page_size: 1 }, { status: 'draft' });
      return [total, totalRelation];
    };
    await inUnit(ctx, (inner) => projects.insert(inner, project));
    await rowsOf(app.databaseUrl, INSERT_TEN_THOUSAND, [ctx.organizationId]);
    expect(await totalFor(ctx)).toEqual([10_000, 'at_least']);
    await inUnit(ctx, async (inner) => {
      await takeOut(projects, inner, project);
      expect(await totalFor(inner)).toEqual([10_000, 'exact']);
      expect(await totalFor(ctx)).toEqual([10_000, 'at_least']);
    });
    expect(await totalFor(ctx)).toEqual([10_000, 'exact']);
  });

  it('executes custom queries in the open transaction, if there is one', async () => {
    const ctx = aTenantOf();
    const projects = new Projects();
    await inUnit(ctx, async (inner) => {
      const project = aProject('Berlin');
      await projects.insert(inner, project);
      expect(await projects.get(inner, project.id)).toBeDefined();
      expect(await projects.get(ctx, project.id)).toBeUndefined();
      expect(await projects.names(inner)).toEqual(['Berlin']);
      expect((await projects.page(inner, { page: 1, page_size: 50 })).total).toBe(1);
      expect(await projects.names(ctx)).toEqual([]);
      expect((await projects.page(ctx, { page: 1, page_size: 50 })).total).toBe(0);
    });
    expect(await projects.names(ctx)).toEqual(['Berlin']);
  });

  it('does not compile for a write outside a transaction, or without a tenant', () => {
    const refused = (projects: Projects, outside: ChangeContext & Tenant, row: Project) => [
      // @ts-expect-error an insert needs a transaction
      () => projects.insert(outside, row),
      // @ts-expect-error an update needs a transaction
      () => projects.update(outside, row, ['name']),
      // @ts-expect-error a removal needs a transaction
      () => projects.remove(outside, row.id),
      // @ts-expect-error a lock needs a transaction
      () => projects.lock(outside, row.id),
      // @ts-expect-error an event needs a transaction
      () => app.app.get(Events).append(outside, ClaimProjectCreated, { before: null, after: row }),
      // @ts-expect-error a read needs a tenant
      () => projects.get({}, row.id),
      // @ts-expect-error a query of a repository's own needs a tenant
      () => projects.names({ organizationId: row.organizationId }),
    ];
    expect(refused(new Projects(), aTenantOf(), aProject('x'))).toHaveLength(7);
  });
});
