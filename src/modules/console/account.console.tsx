import { Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { orAgain } from '../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../api/console/declarations.js';
import { formOf, goTo, page, PageCtx, pathOf } from '../../api/console/page.js';
import type { Answer, FormState, PageContext } from '../../api/console/page.js';
import { Badge, Facts, Time, Way } from '../../api/console/parts/facts.js';
import { type Choice, ConsoleForm, SelectField } from '../../api/console/parts/fields.js';
import { Table } from '../../api/console/parts/list.js';
import { say, wordingNow } from '../../api/console/say.js';
import { Filled, FIRST, LanguageLinks, SECOND } from '../../api/wording/page-wording.js';
import { isUuid } from '../../kernel/ids.js';
import { Accounts, AskedAgain, type Security } from '../users/index.js';
import { InsteadOfBoth, NoPassword, PasswordField, UserName } from './security/security.console.js';
import { browserInWords } from './sessions/browser-in-words.js';
import type { ConsoleSession } from './sessions/console-session.entity.js';
import { SessionsService } from './sessions/sessions.service.js';

@ConsoleSection({ path: 'account', label: 'Your account', shows: 'nothing' })
export class AccountConsole {
  constructor(
    private readonly sessions: SessionsService,
    private readonly accounts: Accounts,
    private readonly askedAgain: AskedAgain,
  ) {}

  @Page({ route: 'GET /', role: 'member' })
  show(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.accountPage(ctx);
  }

  /** People of a company's account have no password here: they must have signed in within minutes instead. */
  @Action({ route: 'POST /', role: 'member', needsFreshSignIn: 'single_sign_on' })
  endOthers(@PageCtx() ctx: PageContext, @Req() request: FastifyRequest): Promise<Answer> {
    const end = async (): Promise<Answer> => {
      if (ctx.signedInBy !== 'single_sign_on') await this.askedAgain.proveBy(ctx, request, 'password');
      const id = ctx.form.text('session');
      const count = id === '' ? await this.sessions.endOthers(ctx) : Number(isUuid(id) && (await this.sessions.endOne(ctx, id)));
      return goTo(pathOf(ctx, 'account'), say('console.account.othersSignedOut', { count }));
    };
    return orAgain(ctx, end, (state) => this.accountPage(ctx, state));
  }

  private async accountPage(ctx: PageContext, state: FormState = formOf()): Promise<Answer> {
    const [sessions, security] = [await this.sessions.list(ctx), await this.accounts.readSecurity(ctx.user.id)];
    const view = <Account ctx={ctx} state={state} sessions={sessions} security={security} />;
    return page(say('console.account.title'), view, state.problem?.status ?? 200);
  }
}

type AccountProps = { ctx: PageContext; state: FormState; sessions: readonly ConsoleSession[]; security: Security };

function Account({ ctx, state, sessions, security }: AccountProps) {
  const { name, email, role } = ctx.user;
  const [off, on] = [say('console.account.keyOff'), say('console.account.keyOn')];
  return (
    <>
      <Facts
        facts={[
          [say('console.account.name'), name],
          [say('signIn.email'), email],
          [say('console.account.role'), say(`consent.roles.${role}`)],
          [say('signIn.organization'), ctx.organization.name],
        ]}
      />
      <Way to={pathOf(ctx, 'security')} label={say('console.account.security')} />
      <h2>{say('console.account.language')}</h2>
      <LanguageLinks current={wordingNow().language} />
      <h2>{say('console.account.keyboard')}</h2>
      <p>
        <Filled text={say('console.account.keys', { control: FIRST, command: SECOND })} parts={[<kbd>Ctrl K</kbd>, <kbd>⌘ K</kbd>]} />
        <Filled text={say('console.account.key', { key: FIRST })} parts={[<kbd>/</kbd>]} />
      </p>
      <button type="button" class="plain" data-search-key data-off={off} data-on={on} hidden />
      <h2>{say('console.account.sessions')}</h2>
      <Table
        caption={say('console.account.browsers')}
        rows={sessions}
        empty={say('console.account.nowhere')}
        columns={[
          [say('console.account.browser'), ({ userAgent }) => <span title={userAgent}>{browserInWords(userAgent)}</span>],
          [say('console.account.address'), (session) => session.ipAddress],
          [say('console.account.since'), (session) => <Time ctx={ctx} at={session.createdAt} />],
          [say('console.account.lastUsed'), (session) => <LastUsed ctx={ctx} session={session} />],
        ]}
      />
      {sessions.length < 2 ? null : <SignOutForm ctx={ctx} state={state} sessions={sessions} security={security} />}
    </>
  );
}

const LastUsed = ({ ctx, session }: { ctx: PageContext; session: ConsoleSession }) =>
  session.id === ctx.sessionId ? <Badge tone="good">{say('console.account.this')}</Badge> : <Time ctx={ctx} at={session.lastSeenAt} />;

function SignOutForm({ ctx, state, sessions, security }: AccountProps) {
  const isOfCompany = ctx.signedInBy === 'single_sign_on';
  if (!isOfCompany && !security.hasPassword)
    return <NoPassword about={say('console.security.noPasswordFirst', { link: FIRST })} link={say('console.security.mailLinkFirst')} />;
  const others = sessions.filter(({ id }) => id !== ctx.sessionId);
  const choices = others.map((one): Choice => [one.id, `${browserInWords(one.userAgent)}, ${one.ipAddress}`]);
  return (
    <details class="more" open={state.problem !== undefined}>
      <summary>{say('console.account.elsewhere')}</summary>
      <ConsoleForm ctx={ctx} state={state} action={pathOf(ctx, 'account')} submit={say('console.account.elsewhereIt')}>
        <UserName ctx={ctx} />
        <p>{say('console.account.elsewhereAbout')}</p>
        <SelectField
          state={state}
          name="session"
          label={say('console.account.browser')}
          choices={[['', say('console.account.allOthers')], ...choices]}
        />
        {isOfCompany ? null : <PasswordField state={state} name="password" />}
        <InsteadOfBoth security={security} />
      </ConsoleForm>
    </details>
  );
}
