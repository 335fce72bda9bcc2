import { orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { type PageContext, PageCtx, pathOf } from '../../../api/console/page-context.js';
import { type Answer, goTo, page } from '../../../api/console/page.js';
import { ActionButton, Badge, Confirm, Copyable, Facts, Time } from '../../../api/console/parts/facts.js';
import { AreaField, type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { GIVEN_ROLES, type GivenRole, type IdentityProvider } from './identity-provider.entity.js';
import { IdentityProvidersService } from './identity-providers.service.js';
import { type Discovered, ProviderClient, ProviderUnusable } from './provider-client.js';
import { CLAIM_MAX, CLIENT_ID_MAX, CLIENT_SECRET_MAX, ISSUER_MAX, type WantedProvider } from './provider-rules.js';
import { type NamedWay, SignInWays } from './sign-in-ways.js';

const ROLES: Record<GivenRole, string> = { member: 'Member', admin: 'Admin' };
const CHOICES = GIVEN_ROLES.map((role): Choice => [role, ROLES[role]]);

const signOnPath = (ctx: PageContext, ...parts: string[]): string => pathOf(ctx, 'single-sign-on', ...parts);

const RedirectAddress = ({ uri }: { uri: string }) => (
  <>
    <p>Register this redirect address at the provider:</p>
    <Copyable text={uri} label="Redirect address" />
  </>
);

const NotSetUp = ({ ctx, redirectUri }: { ctx: PageContext; redirectUri: string }) => (
  <>
    <p>
      People can sign in with the account that they have at your company, by OpenID Connect: with Entra ID, Google Workspace, Okta, Keycloak
      and others.
    </p>
    <RedirectAddress uri={redirectUri} />
    <p>
      <a class="button" href={signOnPath(ctx, 'edit')}>
        Set up single sign-on
      </a>
    </p>
  </>
);

/** What this installation has for the organization, which comes before a provider that owners could set up here. */
const InstalledWay = ({ ctx, way, redirectUri }: { ctx: PageContext; way: NamedWay; redirectUri: string }) => (
  <>
    <p>People sign in by what this installation has for your organization. Its operator sets it up, so there is nothing to change here.</p>
    <Facts
      facts={[
        ['Signed in by', way.provider],
        ['E-mail domains', way.emailDomains.join(', ')],
        ['New users are', ROLES[way.defaultRole]],
        ['Passwords', <PasswordsBadge isAllowed={way.allowsPasswords !== false} />],
      ]}
    />
    <SignInAddress ctx={ctx} redirectUri={redirectUri} />
  </>
);

const PasswordsBadge = ({ isAllowed }: { isAllowed: boolean }) =>
  isAllowed ? <Badge>Allowed</Badge> : <Badge tone="good">Switched off</Badge>;

function SignInAddress({ ctx, redirectUri }: { ctx: PageContext; redirectUri: string }) {
  const query = new URLSearchParams({ organization: ctx.organization.slug });
  return (
    <>
      <p>People sign in here:</p>
      <Copyable text={new URL(`/console/sign-in/company?${query}`, redirectUri).href} label="Sign-in address" />
    </>
  );
}

function ProviderView({ ctx, provider, redirectUri }: { ctx: PageContext; provider: IdentityProvider; redirectUri: string }) {
  const { issuer, clientId, emailDomains, defaultRole, roleClaim, passwordsAllowed, updatedAt } = provider;
  return (
    <>
      <Facts
        facts={[
          ['Issuer', issuer],
          ['Client ID', clientId],
          ['E-mail domains', emailDomains.join(', ')],
          ['New users are', ROLES[defaultRole]],
          ['Roles by', roleClaim === null ? 'This console' : <RoleClaim provider={provider} claim={roleClaim} />],
          ['Passwords', <PasswordsBadge isAllowed={passwordsAllowed} />],
          ['Changed', <Time ctx={ctx} at={updatedAt} />],
        ]}
      />
      <RedirectAddress uri={redirectUri} />
      <SignInAddress ctx={ctx} redirectUri={redirectUri} />
      <p>
        <a class="button" href={signOnPath(ctx, 'edit')}>
          Edit
        </a>{' '}
        <ActionButton ctx={ctx} action={signOnPath(ctx, 'check')} label="Check" />
      </p>
      <h2>Passwords</h2>
      <Passwords ctx={ctx} isAllowed={passwordsAllowed} />
      <h2>Remove</h2>
      <Confirm
        ctx={ctx}
        action={signOnPath(ctx, 'remove')}
        label="Remove single sign-on"
        question="Signing in by the provider ends for everyone. Passwords are allowed; people without one need an invitation or a link."
        submit="Remove it"
      />
    </>
  );
}

const RoleClaim = ({ provider: { adminValues, memberValues }, claim }: { provider: IdentityProvider; claim: string }) => (
  <>
    The claim <code>{claim}</code>: {adminValues.length === 0 ? '' : `admins ${adminValues.join(', ')}; `}
    {memberValues.length === 0 ? '' : `members ${memberValues.join(', ')}; `}
    owners are made in this console
  </>
);

function Passwords({ ctx, isAllowed }: { ctx: PageContext; isAllowed: boolean }) {
  if (!isAllowed)
    return (
      <ActionButton ctx={ctx} action={signOnPath(ctx, 'passwords')} label="Allow passwords again">
        <input type="hidden" name="passwords" value="on" />
      </ActionButton>
    );
  if (ctx.signedInBy !== 'single_sign_on')
    return <p class="hint">To switch passwords off, sign in with your company's account first: this shows that it works.</p>;
  return (
    <Confirm
      ctx={ctx}
      action={signOnPath(ctx, 'passwords')}
      label="Switch passwords off"
      question="People signed in with a password are signed out at once. Applications cannot be allowed access with a password either."
      submit="Switch them off"
    >
      <input type="hidden" name="passwords" value="off" />
    </Confirm>
  );
}

interface ProviderFormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly isNew: boolean;
  readonly redirectUri: string;
}

const ProviderForm = ({ ctx, state, isNew, redirectUri }: ProviderFormProps) => (
  <>
    <RedirectAddress uri={redirectUri} />
    <ConsoleForm ctx={ctx} state={state} submit="Save" cancel={signOnPath(ctx)}>
      <TextField
        state={state}
        name="issuer"
        label="Issuer"
        hint="As the provider shows it, without /.well-known/openid-configuration."
        required
        maxLength={ISSUER_MAX}
        placeholder="https://login.example.com"
      />
      <TextField state={state} name="clientId" label="Client ID" required maxLength={CLIENT_ID_MAX} />
      <TextField
        state={state}
        name="clientSecret"
        label="Client secret"
        hint={isNew ? undefined : 'Left empty, it stays as it is. It is never shown.'}
        type="password"
        autocomplete="new-password"
        required={isNew}
        maxLength={CLIENT_SECRET_MAX}
      />
      <AreaField
        state={state}
        name="emailDomains"
        label="E-mail domains"
        hint="Only people with an address of these domains sign in, such as example.com."
        rows={2}
        required
      />
      <h2>Roles</h2>
      <SelectField state={state} name="defaultRole" label="New users are" choices={CHOICES} />
      <TextField
        state={state}
        name="roleClaim"
        label="Role claim"
        hint="Sets the role at each sign-in, such as groups. Left empty, roles are given in this console. Owners stay owners."
        maxLength={CLAIM_MAX}
      />
      <AreaField state={state} name="adminValues" label="Values for admins" hint="One in each line." rows={2} />
      <AreaField state={state} name="memberValues" label="Values for members" hint="One in each line." rows={2} />
    </ConsoleForm>
  </>
);

/** The secret is not among them. */
const valuesOf = (provider: IdentityProvider | undefined) => ({
  issuer: provider?.issuer,
  clientId: provider?.clientId,
  emailDomains: provider?.emailDomains.join('\n'),
  defaultRole: provider?.defaultRole ?? 'member',
  roleClaim: provider?.roleClaim,
  adminValues: provider?.adminValues.join('\n'),
  memberValues: provider?.memberValues.join('\n'),
});

const DiscoveredView = ({ ctx, found }: { ctx: PageContext; found: Discovered }) => (
  <>
    <p>This is what it says about itself. Sign in once to see whether the client ID and the secret are right, too.</p>
    <Facts
      facts={[
        ['Issuer', found.issuer],
        ['Sign-in', found.authorizationEndpoint],
        ['Tokens', found.tokenEndpoint],
        ['Keys', found.keys],
      ]}
    />
    <Back ctx={ctx} />
  </>
);

const UnusableView = ({ ctx, reason }: { ctx: PageContext; reason: string }) => (
  <>
    <p class="error" role="alert">
      The provider cannot be used: {reason}.
    </p>
    <Back ctx={ctx} />
  </>
);

const Back = ({ ctx }: { ctx: PageContext }) => (
  <p>
    <a href={signOnPath(ctx)}>Single sign-on</a>
  </p>
);

const SECTION = 'single-sign-on';
const TITLE = 'Single sign-on';

/** The identity provider of the organization. It is for both environments. */
@ConsoleSection({ path: SECTION, label: TITLE, tabOf: 'organization', group: 'Organization', order: 5, role: 'owner' })
export class SingleSignOnConsole {
  constructor(
    private readonly providers: IdentityProvidersService,
    private readonly client: ProviderClient,
    private readonly ways: SignInWays,
  ) {}

  @Page({ route: 'GET /', role: 'owner' })
  async show(@PageCtx() ctx: PageContext): Promise<Answer> {
    const { id, slug } = ctx.organization;
    const way = await this.ways.ofExtensions({ id, slug });
    if (way) return page(TITLE, <InstalledWay ctx={ctx} way={way} redirectUri={this.client.redirectUri} />);
    const provider = await this.providers.find(ctx.organizationId);
    if (!provider) return page(TITLE, <NotSetUp ctx={ctx} redirectUri={this.client.redirectUri} />);
    return page(TITLE, <ProviderView ctx={ctx} provider={provider} redirectUri={this.client.redirectUri} />);
  }

  @Page({ route: 'GET /edit', role: 'owner' })
  async edit(@PageCtx() ctx: PageContext): Promise<Answer> {
    const provider = await this.providers.find(ctx.organizationId);
    return this.formPage(ctx, provider, formOf(valuesOf(provider)));
  }

  @Action({ route: 'POST /edit', role: 'owner', records: ['identity_provider.created', 'identity_provider.updated'] })
  save(@PageCtx() ctx: PageContext): Promise<Answer> {
    const save = async (): Promise<Answer> => {
      const { allowsPasswordsAgain } = await this.providers.save(ctx.actor, ctx.organizationId, wantedIn(ctx));
      const more = allowsPasswordsAgain ? ' Passwords are allowed again, until an owner switches them off.' : '';
      return goTo(pathOf(ctx, SECTION), `Single sign-on was saved.${more}`);
    };
    return orAgain(ctx, save, async (state) => this.formPage(ctx, await this.providers.find(ctx.organizationId), state));
  }

  @Action({ route: 'POST /check', role: 'owner' })
  async check(@PageCtx() ctx: PageContext): Promise<Answer> {
    const provider = await this.providers.get(ctx.organizationId);
    try {
      return page('The provider answers', <DiscoveredView ctx={ctx} found={await this.client.check(provider)} />);
    } catch (error) {
      if (!(error instanceof ProviderUnusable)) throw error;
      return page('The provider cannot be used', <UnusableView ctx={ctx} reason={error.message} />, 400);
    }
  }

  @Action({ route: 'POST /passwords', role: 'owner', records: ['identity_provider.updated'] })
  async setPasswords(@PageCtx() ctx: PageContext): Promise<Answer> {
    const { actor, organizationId, signedInBy } = ctx;
    if (ctx.form.text('passwords') === 'on') {
      await this.providers.switchPasswordsOn(actor, organizationId);
      return goTo(pathOf(ctx, SECTION), 'People can sign in with a password again.');
    }
    await this.providers.switchPasswordsOff(actor, organizationId, signedInBy);
    return goTo(pathOf(ctx, SECTION), 'Passwords are switched off.');
  }

  @Action({ route: 'POST /remove', role: 'owner', records: ['identity_provider.removed'] })
  async remove(@PageCtx() ctx: PageContext): Promise<Answer> {
    await this.providers.remove(ctx.actor, ctx.organizationId);
    return goTo(pathOf(ctx, SECTION), 'Single sign-on was removed. People sign in with their passwords.');
  }

  private formPage(ctx: PageContext, provider: IdentityProvider | undefined, state: FormState): Answer {
    const title = provider ? 'Edit single sign-on' : 'Set up single sign-on';
    const body = <ProviderForm ctx={ctx} state={state} isNew={!provider} redirectUri={this.client.redirectUri} />;
    return page(title, body, state.problem?.status ?? 200);
  }
}

/** Each line of an area is a value. Domains may be in one line, too. */
function wantedIn({ form }: PageContext): WantedProvider {
  const linesOf = (name: string, separator = /\r?\n/): string[] =>
    form
      .text(name)
      .split(separator)
      .map((value) => value.trim())
      .filter((value) => value !== '');
  return {
    issuer: form.text('issuer'),
    clientId: form.text('clientId').trim(),
    clientSecret: form.given('clientSecret'),
    emailDomains: linesOf('emailDomains', /[\s,;]+/),
    defaultRole: form.text('defaultRole'),
    roleClaim: form.given('roleClaim') ?? null,
    adminValues: linesOf('adminValues'),
    memberValues: linesOf('memberValues'),
  };
}
