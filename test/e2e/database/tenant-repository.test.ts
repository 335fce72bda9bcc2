import { ILike } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, type ChangeContext, type Tenant } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { Project } from '../../../src/modules/projects/project.entity.js';
import { Database } from '../../../src/store/database/database.js';
import { UnitOfWork } from '../../../src/store/database/unit-of-work.js';
import { TenantRepository } from '../../../src/store/tenant/tenant-repository.js';
import { startApp, type TestApp } from '../../support/app.js';

/** What TypeORM's own methods do when they are bound to a tenant. */
class Projects extends TenantRepository<Project> {
  constructor(database: Database) {
    super(database, Project);
  }
}

let app: TestApp;
let projects: Projects;
const [mine, ofOthers] = [aTenant(), aTenant()];
const otherEnvironment = { ...mine, environment: 'live' as const };

beforeAll(async () => {
  app = await startApp();
  projects = new Projects(app.app.get(Database));
  for (const ctx of [mine, ofOthers, otherEnvironment]) {
    await app.app.get(UnitOfWork).run(ctx, async (inner) => {
      for (const name of ['Alpha', 'Beta']) await projects.insert(inner, aProject(name));
    });
  }
});
afterAll(() => app.close());

function aTenant(): ChangeContext & Tenant {
  return { organizationId: newId(), environment: 'test', actor: OPERATOR, requestId: null, ipAddress: null, emits: [] };
}

function aProject(name: string): Project {
  const now = '2026-03-01T09:30:00.000Z';
  const tenant = { organizationId: newId(), environment: 'test' as const };
  const period = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
  const keys = { uniqueKey: newId(), searchKey: name.toUpperCase() };
  const own = { name, clientReference: null, status: 'draft' as const, metadata: { list: [1, 'two'] } };
  return { id: newId(), ...tenant, ...period, ...keys, ...own, createdAt: now, updatedAt: now };
}

describe('find', () => {
  it('returns the rows of the tenant and no others, as get returns them', async () => {
    const rows = await projects.find(mine, { order: { name: 'ASC' } });
    expect(rows.map(({ name }) => name)).toEqual(['Alpha', 'Beta']);
    expect({ ...rows[0] }).toEqual(await projects.get(mine, rows[0]!.id));
  });

  it('restricts every alternative in `where` to the tenant', async () => {
    const rows = await projects.find(mine, { where: [{ name: 'Alpha' }, { name: ILike('b%') }], order: { name: 'ASC' } });
    expect(rows.map(({ name, organizationId, environment }) => ({ name, organizationId, environment }))).toEqual(
      ['Alpha', 'Beta'].map((name) => ({ name, organizationId: mine.organizationId, environment: 'test' })),
    );
  });

  it('ignores another tenant in `where`', async () => {
    expect(await projects.find(mine, { where: { organizationId: ofOthers.organizationId } })).toHaveLength(2);
    expect(await projects.find(mine, { where: { organizationId: ofOthers.organizationId } })).toEqual(
      await projects.find(mine, { where: {} }),
    );
  });
});

describe('findOneBy', () => {
  it('finds a row of the tenant, and undefined for a row of another tenant or environment', async () => {
    const own = await projects.findOneBy(mine, { name: 'Beta' });
    expect(own).toMatchObject({ name: 'Beta', organizationId: mine.organizationId, environment: 'test' });
    expect(await projects.findOneBy(ofOthers, { id: own!.id })).toBeUndefined();
    expect(await projects.findOneBy(otherEnvironment, { id: own!.id })).toBeUndefined();
  });
});

describe('createQueryBuilder', () => {
  it('has the tenant as its first condition', async () => {
    const count = await projects.createQueryBuilder(mine, 'project').andWhere('project.name <> :name', { name: 'Beta' }).getCount();
    expect(count).toBe(1);
  });
});

it('all of them see what the open transaction has written, and calls outside it do not', async () => {
  await app.app.get(UnitOfWork).run(mine, async (inner) => {
    const row = aProject('Gamma');
    await projects.insert(inner, row);
    expect(await projects.findOneBy(inner, { name: 'Gamma' })).toMatchObject({ id: row.id });
    expect(await projects.find(inner)).toHaveLength(3);
    expect(await projects.createQueryBuilder(inner, 'project').getCount()).toBe(3);
    expect(await projects.findOneBy(mine, { name: 'Gamma' })).toBeUndefined();
    await projects.remove(inner, row.id);
  });
});

it('an error of the database is treated as in the prepared statements', async () => {
  await expect(projects.find(mine, { where: { id: 'not a uuid' } })).rejects.toMatchObject({ driverError: { code: '22P02' } });
});
