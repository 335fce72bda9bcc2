import { Injectable } from '@nestjs/common';
import type { FormState } from '../../../api/console/page.js';
import { Note, Sentence, Way } from '../../../api/console/parts/facts.js';
import { scopeGroups } from '../../../api/access/scopes.js';
import { page } from '../../../api/http/pages/page.js';
import { FIRST, Naming, SECOND } from '../../../api/wording/page-wording.js';
import type { Say, Wording } from '../../../api/wording/wording.js';
import { Registry } from '../../../api/operation/registry.js';
import { type Environment, ENVIRONMENTS } from '../../../kernel/context.js';
import { OrganizationService } from '../../organization/index.js';
import {
  IdentityProvidersService,
  OrganizationField,
  PasskeyLink,
  signInPage,
  type SignInState,
  type UserFacts,
} from '../../users/index.js';
import type { Application } from '../applications/application.entity.js';
import { ConnectionRulesService, type ConnectionRefusal, ConnectionsService } from '../shared/connections/connections.service.js';
import type { SharedClient } from '../applications/client-metadata.js';
import { ConsentProjects } from './consent-projects.js';
import { type Consent, consentPage } from './consent.page.js';
import type { Question } from './interactions.service.js';

@Injectable()
export class ApplicationConsent {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly identityProviders: IdentityProvidersService,
    private readonly registry: Registry,
    private readonly projects: ConsentProjects,
  ) {}

  async page(application: Application, { question, form, user, state, wording }: Shown): Promise<{ status: number; page: string }> {
    const { name: applicationName, organizationId, environment } = application;
    const { name: organizationName, slug } = await this.organizations.byId(organizationId);
    const { isNothingChosen = false, projects: refused, ...attempt } = state;
    const company = (await this.identityProviders.find(organizationId)) && slug;
    const about = (
      <>
        <Sentence
          text={wording.say('signIn.toApplicationOf', { application: FIRST, organization: SECOND })}
          names={[applicationName, organizationName]}
        />
        {attempt.proof === undefined ? <OtherWays question={question} form={form} company={company} wording={wording} /> : null}
      </>
    );
    const asked = scopeGroups(this.registry, [...new Set(Object.values(question.scopes).flat())], wording);
    const choice = user && (await this.projects.field({ question, applicationName, organizationId, refused, wording }));
    const names = { applicationName, organizationName };
    if (choice?.environments.length === 0)
      return { status: 403, page: refusedConnectionPage({ ...form, ...names, reason: NO_PROJECTS, wording }) };
    const page = choice
      ? consentPage({ ...question, ...form, ...names, ...choice, environment, user, asked, isNothingChosen, wording })
      : signInPage({ ...form, about, ...endOf(form, wording), email: question.loginHint, ...attempt, wording });
    return { status: statusOf(state), page };
  }
}

const statusOf = ({ problem, projects, isNothingChosen = false }: ShownAgain): number =>
  problem === undefined && projects === undefined && !isNothingChosen ? 200 : 400;

/** What the forms for password and code end with. */
const endOf = ({ action }: Shown['form'], { say }: Wording) => ({
  passkey: <PasskeyLink say={say} next={action} />,
  after: <NoSignIn say={say} />,
});

const NoSignIn = ({ say }: { say: Say }) => (
  <button class="plain" name="do" value="refuse" formNoValidate>
    {say('signIn.cancel')}
  </button>
);

export interface ShownAgain extends Partial<SignInState> {
  readonly isNothingChosen?: boolean;
  /** The form, if the projects that it names cannot be had. */
  readonly projects?: FormState;
  readonly refused?: ConnectionRefusal;
  readonly organization?: string;
}

export interface Shown {
  readonly question: Question;
  readonly form: { readonly action: string; readonly csrf: string };
  /** Undefined before the sign-in. */
  readonly user: UserFacts | undefined;
  readonly state: ShownAgain;
  readonly wording: Wording;
}

interface OtherWaysProps extends Pick<Shown, 'question' | 'form' | 'wording'> {
  /** The short name of the organization, empty if it is not known; undefined if it has no single sign-on. */
  readonly company: string | undefined;
}

function OtherWays({ question: { signedIn }, form: { action, csrf }, company, wording: { say } }: OtherWaysProps) {
  if (signedIn)
    return (
      // A form of its own: a person who types a password and presses Enter means that account.
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        <button name="do" value="continue">
          {say('signIn.continueAs', { name: signedIn.user.name })}
        </button>
        <p class="hint">{say('signIn.signedInAs', { email: signedIn.user.email })}</p>
      </form>
    );
  if (company === undefined) return null;
  const query = new URLSearchParams({ organization: company, next: action });
  return <Way to={`/console/sign-in/company?${query.toString()}`} label={say('signIn.company')} />;
}

