import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { orAgain } from '../../../api/console/performer.js';
import type { IdentityProvider } from './identity-provider.entity.js';
import { IdentityProvidersService } from './identity-providers.service.js';
import { ProviderClient, ProviderUnusable } from './provider-client.js';
import type { WantedProvider } from './provider-rules.js';
import { SignInWays } from './sign-in-ways.js';
import { DiscoveredView, InstalledWay, NotSetUp, ProviderForm, ProviderView, UnusableView, valuesOf } from './single-sign-on.views.js';

const SECTION = 'single-sign-on';
const TITLE = 'Single sign-on';

/** The identity provider of the organization. It is for both environments. */
@ConsoleSection({ path: SECTION, label: TITLE, group: 'Organization', order: 5, role: 'owner' })
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
    const provider = await this.providers.of(ctx.organizationId);
    if (!provider) return page(TITLE, <NotSetUp ctx={ctx} redirectUri={this.client.redirectUri} />);
    return page(TITLE, <ProviderView ctx={ctx} provider={provider} redirectUri={this.client.redirectUri} />);
  }

  @Page({ route: 'GET /edit', role: 'owner' })
  async edit(@PageCtx() ctx: PageContext): Promise<Answer> {
    const provider = await this.providers.of(ctx.organizationId);
    return this.formPage(ctx, provider, formOf(valuesOf(provider)));
  }

  @Action({ route: 'POST /edit', role: 'owner', records: ['identity_provider.created', 'identity_provider.updated'] })
  save(@PageCtx() ctx: PageContext): Promise<Answer> {
    const save = async (): Promise<Answer> => {
      const { allowsPasswordsAgain } = await this.providers.save(ctx.actor, ctx.organizationId, wantedIn(ctx));
      const more = allowsPasswordsAgain ? ' Passwords are allowed again, until an owner switches them off.' : '';
      return goTo(pathOf(ctx, SECTION), `Single sign-on was saved.${more}`);
    };
    return orAgain(ctx, save, async (state) => this.formPage(ctx, await this.providers.of(ctx.organizationId), state));
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
