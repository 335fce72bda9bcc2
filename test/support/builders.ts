import { ApiKeysService, type NewApiKey } from '../../src/modules/api-keys/index.js';
import { NewOrganizations } from '../../src/modules/organization/index.js';
import { type Environment, OPERATOR } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import type { Plan } from '../../src/kernel/plans.js';
import type { TestApp } from './app.js';

/** Builders have defaults for everything, so that a test names only what matters to it. */
export async function anOrganization({ app }: TestApp, wanted: { plan?: Plan; name?: string } = {}) {
  return app
    .get(NewOrganizations)
    .create(OPERATOR, { name: wanted.name ?? 'Example Accountants', slug: `org-${newId()}`, plan: wanted.plan ?? 'enterprise' });
}

export async function aKey({ app }: TestApp, organizationId: string, wanted: Partial<NewApiKey> = {}) {
  const { row, key } = await app
    .get(ApiKeysService)
    .create(OPERATOR, { organizationId, environment: 'test', name: 'A key', scopes: 'all', ...wanted });
  return { id: row.id, key };
}

/** An organization with a key that has all scopes: the start of most tests. */
export async function aTenant(app: TestApp, wanted: { plan?: Plan; environment?: Environment } = {}) {
  const organization = await anOrganization(app, wanted);
  const { id, key } = await aKey(app, organization.id, { environment: wanted.environment ?? 'test' });
  return { organization, keyId: id, key };
}
