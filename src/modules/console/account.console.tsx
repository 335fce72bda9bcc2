import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../api/console/declarations.js';
import { goTo, page, type Answer } from '../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../api/console/page-context.js';
import { ActionButton, Badge, Confirm, Facts, Time } from '../../api/console/parts/facts.js';
import { Table } from '../../api/console/parts/list.js';
import { Problem } from '../../kernel/problems.js';
import type { ConsoleSession } from './sessions/console-session.entity.js';
import { SessionsService } from './sessions/sessions.service.js';

/** What a person sees and changes of their own account. It is reached from their name. */
@ConsoleSection({ path: 'account', label: 'Your account' })
export class AccountConsole {
  constructor(private readonly sessions: SessionsService) {}

  @Page({ route: 'GET /', role: 'member' })
  async show(@PageCtx() ctx: PageContext): Promise<Answer> {
    const sessions = await this.sessions.list(ctx);
    return page('Your account', <Account ctx={ctx} sessions={sessions} />);
  }

  @Action({ route: 'POST /sessions/:session_id/sign-out', role: 'member' })
  async endOne(@PageCtx() ctx: PageContext, @Param('session_id') id: string): Promise<Answer> {
    // This browser has a button of its own, which also takes its cookie away.
    if (id === ctx.sessionId)
      throw new Problem('validation_failed', { detail: 'This browser is signed out by “Sign out” at the top right.' });
    if (!(await this.sessions.endOne(ctx, id))) throw new Problem('not_found', { detail: 'There is no session with this id.' });
    return goTo(pathOf(ctx, 'account'), 'That browser was signed out.');
  }

  @Action({ route: 'POST /sign-out-elsewhere', role: 'member' })
  async endOthers(@PageCtx() ctx: PageContext): Promise<Answer> {
    const count = await this.sessions.endOthers(ctx);
    return goTo(pathOf(ctx, 'account'), count === 1 ? 'One other browser was signed out.' : `${count} other browsers were signed out.`);
  }
}

function Account({ ctx, sessions }: { ctx: PageContext; sessions: readonly ConsoleSession[] }) {
  const { name, email, role } = ctx.user;
  return (
    <>
      <Facts
        facts={[
          ['Name', name],
          ['E-mail', email],
          ['Role', role],
          ['Organization', ctx.organization.name],
        ]}
      />
      <p>
        <a href={pathOf(ctx, 'security')}>Password, second factor and other organizations</a>
      </p>
      <h2>Keyboard</h2>
      <p>
        <kbd>Ctrl K</kbd> or <kbd>⌘ K</kbd> goes to the search, and so does <kbd>/</kbd> while you do not write.
      </p>
      <button type="button" class="plain" data-search-key data-off="Switch / off" data-on="Switch / on" hidden />
      <h2>Where you are signed in</h2>
      <Table
        caption="Browsers that you are signed in with"
        rows={sessions}
        empty="Nowhere."
        columns={[
          ['Browser', (session) => session.userAgent || 'Unknown'],
          ['Address', (session) => session.ipAddress],
          ['Since', (session) => <Time ctx={ctx} at={session.createdAt} />],
          ['Last used', (session) => <LastUsed ctx={ctx} session={session} />],
          ['Sign out', (session) => <SignOut ctx={ctx} session={session} />],
        ]}
      />
      {sessions.length < 2 ? null : (
        <div class="steps">
          <Confirm
            ctx={ctx}
            action={pathOf(ctx, 'account', 'sign-out-elsewhere')}
            label="Sign out everywhere else"
            question="All other browsers are signed out at once. This one stays."
            submit="Sign them out"
          />
        </div>
      )}
    </>
  );
}

const LastUsed = ({ ctx, session }: { ctx: PageContext; session: ConsoleSession }) =>
  session.id === ctx.sessionId ? <Badge tone="good">This browser</Badge> : <Time ctx={ctx} at={session.lastSeenAt} />;

/** For each browser but this one. */
const SignOut = ({ ctx, session: { id } }: { ctx: PageContext; session: ConsoleSession }) =>
  id === ctx.sessionId ? null : (
    <ActionButton ctx={ctx} action={pathOf(ctx, 'account', 'sessions', id, 'sign-out')} label="Sign out there" />
  );
