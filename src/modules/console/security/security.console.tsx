import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, goTo, page, PageRefusal, PageCtx, pathOf } from '../../../api/console/page.js';
import type { FormState, Answer, PageContext } from '../../../api/console/page.js';
import { orAgain } from '../../../api/console/console-door.js';
import { say } from '../../../api/console/say.js';
import { Problem } from '../../../kernel/problems.js';
import { Accounts, AskedAgain, SignInSteps, type ProposedSecret } from '../../users/index.js';
import { BeginSecondFactor, RecoveryCodes, SecondFactorForm, SecurityView } from './security.views.js';

const SECTION = 'security';

@ConsoleSection({ path: SECTION, label: 'Password and second factor' })
export class SecurityConsole {
  constructor(
    private readonly accounts: Accounts,
    private readonly askedAgain: AskedAgain,
    private readonly signIns: SignInSteps,
  ) {}

  @Page({ route: 'GET /', role: 'member', isForEveryone: true })
  show(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.securityPage(ctx);
  }

  @Action({ route: 'POST /password', role: 'member', records: ['user.password_changed'], isForEveryone: true })
  changePassword(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.orSecurityPage(ctx, async ({ form, actor, user, sessionId }) => {
      if (form.text('password') !== form.text('repeated'))
        throw Problem.invalidField('repeated', 'not_allowed', 'is not the same password');
      await this.requirePassword(ctx, 'current');
      await this.accounts.setPassword(actor, user.id, form.text('password'), { keptSession: sessionId });
      return goTo(pathOf(ctx, SECTION), say('console.security.changed'));
    });
  }

  @Page({ route: 'GET /second-factor', role: 'member', isForEveryone: true })
  beginSecondFactor(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.beginPage(ctx);
  }

  /** The secret is shown after the password only: a browser that was left open is not enough. */
  @Action({ route: 'POST /second-factor/key', role: 'member', isForEveryone: true })
  propose(@PageCtx() ctx: PageContext): Promise<Answer> {
    requireOwnCredentials(ctx);
    const propose = async (): Promise<Answer> => {
      await this.requirePassword(ctx, 'current');
      return secondFactorPage(ctx, await this.accounts.proposeTotp(ctx.user.id), formOf());
    };
    return orAgain(ctx, propose, (state) => this.beginPage(ctx, state));
  }

  @Action({ route: 'POST /second-factor', role: 'member', records: ['user.totp_enabled'], isForEveryone: true })
  async confirm(@PageCtx() ctx: PageContext): Promise<Answer> {
    requireOwnCredentials(ctx);
    const { form, actor, user, sessionId } = ctx;
    const proposed = await this.accounts.proposedTotp(user.id, form.text('proposal'));
    if (!proposed) return goTo(pathOf(ctx, SECTION, 'second-factor'), say('console.security.tooLong'));
    const confirm = async (): Promise<Answer> => {
      const codes = await this.accounts.confirmTotp(actor, user.id, proposed, form.text('code'), { keptSession: sessionId });
      return page(say('console.security.codesTitle'), <RecoveryCodes ctx={ctx} codes={codes} />);
    };
    return orAgain(ctx, confirm, (state) => secondFactorPage(ctx, proposed, state));
  }

  @Action({ route: 'POST /recovery-codes', role: 'member', records: ['user.recovery_codes_made'] })
  renewCodes(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.orSecurityPage(ctx, async ({ form, actor, user, sessionId }) => {
      await this.requirePassword(ctx, 'renewPassword');
      const renew = () => this.accounts.renewRecoveryCodes(actor, user.id, form.text('code'), { keptSession: sessionId });
      const codes = await this.askedAgain.check(actor, user.id, 'code', renew);
      return page(say('console.security.codesTitle'), <RecoveryCodes ctx={ctx} codes={codes} />);
    });
  }

  @Action({ route: 'POST /second-factor/off', role: 'member', records: ['user.totp_disabled'] })
  turnOff(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.orSecurityPage(ctx, async ({ form, actor, user, sessionId }) => {
      await this.requirePassword(ctx, 'offPassword');
      const off = () => this.accounts.turnTotpOff(actor, user.id, form.text('code'), { keptSession: sessionId });
      await this.askedAgain.check(actor, user.id, 'code', off);
      return goTo(pathOf(ctx, SECTION), say('console.security.isOff'));
    });
  }

  @Action({ route: 'POST /organizations', role: 'member', records: ['user.account_joined'] })
  join(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.orSecurityPage(ctx, async ({ form, actor, user, ipAddress, requestId }) => {
      const wanted = { email: user.email, password: form.text('otherPassword'), code: form.text('otherCode') };
      const fields = new URLSearchParams({ ...wanted, organization: form.text('organization') });
      const other = await this.signIns.takeAnywhere(fields, { address: ipAddress, requestId, setsUpSecondFactor: true });
      if (!('user' in other)) {
        if (other.problem === undefined) throw Problem.invalidField('otherCode', 'not_allowed', 'is needed there');
        throw new Problem('validation_failed', { detail: say(`signIn.problems.${other.problem}`) });
      }
      await this.accounts.join(actor, user.id, other.user);
      return goTo(pathOf(ctx, SECTION), say('console.security.joined'));
    });
  }

  private requirePassword({ form, actor, user }: PageContext, field: string): Promise<void> {
    return this.askedAgain.check(actor, user.id, 'password', async () => {
      if (!(await this.accounts.knows(user.id, form.text(field)))) throw Problem.invalidField(field, 'not_allowed', 'is wrong');
    });
  }

  private async beginPage(ctx: PageContext, state: FormState = formOf()): Promise<Answer> {
    requireOwnCredentials(ctx);
    const { totp, hasPassword } = await this.accounts.readSecurity(ctx.user.id);
    if (totp) return goTo(pathOf(ctx, SECTION));
    const view = <BeginSecondFactor ctx={ctx} state={state} hasPassword={hasPassword} />;
    return page(say('console.security.setUp'), view, state.problem?.status ?? 200);
  }

  private orSecurityPage(ctx: PageContext, work: (ctx: PageContext) => Promise<Answer>): Promise<Answer> {
    requireOwnCredentials(ctx);
    return orAgain(
      ctx,
      () => work(ctx),
      (state) => this.securityPage(ctx, state),
    );
  }

  private async securityPage(ctx: PageContext, state: FormState = formOf()): Promise<Answer> {
    const view = <SecurityView ctx={ctx} state={state} security={await this.accounts.readSecurity(ctx.user.id)} />;
    return page(say('console.security.title'), view, state.problem?.status ?? 200);
  }
}

/** Users who sign in by the organization's own provider have their password and second factor there. */
function requireOwnCredentials({ signedInBy }: PageContext): void {
  if (signedInBy === 'single_sign_on') throw new PageRefusal(say('console.security.company'), say('console.security.changedThere'));
}

const secondFactorPage = (ctx: PageContext, proposed: ProposedSecret, state: FormState): Answer =>
  page(say('console.security.setUp'), <SecondFactorForm ctx={ctx} state={state} proposed={proposed} />, state.problem?.status ?? 200);
