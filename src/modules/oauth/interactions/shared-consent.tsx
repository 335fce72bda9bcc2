import { Injectable } from '@nestjs/common';
import { Registry } from '../../../api/operation/registry.js';
import { ENVIRONMENTS, type Environment } from '../../../kernel/context.js';
import { OrganizationService } from '../../organization/index.js';
import { OrganizationField, signInPage } from '../../users/index.js';
import { ConnectionRulesService } from '../shared/connections/connection-rules.service.js';
import { ConnectionsService } from '../shared/connections/connections.service.js';
import type { SharedClient } from '../shared/shared-client.js';
import { NoSignIn } from './application-consent.js';
import { consentPage } from './consent.page.js';
import { OtherWays } from './other-ways.js';
import type { Question } from './open-questions.js';
import { scopeGroups } from '../../../api/access/scope-groups.js';
import { identityOf, refusedConnectionPage, WhoAsks } from './shared-consent.page.js';
import type { Shown } from './shown.js';

/** The pages of an application that serves every organization: its user decides, or learns that their organization has decided. */
@Injectable()
export class SharedConsent {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly rules: ConnectionRulesService,
    private readonly connections: ConnectionsService,
    private readonly registry: Registry,
  ) {}

  async page(client: SharedClient, shown: Shown): Promise<{ status: number; page: string }> {
    const { question, form, user, state } = shown;
    const applicationName = identityOf(client);
    const status = state.problem === undefined ? 200 : 400;
    if (!user) return { status, page: signIn(applicationName, shown) };
    const { name: organizationName } = await this.organizations.byId(user.organizationId);
    const reason = state.refused ?? (await this.connections.refusalOf(user, client));
    if (reason) return { status: 403, page: refusedConnectionPage({ ...form, applicationName, organizationName, reason }) };
    const isDeciding = (await this.rules.verdict(user.organizationId, client.clientId)) === 'undecided';
    const warning = <WhoAsks client={client} deciding={isDeciding ? organizationName : undefined} />;
    const asked = scopeGroups(this.registry, [...new Set(Object.values(question.scopes).flat())]);
    const { problem } = state;
    const facts = { applicationName, organizationName, environment: null, userName: user.name };
    return { status, page: consentPage({ ...question, ...form, ...facts, asked, problem, warning }) };
  }
}

function signIn(applicationName: string, { question, form, state }: Shown): string {
  const { organization = '', ...rest } = state;
  const about = (
    <>
      <p>
        Sign in to continue to <strong>{applicationName}</strong> with your account.
      </p>
      {rest.proof === undefined ? <OtherWays question={question} form={form} company="" /> : null}
    </>
  );
  const before = <OrganizationField organization={organization} state={rest} />;
  return signInPage({ ...form, about, before, after: <NoSignIn />, email: question.loginHint, ...rest });
}

/** The environment that the user allows access to; undefined if they did not allow anything. */
export function chosenEnvironment({ application }: Question, decision: string | null): Environment | undefined {
  if (application) return decision === 'allow' ? application.environment : undefined;
  return ENVIRONMENTS.find((environment) => decision === `allow:${environment}`);
}
