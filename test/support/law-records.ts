import { StatementOperatorService } from '../../src/modules/statements/index.js';
import { type Environment, OPERATOR } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import { Client } from './client.js';
import type { World } from './law-world.js';

/** Makes one record for the organization and environment of a key, in the collection with this path. */
export type Builder = (world: World, key: string, path: string) => Promise<{ readonly id: string }>;

async function aProject(client: Client): Promise<{ id: string }> {
  const { body } = await client.post('/v1/claim-projects', { name: newId(), periodStart: '2026-01-01', periodEnd: '2026-12-31' });
  return body as { id: string };
}

/**
 * Who makes the records of a collection that has no POST, by its path. Only those are named here: all others are made by
 * their POST, with the example that the OpenAPI document gives.
 */
export const BUILDERS: Readonly<Record<string, Builder>> = {
  // The endpoint of the example is subscribed to new projects: each leaves it a delivery.
  '/v1/webhooks/{webhook_id}/deliveries': async (world, key, path) => {
    const client = new Client(world.url, key);
    await aProject(client);
    const { body } = await client.get(`${path}?page_size=1`);
    return (body as { data: { id: string }[] }).data[0]!;
  },
  // Statements come in by the settings. Each has a project: a list can be asked for those of one.
  '/v1/bank-statements': async (world, key) => {
    const client = new Client(world.url, key);
    const { body } = await client.get('/v1/auth/context');
    const { organization, credential } = body as { organization: { id: string }; credential: { environment: Environment } };
    const { id } = await aProject(client);
    const file = Buffer.from('Date,Description,Amount\n2026-01-05,Ticket,-89.90\n');
    return world.app.get(StatementOperatorService).import(OPERATOR, {
      organizationId: organization.id,
      environment: credential.environment,
      projectId: id,
      fileName: 'january.csv',
      file,
      isRedacted: false,
    });
  },
};

/**
 * The collections whose records a live credential of their organization sees although they are of the test environment: one
 * integrator manages the endpoints of both. To a test credential live ones do not exist, as anywhere.
 */
export const SEEN_FROM_LIVE: readonly string[] = ['/v1/webhooks'];

/** The ids of other records that a body may hold, and the collections they come from: an example cannot know a real one. */
export const RELATED: Readonly<Record<string, string>> = {
  projectId: '/v1/claim-projects',
  reportConfigurationId: '/v1/report-configurations',
};