/** What users can rely on: a host belongs to somebody, a name can be claimed by anyone. */
const identityOf = ({ host, name }: SharedClient): string => host ?? name;

interface WhoAsksProps {
  readonly client: SharedClient;
  /** The organization for whose members the user decides. */
  readonly deciding: string | undefined;
  readonly wording: Wording;
}

const WhoAsks = ({ client, deciding, wording }: WhoAsksProps) => (
  <>
    {client.isListed ? (
      <Sentence text={wording.say('consent.listed', { application: FIRST })} names={[client.name]} />
    ) : (
      <NotVerified client={client} wording={wording} />
    )}
    {deciding === undefined ? null : <Sentence text={wording.say('consent.forAll', { organization: FIRST })} names={[deciding]} />}
  </>
);

const NotVerified = ({ client: { host, name }, wording: { say } }: Pick<WhoAsksProps, 'client' | 'wording'>) => (
  <>
    {host === null ? (
      <p>{say('consent.callsItself', { name })}</p>
    ) : (
      <Sentence text={say('consent.publishedBy', { host: FIRST, name })} names={[host]} />
    )}
    <p class="error">{say('consent.notVerified')}</p>
  </>
);

interface RefusedConnection extends Pick<Consent, 'action' | 'csrf' | 'applicationName' | 'organizationName' | 'wording'> {
  readonly reason: ConnectionRefusal | typeof NO_PROJECTS;
}

/** Also the value of the button: the application is told of it by another error. */
export const NO_PROJECTS = 'no_projects';

function refusedConnectionPage({ action, csrf, applicationName, organizationName, reason, wording }: RefusedConnection): string {
  const { say, language } = wording;
  const body = (
    <>
      <Note tone="error">
        <Naming text={say(`consent.refusals.${reason}`, { organization: FIRST })} names={[organizationName]} />
      </Note>
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        <button name="do" value={reason === NO_PROJECTS ? reason : 'refuse'}>
          {say('consent.goBack')}
        </button>
      </form>
    </>
  );
  return page({ title: say('consent.cannotConnect', { application: applicationName }), language, body });
}

/** The pages of an application that serves every organization: its user decides, or learns that their organization has decided. */
@Injectable()
export class SharedConsent {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly rules: ConnectionRulesService,
    private readonly connections: ConnectionsService,
    private readonly registry: Registry,
    private readonly projects: ConsentProjects,
  ) {}

  async page(client: SharedClient, shown: Shown): Promise<{ status: number; page: string }> {
    const { question, form, user, state, wording } = shown;
    const applicationName = identityOf(client);
    const status = statusOf(state);
    if (!user) return { status, page: signIn(applicationName, shown) };
    const { name: organizationName } = await this.organizations.byId(user.organizationId);
    const [organizationId, refused] = [user.organizationId, state.projects];
    const choice = await this.projects.field({ question, applicationName, organizationId, refused, wording });
    const without = choice.environments.length === 0 ? NO_PROJECTS : undefined;
    const reason = state.refused ?? (await this.connections.findRefusal(user, client)) ?? without;
    if (reason) return { status: 403, page: refusedConnectionPage({ ...form, applicationName, organizationName, reason, wording }) };
    const isDeciding = (await this.rules.verdict(user.organizationId, client.clientId)) === 'undecided';
    const warning = <WhoAsks client={client} deciding={isDeciding ? organizationName : undefined} wording={wording} />;
    const asked = scopeGroups(this.registry, [...new Set(Object.values(question.scopes).flat())], wording);
    const facts = { applicationName, organizationName, environment: null, user, wording, isNothingChosen: state.isNothingChosen ?? false };
    return { status, page: consentPage({ ...question, ...form, ...facts, ...choice, asked, warning }) };
  }
}

function signIn(applicationName: string, { question, form, state, wording }: Shown): string {
  const { organization = '', ...rest } = state;
  const about = (
    <>
      <Sentence text={wording.say('signIn.toApplication', { application: FIRST })} names={[applicationName]} />
      {rest.proof === undefined ? <OtherWays question={question} form={form} company="" wording={wording} /> : null}
    </>
  );
  const before = <OrganizationField organization={organization} state={rest} wording={wording} />;
  return signInPage({ ...form, about, before, ...endOf(form, wording), email: question.loginHint, ...rest, wording });
}

export function chosenEnvironment({ application }: Question, decision: string | null): Environment | undefined {
  if (application) return decision === 'allow' ? application.environment : undefined;
  return ENVIRONMENTS.find((environment) => decision === `allow:${environment}`);
}
