import { Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { encode } from 'uqr';
import { orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { sentenceOf } from '../../../api/console/error-words.js';
import { formOf, pathOf, goTo, page, PageRefusal, PageCtx } from '../../../api/console/page.js';
import type { FormState, PageContext, Answer } from '../../../api/console/page.js';
import { Badge, Confirm, Copyable, Facts, LinkButton, Note, Sentence } from '../../../api/console/parts/facts.js';
import { ConsoleForm, TextField } from '../../../api/console/parts/fields.js';
import { say } from '../../../api/console/say.js';
import { FIRST } from '../../../api/wording/page-wording.js';
import { Problem } from '../../../kernel/problems.js';
import { Accounts, AskedAgain, PasskeyButton, passwordHint, SignInSteps, totpUriOf } from '../../users/index.js';
import type { ProposedSecret, Security } from '../../users/index.js';
import { NEW_PASSWORD_PATH } from '../sessions/sessions.service.js';

type Props = { ctx: PageContext; state: FormState };

const at = (ctx: PageContext, ...parts: string[]): string => pathOf(ctx, 'security', ...parts);

export function SecurityView({ ctx, state, security }: Props & { security: Security }) {
  if (ctx.signedInBy === 'single_sign_on') return <p>{say('console.security.companyAbout')}</p>;
  /** What was wrong belongs to the form that was sent. */
  const stateOf = (...form: string[]): FormState => (ctx.path === at(ctx, ...form) ? state : formOf());
  return (
    <>
      <h2>{say('signIn.password')}</h2>
      <PasswordForm ctx={ctx} state={stateOf('password')} security={security} />
      <h2>{say('console.security.secondFactor')}</h2>
      <SecondFactorState ctx={ctx} state={stateOf('recovery-codes')} wrongCode={stateOf('second-factor', 'off')} security={security} />
      <h2>{say('console.passkeys.title')}</h2>
      <p>{say('console.passkeys.count', { count: security.passkeys.length })}</p>
      <p>
        <LinkButton to={pathOf(ctx, 'passkeys')}>{say('console.passkeys.manage')}</LinkButton>
      </p>
      <h2>{say('console.security.organizations')}</h2>
      <p>{say('console.security.organizationsAbout')}</p>
      <ul>
        <li>{say('console.security.here', { organization: ctx.organization.name })}</li>
        {ctx.others.map(({ name }) => (
          <li>{name}</li>
        ))}
      </ul>
      <JoinForm ctx={ctx} state={stateOf('organizations')} />
    </>
  );
}

function PasswordForm({ ctx, state, security }: Props & { security: Security }) {
  if (!security.hasPassword)
    return <NoPassword about={say('console.security.noPassword', { link: FIRST })} link={say('console.security.mailLink')} />;
  return (
    <ConsoleForm ctx={ctx} state={state} action={at(ctx, 'password')} submit={say('console.security.change')}>
      <UserName ctx={ctx} />
      <PasswordField state={state} name="current" label={say('console.security.current')} />
      <PasswordField
        state={state}
        name="password"
        label={say('console.security.new')}
        autocomplete="new-password"
        hint={`${passwordHint()} ${say('console.security.othersOut')}`}
      />
      <PasswordField state={state} name="repeated" label={say('console.security.repeat')} autocomplete="new-password" />
    </ConsoleForm>
  );
}

export const NoPassword = ({ about, link }: { about: string; link: string }) => (
  <Sentence text={about} parts={[<a href={NEW_PASSWORD_PATH}>{link}</a>]} />
);

/** Password managers learn from it whose password it is. */
export const UserName = ({ ctx }: { ctx: PageContext }) => (
  <input type="text" value={ctx.user.email} autoComplete="username" readOnly hidden />
);

function SecondFactorState({ ctx, state, wrongCode, security }: Props & { wrongCode: FormState; security: Security }) {
  const setUp = <LinkButton to={at(ctx, 'second-factor')}>{say('console.security.setUp')}</LinkButton>;
  if (!security.totp && security.passkeys.length === 0)
    return (
      <>
        <p>{say('console.security.without')}</p>
        <p>{setUp}</p>
      </>
    );
  return (
    <>
      <Facts
        facts={[
          [say('console.security.app'), security.totp ? <Badge tone="good">{say('console.security.on')}</Badge> : setUp],
          [say('console.security.codesLeft'), String(security.recoveryCodes)],
        ]}
      />
      <ConsoleForm ctx={ctx} state={state} action={at(ctx, 'recovery-codes')} submit={say('console.security.renew')}>
        <UserName ctx={ctx} />
        <PasswordField state={state} name="renewPassword" />
        <CodeField state={state} name="code" hint={say('console.security.renewHint')} />
        <InsteadOfBoth security={security} />
      </ConsoleForm>
      {wrongCode.problem ? (
        <Note tone="error">
          {say('console.security.stillOn')}{' '}
          {wrongCode.problem.errors
            .map((error) => sentenceOf(error, error.field === 'code' ? say('console.security.code') : say('console.security.yourPassword')))
            .join(' ')}
        </Note>
      ) : null}
      {security.totp ? <TurnOff ctx={ctx} security={security} /> : null}
    </>
  );
}

const TurnOff = ({ ctx, security }: { ctx: PageContext; security: Security }) => (
  <div class="steps">
    <Confirm
      ctx={ctx}
      action={at(ctx, 'second-factor', 'off')}
      label={say('console.security.turnOff')}
      question={say('console.security.turnOffAbout')}
      submit={say('console.security.turnOffIt')}
    >
      <label for="off-password">{say('console.security.yourPassword')}</label>
      <input id="off-password" name="offPassword" type="password" autoComplete="current-password" required maxLength={1024} />
      <label for="last-code">{say('console.security.code')}</label>
      <input id="last-code" name="code" autoComplete="one-time-code" required maxLength={40} />
      <InsteadOfBoth security={security} />
    </Confirm>
  </div>
);

/** For those who have a passkey: it takes the place of password and code. */
export const InsteadOfBoth = ({ security }: { security: Security }) => (security.passkeys.length > 0 ? <PasskeyButton say={say} /> : null);

type Field = Parameters<typeof TextField>[0];

export const PasswordField = ({ label = say('console.security.yourPassword'), ...field }: Omit<Field, 'label'> & Partial<Field>) => (
  <TextField type="password" required maxLength={1024} autocomplete="current-password" label={label} {...field} />
);

export const CodeField = ({ label = say('signIn.code'), ...field }: Omit<Field, 'label'> & Partial<Field>) => (
  <TextField required autocomplete="one-time-code" maxLength={40} label={label} {...field} />
);

function JoinForm({ ctx, state }: Props) {
  return (
    <details class="more" open={state.problem !== undefined}>
      <summary>{say('console.security.add')}</summary>
      <ConsoleForm ctx={ctx} state={state} action={at(ctx, 'organizations')} submit={say('console.security.addIt')}>
        <UserName ctx={ctx} />
        <p>{say('console.security.addAbout', { email: ctx.user.email })}</p>
        <TextField state={state} name="organization" label={say('console.security.shortName')} required maxLength={100} />
        <PasswordField state={state} name="otherPassword" label={say('console.security.passwordThere')} autocomplete="off" />
        <TextField state={state} name="otherCode" label={say('console.security.codeThere')} maxLength={40} autocomplete="one-time-code" />
      </ConsoleForm>
    </details>
  );
}

/** Asks for the password before anything is shown: who sets a second factor up decides who gets in from then on. */
export function BeginSecondFactor({ ctx, state, security }: Props & { security: Security }) {
  const about = say('console.security.noPasswordFirst', { link: FIRST });
  if (!security.hasPassword) return <NoPassword about={about} link={say('console.security.mailLinkFirst')} />;
  return (
    <>
      <p>{say('console.security.beginAbout')}</p>
      <ConsoleForm ctx={ctx} state={state} action={at(ctx, 'second-factor', 'key')} submit={say('signIn.next')} cancel={at(ctx)}>
        <UserName ctx={ctx} />
        <PasswordField state={state} name="current" />
        {security.passkeys.length > 0 ? <CodeField state={state} name="code" /> : null}
        <InsteadOfBoth security={security} />
      </ConsoleForm>
      <p>
        <LinkButton to={pathOf(ctx, 'passkeys')}>{say('console.passkeys.title')}</LinkButton>
      </p>
    </>
  );
}

export function SecondFactorForm({ ctx, state, proposed: { secret, sealed } }: Props & { proposed: ProposedSecret }) {
  return (
    <>
      <p>{say('console.security.scan')}</p>
      <QrCode content={totpUriOf(ctx.user.email, secret)} />
      <Copyable label={say('console.security.key')} text={secret} />
      <ConsoleForm ctx={ctx} state={state} action={at(ctx, 'second-factor')} submit={say('console.security.turnOn')} cancel={at(ctx)}>
        <input type="hidden" name="proposal" value={sealed} />
        <CodeField state={state} name="code" label={say('console.security.codeShown')} maxLength={12} />
      </ConsoleForm>
    </>
  );
}

export function RecoveryCodes({ ctx, codes }: { ctx: PageContext; codes: readonly string[] }) {
  return (
    <>
      <p>{say('console.security.codesAbout')}</p>
      <Copyable label={say('console.security.codes')} text={codes.join('\n')} />
      <p>
        <LinkButton to={at(ctx)}>{say('console.security.stored')}</LinkButton>
      </p>
    </>
  );
}

/** A picture that cameras read. Its content is also shown as text, so screen readers skip it. */
function QrCode({ content }: { content: string }) {
  const { data, size } = encode(content, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('');
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} aria-hidden="true" shape-rendering="crispEdges">
      <path class="light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path class="dark" d={path} />
    </svg>
  );
}

const SECTION = 'security';

@ConsoleSection({ path: SECTION, label: 'Password and second factor', shows: 'nothing' })
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
  changePassword(@PageCtx() ctx: PageContext, @Req() request: FastifyRequest): Promise<Answer> {
    return this.orSecurityPage(ctx, async ({ form, actor, user, sessionId }) => {
      if (form.text('password') !== form.text('repeated'))
        throw Problem.invalidField('repeated', 'not_allowed', 'is not the same password');
      await this.askedAgain.proveBy(ctx, request, 'current');
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
  propose(@PageCtx() ctx: PageContext, @Req() request: FastifyRequest): Promise<Answer> {
    requireOwnCredentials(ctx);
    const propose = async (): Promise<Answer> => {
      await this.askedAgain.proveBy(ctx, request, 'current', 'code');
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
  renewCodes(@PageCtx() ctx: PageContext, @Req() request: FastifyRequest): Promise<Answer> {
    return this.orSecurityPage(ctx, async ({ actor, user, sessionId }) => {
      await this.askedAgain.proveBy(ctx, request, 'renewPassword', 'code');
      const codes = await this.accounts.renewRecoveryCodes(actor, user.id, { keptSession: sessionId });
      return page(say('console.security.codesTitle'), <RecoveryCodes ctx={ctx} codes={codes} />);
    });
  }

  @Action({ route: 'POST /second-factor/off', role: 'member', records: ['user.totp_disabled'] })
  turnOff(@PageCtx() ctx: PageContext, @Req() request: FastifyRequest): Promise<Answer> {
    return this.orSecurityPage(ctx, async ({ actor, user, sessionId }) => {
      await this.askedAgain.proveBy(ctx, request, 'offPassword', 'code');
      await this.accounts.turnTotpOff(actor, user.id, { keptSession: sessionId });
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

  private async beginPage(ctx: PageContext, state: FormState = formOf()): Promise<Answer> {
    requireOwnCredentials(ctx);
    const security = await this.accounts.readSecurity(ctx.user.id);
    if (security.totp) return goTo(pathOf(ctx, SECTION));
    const view = <BeginSecondFactor ctx={ctx} state={state} security={security} />;
    return page(say('console.security.setUp'), view, state.problem?.status ?? 200);
  }

  private orSecurityPage(ctx: PageContext, work: (ctx: PageContext) => Promise<Answer>): Promise<Answer> {
    requireOwnCredentials(ctx);
    const worked = (): Promise<Answer> => work(ctx);
    return orAgain(ctx, worked, (state) => this.securityPage(ctx, state));
  }

  private async securityPage(ctx: PageContext, state: FormState = formOf()): Promise<Answer> {
    const view = <SecurityView ctx={ctx} state={state} security={await this.accounts.readSecurity(ctx.user.id)} />;
    return page(say('console.security.title'), view, state.problem?.status ?? 200);
  }
}

/** Users who sign in by the organization's own provider have their password and second factor there. */
export function requireOwnCredentials({ signedInBy }: PageContext): void {
  if (signedInBy === 'single_sign_on') throw new PageRefusal(say('console.security.company'), say('console.security.changedThere'));
}

const secondFactorPage = (ctx: PageContext, proposed: ProposedSecret, state: FormState): Answer =>
  page(say('console.security.setUp'), <SecondFactorForm ctx={ctx} state={state} proposed={proposed} />, state.problem?.status ?? 200);
