import type { ServerMetadata } from 'openid-client';
import { orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState, type PageContext, PageCtx, pathOf, type Answer, goTo, page } from '../../../api/console/page.js';
import { ActionButton, Badge, Confirm, Copyable, Facts, LinkButton, Time, Note, Way } from '../../../api/console/parts/facts.js';
import { AreaField, type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { say, told } from '../../../api/console/say.js';
import { Filled, FIRST } from '../../../api/wording/page-wording.js';
import { GIVEN_ROLES, type GivenRole, type IdentityProvider } from '../user.entity.js';
import { IdentityProvidersService } from './identity-providers.service.js';
import { ProviderClient, ProviderUnusable } from './provider-client.js';
import { CLAIM_MAX, CLIENT_ID_MAX, CLIENT_SECRET_MAX, ISSUER_MAX, type WantedProvider } from './identity-providers.service.js';
import { type NamedWay, SignInWays } from './sign-in-ways.js';

const ROLES: Record<GivenRole, string> = { member: 'Member', admin: 'Admin' };
const choices = (): readonly Choice[] => GIVEN_ROLES.map((role): Choice => [role, told(ROLES[role])]);
const signOnPath = (ctx: PageContext, ...parts: string[]): string => pathOf(ctx, 'single-sign-on', ...parts);

const RedirectAddress = ({ uri }: { uri: string }) => (
  <>
    <p>{say('console.users.sso.register')}</p>
    <Copyable text={uri} label={say('console.users.sso.redirect')} />
  </>
);

const NotSetUp = ({ ctx, redirectUri }: { ctx: PageContext; redirectUri: string }) => (
  <>
    <p>{say('console.users.sso.about')}</p>
    <RedirectAddress uri={redirectUri} />
    <p>
      <LinkButton to={signOnPath(ctx, 'edit')}>{say('console.users.sso.setUp')}</LinkButton>
    </p>
  </>
);

/** What this installation has for the organization, which comes before a provider that owners could set up here. */
const InstalledWay = ({ ctx, way, redirectUri }: { ctx: PageContext; way: NamedWay; redirectUri: string }) => (
  <>
    <p>{say('console.users.sso.installed')}</p>
    <Facts
      facts={[
        [say('console.users.sso.by'), way.provider],
        [say('console.users.sso.domains'), way.emailDomains.join(', ')],
        [say('console.users.sso.newUsers'), told(ROLES[way.defaultRole])],
        [say('console.users.sso.passwords'), <PasswordsBadge isAllowed={way.allowsPasswords !== false} />],
      ]}
    />
    <SignInAddress ctx={ctx} redirectUri={redirectUri} />
  </>
);

const PasswordsBadge = ({ isAllowed }: { isAllowed: boolean }) => (
  <Badge tone={isAllowed ? 'plain' : 'good'}>{say('console.users.sso.passwordsAre', { isAllowed })}</Badge>
);

function SignInAddress({ ctx, redirectUri }: { ctx: PageContext; redirectUri: string }) {
  const query = new URLSearchParams({ organization: ctx.organization.slug });
  return (
    <>
      <p>{say('console.users.sso.signInHere')}</p>
      <Copyable text={new URL(`/console/sign-in/company?${query}`, redirectUri).href} label={say('console.users.sso.signInAddress')} />
    </>
  );
}

function ProviderView({ ctx, provider, redirectUri }: { ctx: PageContext; provider: IdentityProvider; redirectUri: string }) {
  const { issuer, clientId, emailDomains, defaultRole, passwordsAllowed, updatedAt } = provider;
  return (
    <>
      <Facts
        facts={[
          [say('console.users.sso.issuer'), issuer],
          [say('console.users.sso.clientId'), clientId],
          [say('console.users.sso.domains'), emailDomains.join(', ')],
          [say('console.users.sso.newUsers'), told(ROLES[defaultRole])],
          [say('console.users.sso.rolesBy'), <RolesBy provider={provider} />],
          [say('console.users.sso.passwords'), <PasswordsBadge isAllowed={passwordsAllowed} />],
          [say('console.users.sso.changed'), <Time ctx={ctx} at={updatedAt} />],
        ]}
      />
      <RedirectAddress uri={redirectUri} />
      <SignInAddress ctx={ctx} redirectUri={redirectUri} />
      <p>
        <LinkButton to={signOnPath(ctx, 'edit')}>{say('console.users.sso.edit')}</LinkButton>{' '}
        <ActionButton ctx={ctx} action={signOnPath(ctx, 'check')} label={say('console.users.sso.check')} />
      </p>
      <h2>{say('console.users.sso.passwords')}</h2>
      <Passwords ctx={ctx} isAllowed={passwordsAllowed} />
      <h2>{say('connections.remove')}</h2>
      <Confirm
        ctx={ctx}
        action={signOnPath(ctx, 'remove')}
        label={say('console.users.sso.remove')}
        question={say('console.users.sso.removeQuestion')}
        submit={say('console.users.sso.removeSubmit')}
      />
    </>
  );
}

function RolesBy({ provider }: { provider: IdentityProvider }) {
  if (provider.roleClaim === null) return <>{say('console.users.sso.console')}</>;
  const [admins, members] = [provider.adminValues.join(', '), provider.memberValues.join(', ')];
  const text = say('console.users.sso.claim', { claim: FIRST, admins, members, hasAdmins: admins !== '', hasMembers: members !== '' });
  return <Filled text={text} parts={[<code>{provider.roleClaim}</code>]} />;
}

function Passwords({ ctx, isAllowed }: { ctx: PageContext; isAllowed: boolean }) {
  if (!isAllowed)
    return (
      <ActionButton ctx={ctx} action={signOnPath(ctx, 'passwords')} label={say('console.users.sso.allow')}>
        <input type="hidden" name="passwords" value="on" />
      </ActionButton>
    );
  if (ctx.signedInBy !== 'single_sign_on') return <p class="hint">{say('console.users.sso.firstSignIn')}</p>;
  return (
    <Confirm
      ctx={ctx}
      action={signOnPath(ctx, 'passwords')}
      label={say('console.users.sso.switchOff')}
      question={say('console.users.sso.switchOffQuestion')}
      submit={say('console.users.sso.switchOffSubmit')}
    >
      <input type="hidden" name="passwords" value="off" />
    </Confirm>
  );
}

type Label = 'issuer' | 'clientId' | 'secret' | 'domains' | 'newUsers' | 'roleClaim' | 'admins' | 'members';
type ProviderFormProps = { ctx: PageContext; state: FormState; isNew: boolean; redirectUri: string };

function ProviderForm({ ctx, state, isNew, redirectUri }: ProviderFormProps) {
  const of = (name: string, label: Label) => ({ state, name, label: say(`console.users.sso.${label}`) });
  const issuer = { ...of('issuer', 'issuer'), hint: say('console.users.sso.issuerHint'), placeholder: 'https://login.example.com' };
  const secret = { ...of('clientSecret', 'secret'), type: 'password', autocomplete: 'new-password' } as const;
  return (
    <>
      <RedirectAddress uri={redirectUri} />
      <ConsoleForm ctx={ctx} state={state} submit={say('console.users.sso.save')} cancel={signOnPath(ctx)}>
        <TextField {...issuer} required maxLength={ISSUER_MAX} />
        <TextField {...of('clientId', 'clientId')} required maxLength={CLIENT_ID_MAX} />
        <TextField
          {...secret}
          hint={isNew ? undefined : say('console.users.sso.secretHint')}
          required={isNew}
          maxLength={CLIENT_SECRET_MAX}
        />
        <AreaField {...of('emailDomains', 'domains')} hint={say('console.users.sso.domainsHint')} rows={2} required />
        <h2>{say('console.users.sso.roles')}</h2>
        <SelectField {...of('defaultRole', 'newUsers')} choices={choices()} />
        <TextField {...of('roleClaim', 'roleClaim')} hint={say('console.users.sso.roleClaimHint')} maxLength={CLAIM_MAX} />
        <AreaField {...of('adminValues', 'admins')} hint={say('console.users.sso.each')} rows={2} />
        <AreaField {...of('memberValues', 'members')} hint={say('console.users.sso.each')} rows={2} />
      </ConsoleForm>
    </>
  );
}

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

const DiscoveredView = ({ ctx, found }: { ctx: PageContext; found: ServerMetadata }) => (
  <>
    <p>{say('console.users.sso.found')}</p>
    <Facts
      facts={[
        [say('console.users.sso.issuer'), found.issuer],
        [say('console.users.sso.signIn'), found.authorization_endpoint],
        [say('console.users.sso.tokens'), found.token_endpoint],
        [say('console.users.sso.keys'), found.jwks_uri],
      ]}
    />
    <Back ctx={ctx} />
  </>
);

const Back = ({ ctx }: { ctx: PageContext }) => <Way to={signOnPath(ctx)} label={told(TITLE)} />;

const SECTION = 'single-sign-on';
const TITLE = 'Single sign-on';

/** The identity provider of the organization. It is for both environments. */
@ConsoleSection({ path: SECTION, label: TITLE, tabOf: 'organization', group: 'Organization', order: 5, role: 'owner', shows: 'nothing' })
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
    if (way) return page(told(TITLE), <InstalledWay ctx={ctx} way={way} redirectUri={this.client.redirectUri} />);
    const provider = await this.providers.find(ctx.organizationId);
    if (!provider) return page(told(TITLE), <NotSetUp ctx={ctx} redirectUri={this.client.redirectUri} />);
    return page(told(TITLE), <ProviderView ctx={ctx} provider={provider} redirectUri={this.client.redirectUri} />);
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
      return goTo(pathOf(ctx, SECTION), say('console.users.sso.saved', { allowsPasswordsAgain }));
    };
    return orAgain(ctx, save, async (state) => this.formPage(ctx, await this.providers.find(ctx.organizationId), state));
  }

  @Action({ route: 'POST /check', role: 'owner' })
  async check(@PageCtx() ctx: PageContext): Promise<Answer> {
    const provider = await this.providers.get(ctx.organizationId);
    try {
      return page(say('console.users.sso.answers'), <DiscoveredView ctx={ctx} found={await this.client.check(provider)} />);
    } catch (error) {
      if (!(error instanceof ProviderUnusable)) throw error;
      const note = <Note tone="error">{say('console.users.sso.unusable', { reason: told(error.message) })}</Note>;
      return page(say('console.users.sso.unusableTitle'), [note, <Back ctx={ctx} />], 400);
    }
  }

  @Action({ route: 'POST /passwords', role: 'owner', records: ['identity_provider.updated'] })
  async setPasswords(@PageCtx() ctx: PageContext): Promise<Answer> {
    const { actor, organizationId, signedInBy } = ctx;
    if (ctx.form.text('passwords') === 'on') {
      await this.providers.switchPasswordsOn(actor, organizationId);
      return goTo(pathOf(ctx, SECTION), say('console.users.sso.passwordsOn'));
    }
    await this.providers.switchPasswordsOff(actor, organizationId, signedInBy);
    return goTo(pathOf(ctx, SECTION), say('console.users.sso.passwordsOff'));
  }

  @Action({ route: 'POST /remove', role: 'owner', records: ['identity_provider.removed'] })
  async remove(@PageCtx() ctx: PageContext): Promise<Answer> {
    await this.providers.remove(ctx.actor, ctx.organizationId);
    return goTo(pathOf(ctx, SECTION), say('console.users.sso.wasRemoved'));
  }

  private formPage(ctx: PageContext, provider: IdentityProvider | undefined, state: FormState): Answer {
    const title = say(provider ? 'console.users.sso.editTitle' : 'console.users.sso.setUp');
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
