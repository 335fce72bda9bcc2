import { Injectable } from '@nestjs/common';
import { scopeGroups } from '../../../api/access/scope-groups.js';
import { page } from '../../../api/http/pages/page.js';
import { Registry } from '../../../api/operation/registry.js';
import { type Environment, ENVIRONMENTS } from '../../../kernel/context.js';
import { OrganizationService } from '../../organization/index.js';
import { IdentityProvidersService, OrganizationField, signInPage, type SignInState, type UserFacts } from '../../users/index.js';
import type { Application } from '../applications/application.entity.js';
import { ConnectionRulesService } from '../shared/connections/connection-rules.service.js';
import { type ConnectionRefusal, ConnectionsService } from '../shared/connections/connections.service.js';
import type { SharedClient } from '../shared/shared-client.js';
import { type Consent, consentPage } from './consent.page.js';
import type { Question } from './open-questions.js';

/** The pages of an application of one organization. */
@Injectable()
export class ApplicationConsent {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly identityProviders: IdentityProvidersService,
    private readonly registry: Registry,
  ) {}

  async page(application: Application, { question, form, user, state }: Shown): Promise<{ status: number; page: string }> {
    const { name: applicationName, organizationId, environment } = application;
    const { name: organizationName, slug } = await this.organizations.byId(organizationId);
    const { problem, proof } = state;
    const company = (await this.identityProviders.find(organizationId)) && slug;
    const about = (
      <>
        <p>
          Sign in to continue to <strong>{applicationName}</strong> with your account at <strong>{organizationName}</strong>.
        </p>
        {proof === undefined ? <OtherWays question={question} form={form} company={company} /> : null}
      </>
    );
    const asked = scopeGroups(this.registry, [...new Set(Object.values(question.scopes).flat())]);
    const page = user
      ? consentPage({ ...question, ...form, applicationName, organizationName, environment, user, asked, problem })
      : signInPage({ ...form, about, after: <NoSignIn />, email: question.loginHint, ...state });
    return { status: problem === undefined ? 200 : 400, page };
  }
}

export const NoSignIn = () => (
  <button class="plain" name="do" value="refuse" formNoValidate>
    Cancel
  </button>
);

/** How a page is shown again: where a sign-in stands, what was wrong with an answer, or what the organization decided meanwhile. */
export interface ShownAgain extends Partial<SignInState> {
  readonly refused?: ConnectionRefusal;
  /** The organization that was entered with the e-mail address. */
  readonly organization?: string;
}

/** What a page is made from. */
export interface Shown {
  readonly question: Question;
  readonly form: { readonly action: string; readonly csrf: string };
  /** Undefined before the sign-in. */
  readonly user: UserFacts | undefined;
  readonly state: ShownAgain;
}

interface OtherWaysProps {
  readonly question: Question;
  readonly form: Shown['form'];
  /** The short name of the organization, empty if it is not known; undefined if it has no single sign-on. */
  readonly company: string | undefined;
}

/** How to sign in without a password: as who is signed in to the console, or with a company's account. */
export function OtherWays({ question: { signedIn }, form: { action, csrf }, company }: OtherWaysProps) {
  if (signedIn)
    return (
      // A form of its own: a person who types a password and presses Enter means that account.
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        <button name="do" value="continue">
          Continue as {signedIn.user.name}
        </button>
        <p class="hint">You are signed in as {signedIn.user.email}. Or sign in as somebody else:</p>
      </form>
    );
  if (company === undefined) return null;
  const query = new URLSearchParams({ organization: company, next: action });
  return (
    <p>
      <a href={`/console/sign-in/company?${query.toString()}`}>Sign in with your company's account</a>
    </p>
  );
}

/** What users can rely on: a host belongs to somebody, a name can be claimed by anyone. */
const identityOf = ({ host, name }: SharedClient): string => host ?? name;

/** Who asks, and how far that is proven. `deciding`: the organization for whose members the user decides. */
const WhoAsks = ({ client, deciding }: { client: SharedClient; deciding: string | undefined }) => (
  <>
    {client.isListed ? (
      <p>
        The operator of this service has listed <strong>{client.name}</strong>.
      </p>
    ) : (
      <NotVerified client={client} />
    )}
    {deciding === undefined ? null : (
      <p>
        With your consent all members of <strong>{deciding}</strong> can connect it.
      </p>
    )}
  </>
);

const NotVerified = ({ client: { host, name } }: { client: SharedClient }) => (
  <>
    {host === null ? (
      <p>This application calls itself “{name}”. Anyone can use any name.</p>
    ) : (
      <p>
        This application is published by <strong>{host}</strong> and calls itself “{name}”.
      </p>
    )}
    <p class="error">It is not verified by us. Continue only if you have just started this yourself, in an application that you trust.</p>
  </>
);

const REASONS: Record<ConnectionRefusal, string> = {
  none_allowed: 'does not allow applications like this one.',
  denied: 'has blocked this application.',
  suspended: 'has suspended this application.',
  ask_an_owner: 'has not allowed this application yet. Ask an owner or admin to connect it first.',
};

interface RefusedConnection extends Pick<Consent, 'action' | 'csrf' | 'applicationName' | 'organizationName'> {
  readonly reason: ConnectionRefusal;
}

/** The organization does not allow the application. The button returns to it with an error. */
function refusedConnectionPage({ action, csrf, applicationName, organizationName, reason }: RefusedConnection): string {
  const body = (
    <>
      <p class="error" role="alert">
        <strong>{organizationName}</strong> {REASONS[reason]}
      </p>
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        <button name="do" value="refuse">
          Go back to the application
        </button>
      </form>
    </>
  );
  return page({ title: `${applicationName} cannot be connected`, body });
}

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
    const reason = state.refused ?? (await this.connections.findRefusal(user, client));
    if (reason) return { status: 403, page: refusedConnectionPage({ ...form, applicationName, organizationName, reason }) };
    const isDeciding = (await this.rules.verdict(user.organizationId, client.clientId)) === 'undecided';
    const warning = <WhoAsks client={client} deciding={isDeciding ? organizationName : undefined} />;
    const asked = scopeGroups(this.registry, [...new Set(Object.values(question.scopes).flat())]);
    const { problem } = state;
    const facts = { applicationName, organizationName, environment: null, user };
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
