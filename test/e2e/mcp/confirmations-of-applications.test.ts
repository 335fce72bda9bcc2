import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RulesByRisk } from '../../../src/kernel/confirmation-rules.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { ApplicationsService } from '../../../src/modules/oauth/index.js';
import { anOrganization } from '../../support/builders.js';
import { type Said, sends } from '../../support/confirmations.js';
import { aVisitorOf } from '../../support/console.js';
import { startDocumentedApp, type DocumentedApp } from '../../support/documented-app.js';
import { anApplication, aUser, tokensOf } from '../../support/oauth.js';

let app: DocumentedApp;
beforeAll(async () => {
  app = await startDocumentedApp();
});
afterAll(() => app.close());

async function anOffice(confirmations: RulesByRisk) {
  const organization = await anOrganization(app);
  const application = await anApplication(app, organization.id);
  await app.app.get(ApplicationsService).update(OPERATOR, application.id, { confirmations });
  const headersOf = async () => {
    const user = await aUser(app, organization.id, 'member');
    const { accessToken } = await tokensOf(app, { organization, user, application }, { scope: undefined });
    return { authorization: `Bearer ${accessToken}` };
  };
  const agree = async ({ structuredContent }: Said) => {
    const { browser } = await aVisitorOf(app, organization, { role: 'owner' });
    const { pathname } = new URL(structuredContent!.confirmation!.url);
    return browser.send(await browser.visit(pathname), {}, `${pathname}/agree`);
  };
  return { headersOf, agree };
}

const inputs = () => ({
  ...{ name: 'Berlin office', period_start: '2026-01-01', period_end: '2026-12-31' },
  ...{ idempotency_key: newId(), confirm: true },
});

it('an application has a rule of its own, where the organization lets models decide', async () => {
  const { headersOf, agree } = await anOffice({ write: 'person' });
  const [headers, given] = [await headersOf(), inputs()];
  const said = await sends(app, headers, 'create_claim_project', given);
  expect(said.structuredContent).toMatchObject({ code: 'confirmation_needed', confirmation: { state: 'open', rule: 'person' } });
  expect((await agree(said)).status).toBe(200);
  expect((await sends(app, headers, 'create_claim_project', given)).structuredContent).toMatchObject({ name: 'Berlin office' });
});

it('what was agreed to for one person of an application is not agreed to for another', async () => {
  const { headersOf, agree } = await anOffice({ write: 'person' });
  const [one, other, given] = [await headersOf(), await headersOf(), inputs()];
  const said = await sends(app, one, 'create_claim_project', given);
  await agree(said);
  const ofOther = await sends(app, other, 'create_claim_project', given);
  expect(ofOther.structuredContent).toMatchObject({ code: 'confirmation_needed', confirmation: { state: 'open' } });
  expect(ofOther.structuredContent!.confirmation!.id).not.toBe(said.structuredContent!.confirmation!.id);
  expect((await sends(app, one, 'create_claim_project', given)).structuredContent).toMatchObject({ name: 'Berlin office' });
});
