import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, PageRefusal, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { orAgain } from '../../../api/console/performer.js';
import { Problem } from '../../../kernel/problems.js';
import { Accounts, AskedAgain, SignInSteps, UsersService } from '../../users/index.js';
import { SessionsService, userIdsOf } from '../sessions/sessions.service.js';
import { RecoveryCodes, SecondFactorForm, SecurityView } from './security.views.js';

const SECTION = 'security';
const CODES_TITLE = 'Your recovery codes';

/** What a person signs in by: password, second factor, and the organizations that share them. */
@ConsoleSection({ path: SECTION, label: 'Password and second factor' })
export class SecurityConsole {
  constructor(
    private readonly users: UsersService,
    private readonly accounts: Accounts,
    private readonly askedAgain: AskedAgain,
    private readonly signIns: SignInSteps,
    private readonly sessions: SessionsService,
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
      await this.askedAgain.check(actor, user.id, 'password', async () => {
        if (!(await this.accounts.knows(user.id, form.text('current')))) throw Problem.invalidField('current', 'not_allowed', 'is wrong');
      });
      const endSessions = this.sessions.endAfterChange.bind(this.sessions, userIdsOf(ctx));
      await this.accounts.setPassword(actor, user.id, form.text('password'), (unit) => endSessions(unit, sessionId));
      return goTo(pathOf(ctx, SECTION), 'Your password was changed, and all other browsers were signed out.');
    });
  }

  @Page({ route: 'GET /second-factor', role: 'member', isForEveryone: true })
  async propose(@PageCtx() ctx: PageContext): Promise<Answer> {
    requireOwnCredentials(ctx);
    const { totp } = await this.users.get(ctx.user.id);
    return totp ? goTo(pathOf(ctx, SECTION)) : secondFactorPage(ctx, formOf({ secret: await this.accounts.proposeTotp(ctx.user.id) }));
  }

  @Action({ route: 'POST /second-factor', role: 'member', records: ['user.totp_enabled'], isForEveryone: true })
  confirm(@PageCtx() ctx: PageContext): Promise<Answer> {
    requireOwnCredentials(ctx);
    const { form, actor, user } = ctx;
    const confirm = async (): Promise<Answer> => {
      const codes = await this.accounts.confirmTotp(actor, user.id, form.text('secret'), form.text('code'));
      return page(CODES_TITLE, <RecoveryCodes ctx={ctx} codes={codes} />);
    };
    return orAgain(ctx, confirm, (state) => secondFactorPage(ctx, state));
  }

  @Action({ route: 'POST /recovery-codes', role: 'member', records: ['user.recovery_codes_made'] })
  renewCodes(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.orSecurityPage(ctx, async ({ form, actor, user }) => {
      const renew = () => this.accounts.renewRecoveryCodes(actor, user.id, form.text('code'));
      const codes = await this.askedAgain.check(actor, user.id, 'code', renew);
      return page(CODES_TITLE, <RecoveryCodes ctx={ctx} codes={codes} />);
    });
  }

  @Action({ route: 'POST /second-factor/off', role: 'member', records: ['user.totp_disabled'] })
  turnOff(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.orSecurityPage(ctx, async ({ form, actor, user }) => {
      await this.askedAgain.check(actor, user.id, 'code', () => this.accounts.turnTotpOff(actor, user.id, form.text('code')));
      return goTo(pathOf(ctx, SECTION), 'The second factor is off.');
    });
  }

  @Action({ route: 'POST /organizations', role: 'member', records: ['user.account_joined'] })
  join(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.orSecurityPage(ctx, async ({ form, actor, user, ipAddress, requestId }) => {
      const wanted = { email: user.email, password: form.text('otherPassword'), code: form.text('otherCode') };
      const fields = new URLSearchParams({ ...wanted, organization: form.text('organization') });
      const other = await this.signIns.takeAnywhere(fields, { address: ipAddress, requestId, setsUpSecondFactor: true });
      if (!('user' in other))
        throw Problem.invalidField(other.proof ? 'otherCode' : 'otherPassword', 'not_allowed', other.problem ?? 'is needed there');
      await this.accounts.join(actor, user.id, other.user, (userIds, unit) => this.sessions.endAfterChange(userIds, unit));
      return goTo(pathOf(ctx, SECTION), 'You now sign in to this organization with the same account.');
    });
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
    const view = <SecurityView ctx={ctx} state={state} security={await this.accounts.securityOf(ctx.user.id)} />;
    return page('Password and second factor', view, state.problem?.status ?? 200);
  }
}

/** Whoever is signed in by the organization's own provider has their password and second factor there. */
function requireOwnCredentials({ signedInBy }: PageContext): void {
  if (signedInBy === 'single_sign_on')
    throw new PageRefusal('You sign in with your company’s account', 'Password and second factor are changed there.');
}

const secondFactorPage = (ctx: PageContext, state: FormState): Answer =>
  page('Set up a second factor', <SecondFactorForm ctx={ctx} state={state} />, state.problem?.status ?? 200);
