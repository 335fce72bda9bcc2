import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../api/console/declarations.js';
import { goTo, page, type Answer, PageCtx, pathOf, type PageContext } from '../../api/console/page.js';
import { ActionButton, Badge, Confirm, Facts, Time, Way } from '../../api/console/parts/facts.js';
import { Table } from '../../api/console/parts/list.js';
import { say, wordingNow } from '../../api/console/say.js';
import { Filled, FIRST, LanguageLinks, SECOND } from '../../api/wording/page-wording.js';
import { Problem } from '../../kernel/problems.js';
import { browserInWords } from './sessions/browser-in-words.js';
import type { ConsoleSession } from './sessions/console-session.entity.js';
import { SessionsService } from './sessions/sessions.service.js';

@ConsoleSection({ path: 'account', label: 'Your account' })
export class AccountConsole {
  constructor(private readonly sessions: SessionsService) {}

  @Page({ route: 'GET /', role: 'member' })
  async show(@PageCtx() ctx: PageContext): Promise<Answer> {
    const sessions = await this.sessions.list(ctx);
    return page(say('console.account.title'), <Account ctx={ctx} sessions={sessions} />);
  }

  @Action({ route: 'POST /sessions/:session_id/sign-out', role: 'member' })
  async endOne(@PageCtx() ctx: PageContext, @Param('session_id') id: string): Promise<Answer> {
    // This browser has a button of its own, which also takes its cookie away.
    if (id === ctx.sessionId)
      throw new Problem('validation_failed', { detail: 'This browser is signed out by “Sign out” at the top right.' });
    if (!(await this.sessions.endOne(ctx, id))) throw new Problem('not_found', { detail: 'There is no session with this id.' });
    return goTo(pathOf(ctx, 'account'), say('console.account.signedOut'));
  }

  @Action({ route: 'POST /sign-out-elsewhere', role: 'member' })
  async endOthers(@PageCtx() ctx: PageContext): Promise<Answer> {
    const count = await this.sessions.endOthers(ctx);
    return goTo(pathOf(ctx, 'account'), say('console.account.othersSignedOut', { count }));
  }
}

function Account({ ctx, sessions }: { ctx: PageContext; sessions: readonly ConsoleSession[] }) {
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
          [say('connections.signOut'), (session) => <SignOut ctx={ctx} session={session} />],
        ]}
      />
      {sessions.length < 2 ? null : (
        <div class="steps">
          <Confirm
            ctx={ctx}
            action={pathOf(ctx, 'account', 'sign-out-elsewhere')}
            label={say('console.account.elsewhere')}
            question={say('console.account.elsewhereAbout')}
            submit={say('console.account.elsewhereIt')}
          />
        </div>
      )}
    </>
  );
}

const LastUsed = ({ ctx, session }: { ctx: PageContext; session: ConsoleSession }) =>
  session.id === ctx.sessionId ? <Badge tone="good">{say('console.account.this')}</Badge> : <Time ctx={ctx} at={session.lastSeenAt} />;

const SignOut = ({ ctx, session: { id } }: { ctx: PageContext; session: ConsoleSession }) =>
  id === ctx.sessionId ? null : (
    <ActionButton ctx={ctx} action={pathOf(ctx, 'account', 'sessions', id, 'sign-out')} label={say('console.account.signOutThere')} />
  );
