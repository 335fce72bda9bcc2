import { Injectable, Module } from '@nestjs/common';
import { afterAll, expect, it } from 'vitest';
import { acrossTenants, Database, declareExtension, Job, TENANT, tenantSql, type OrganizationTurn } from '../../src/extension-api.js';
import { extensions } from '../../src/extensions/index.js';
import { declaredSql } from '../../src/store/database/prepared-statements.js';
import { JobRegistry } from '../../src/store/jobs/job-registry.js';
import { startApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { collectStatements } from '../support/plans.js';

const OWN = tenantSql('planted.own', `SELECT count(*) FROM claim_projects WHERE ${TENANT}`);
const OF_ALL = acrossTenants('planted.of_all', 'This test looks for what is wrong.', 'SELECT count(*) FROM claim_projects');

@Injectable()
class Planted {
  constructor(private readonly database: Database) {}
  @Job({ id: 'planted.own', summary: 'Reads its own rows.', at: '02:00', zone: 'organization' })
  async readOwn(run: OrganizationTurn): Promise<void> {
    await this.database.rows(...OWN.bind(run));
  }
  @Job({ id: 'planted.of_all', summary: 'Reads the rows of all.', at: '02:00', zone: 'organization' })
  async readAll(): Promise<void> {
    await this.database.rows(...OF_ALL.bind());
  }
}
@Module({ providers: [Planted] })
class PlantedModule {}
const planted = declareExtension({ name: 'planted', madeFor: '1.0.0', modules: [PlantedModule] });

const app = await startApp({}, undefined, [...extensions, planted]);
const statements = collectStatements(app);
afterAll(() => app.close());
const { jobs, daily } = app.app.get(JobRegistry);

it('a job that runs for each organization touches no rows without saying whose', async () => {
  const { organization } = await aTenant(app);
  const found: Record<string, string[]> = {};
  for (const job of daily.filter(({ zone }) => zone === 'organization')) {
    statements.clear();
    // What it has sent counts, also if it fails here, as without the service that it needs.
    const run = { organizationId: organization.id, environment: 'test' as const, day: '2026-03-29', signal: AbortSignal.timeout(5000) };
    await job.run(run).catch(() => undefined);
    const sent = [...statements.values()].filter((name) => typeof declaredSql().get(name)?.scope === 'object');
    if (sent.length > 0) found[job.id] = sent;
  }
  expect(found).toEqual({ 'planted.of_all': ['planted.of_all'] });
});

it('every job has either an interval or a time of day, and an id of its own', () => {
  expect(jobs.every((job) => job.everyMs > 0 && !('at' in job))).toBe(true);
  expect(daily.every((job) => job.at.length === 5 && !('everyMs' in job))).toBe(true);
  const ids = [...jobs, ...daily].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
