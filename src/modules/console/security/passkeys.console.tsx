import { Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, goTo, page, PageCtx, pathOf } from '../../../api/console/page.js';
import type { Answer, FormState, PageContext } from '../../../api/console/page.js';
import { Time } from '../../../api/console/parts/facts.js';
import { ConsoleForm, FormFields, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { say } from '../../../api/console/say.js';
import { FIRST } from '../../../api/wording/page-wording.js';
import { AccountPasskeys, Accounts, AskedAgain, PASSKEY_NAME_MAX, PasskeyButton, Passkeys } from '../../users/index.js';
import type { Security } from '../../users/index.js';
import { browserInWords } from '../sessions/browser-in-words.js';
import { CodeField, NoPassword, PasswordField, RecoveryCodes, requireOwnCredentials, UserName } from './security.console.js';

const SECTION = 'passkeys';
const at = (ctx: PageContext, ...parts: string[]): string => pathOf(ctx, SECTION, ...parts);

@ConsoleSection({ path: SECTION, label: 'Passkeys', shows: 'nothing' })
export class PasskeysConsole {
  constructor(
    private readonly accounts: Accounts,
    private readonly ofAccounts: AccountPasskeys,
    private readonly askedAgain: AskedAgain,
    private readonly passkeys: Passkeys,
  ) {}

  @Page({ route: 'GET /', role: 'member', isForEveryone: true })
  show(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.listPage(ctx);
  }

  /** After password and code: people get in by what they add here from then on. */
  @Action({ route: 'POST /new', role: 'member', isForEveryone: true })
  propose(@PageCtx() ctx: PageContext, @Req() request: FastifyRequest): Promise<Answer> {
    return this.orList(ctx, async () => {
      await this.askedAgain.proveBy(ctx, request, 'current', 'code');
      const { options, sealed } = await this.ofAccounts.propose(ctx.user.id, ctx.sessionId);
      const name = browserInWords(request.headers['user-agent'] ?? '');
      return page(say('console.passkeys.add'), <NewPasskey ctx={ctx} options={options} sealed={sealed} name={name} />);
    });
  }

  @Action({ route: 'POST /', role: 'member', records: ['user.passkey_added'], isForEveryone: true })
  add(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.orList(ctx, async () => {
      const { form, actor, user, sessionId } = ctx;
      const made = { sealed: form.text('proposal'), answer: form.text('passkey'), name: form.text('name') };
      const codes = await this.ofAccounts.add(actor, user.id, sessionId, made);
      if (codes.length === 0) return goTo(at(ctx), say('console.passkeys.added'));
      return page(say('console.security.codesTitle'), <RecoveryCodes ctx={ctx} codes={codes} />);
    });
  }

  @Action({ route: 'POST /remove', role: 'member', records: ['user.passkey_removed'], isForEveryone: true })
  remove(@PageCtx() ctx: PageContext, @Req() request: FastifyRequest): Promise<Answer> {
    return this.orList(ctx, async () => {
      await this.askedAgain.proveBy(ctx, request, 'removePassword', 'removeCode');
      await this.ofAccounts.remove(ctx.actor, ctx.user.id, ctx.sessionId, ctx.form.text('passkeyId'));
      return goTo(at(ctx), say('console.passkeys.removed'));
    });
  }

  private orList(ctx: PageContext, work: () => Promise<Answer>): Promise<Answer> {
    requireOwnCredentials(ctx);
    return orAgain(ctx, work, (state) => this.listPage(ctx, state));
  }

  private async listPage(ctx: PageContext, state: FormState = formOf()): Promise<Answer> {
    requireOwnCredentials(ctx);
    const security = await this.accounts.readSecurity(ctx.user.id);
    const view = <PasskeyList ctx={ctx} state={state} security={security} areOffered={this.passkeys.areOffered} />;
    return page(say('console.passkeys.title'), view, state.problem?.status ?? 200);
  }
}

type Props = { ctx: PageContext; state: FormState; security: Security };

function PasskeyList({ ctx, state, security, areOffered }: Props & { areOffered: boolean }) {
  const isRemoval = ctx.path === at(ctx, 'remove');
  return (
    <>
      <p>{say('console.passkeys.about')}</p>
      <Table
        caption={say('console.passkeys.title')}
        rows={security.passkeys}
        empty={<p>{say('console.passkeys.none')}</p>}
        columns={[
          [say('console.account.name'), ({ name }) => name],
          [say('console.users.added'), ({ createdAt }) => <Time ctx={ctx} at={createdAt} />],
          [say('console.account.lastUsed'), ({ lastUsedAt }) => <Time ctx={ctx} at={lastUsedAt} />],
        ]}
      />
      {areOffered ? <Add ctx={ctx} state={isRemoval ? formOf() : state} security={security} /> : <p>{say('console.passkeys.notHere')}</p>}
      {security.passkeys.length > 0 ? <Remove ctx={ctx} state={isRemoval ? state : formOf()} security={security} /> : null}
    </>
  );
}

function Add({ ctx, state, security }: Props) {
  const about = say('console.security.noPasswordFirst', { link: FIRST });
  if (!security.hasPassword) return <NoPassword about={about} link={say('console.security.mailLinkFirst')} />;
  return (
    <>
      <h2>{say('console.passkeys.add')}</h2>
      <ConsoleForm ctx={ctx} state={state} action={at(ctx, 'new')} submit={say('signIn.next')}>
        <UserName ctx={ctx} />
        <PasswordField state={state} name="current" />
        {security.totp || security.passkeys.length > 0 ? <CodeField state={state} name="code" /> : null}
        {security.passkeys.length > 0 ? <PasskeyButton say={say} /> : null}
      </ConsoleForm>
    </>
  );
}

const Remove = ({ ctx, state, security: { passkeys } }: Props) => (
  <>
    <h2>{say('console.passkeys.remove')}</h2>
    <p>{say('console.passkeys.removeAbout')}</p>
    <ConsoleForm ctx={ctx} state={state} action={at(ctx, 'remove')} submit={say('console.passkeys.removeIt')}>
      <UserName ctx={ctx} />
      <SelectField
        state={state}
        name="passkeyId"
        label={say('console.passkeys.which')}
        choices={passkeys.map(({ id, name }) => [id, name])}
      />
      <PasswordField state={state} name="removePassword" />
      <CodeField state={state} name="removeCode" />
      <PasskeyButton say={say} />
    </ConsoleForm>
  </>
);

/** Without a button to send it by: only a device can answer. */
const NewPasskey = ({ ctx, options, sealed, name }: { ctx: PageContext; options: object; sealed: string; name: string }) => (
  <form method="post" action={at(ctx)} class="fields">
    <FormFields ctx={ctx} />
    <input type="hidden" name="proposal" value={sealed} />
    <p>{say('console.passkeys.addAbout')}</p>
    <TextField state={formOf({ name })} name="name" label={say('console.account.name')} required maxLength={PASSKEY_NAME_MAX} />
    <noscript>{say('console.passkeys.needsScript')}</noscript>
    <PasskeyButton say={say} label={say('console.passkeys.create')} options={options} />
  </form>
);
