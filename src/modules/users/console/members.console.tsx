import { Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ConsoleDoor, orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { errorsIn, formOf, PageCtx, pathOf, goTo, page, titledPage } from '../../../api/console/page.js';
import type { FormState, PageContext, Answer } from '../../../api/console/page.js';
import { ActionButton, Badge, Confirm, Copyable, Facts, LinkButton, Time, Sentence, Way } from '../../../api/console/parts/facts.js';
import type { Tone } from '../../../api/console/parts/facts.js';
import { type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { customFacts, recordBody, RecordInputs, recordValues, seenFields } from '../../../api/console/parts/record.js';
import { say, told } from '../../../api/console/say.js';
import { FIRST } from '../../../api/wording/page-wording.js';
import { Problem } from '../../../kernel/problems.js';
import { USER_ROLES, type UserRole } from '../../../kernel/roles.js';
import { Accounts, AskedAgain, type Security } from '../accounts/accounts.service.js';
import { PersonErasure } from '../forgetting/person-erasure.service.js';
import { PasskeyButton } from '../sign-in/sign-in.page.js';
import { type Invitation, InvitationsService, UsersService } from '../users.service.js';
import { hasSecondFactor, type NewUser, type UserFacts, whyNot } from '../user-rules.js';
import { USER_FIELDS, UserDto } from '../user.dto.js';
import type { UserStatus } from '../user.entity.js';

const ROLES: Record<UserRole, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' };
const TONES: Record<UserStatus, Tone> = { active: 'good', invited: 'busy', removed: 'plain' };

const fieldsFor = (ctx: PageContext) => seenFields(USER_FIELDS, UserDto, ctx);

const choicesFor = ({ user }: PageContext): readonly Choice[] =>
  USER_ROLES.filter((role) => role !== 'owner' || user.role === 'owner').map((role): Choice => [role, told(ROLES[role])]);

const Status = ({ of: status }: { of: UserStatus }) => <Badge tone={TONES[status]}>{say(`console.users.statuses.${status}`)}</Badge>;
const factorOf = (member: UserFacts): string => say('console.users.factor', { totp: hasSecondFactor(member) });

function MemberList({ ctx, members }: { ctx: PageContext; members: readonly UserFacts[] }) {
  return (
    <>
      <p>{say('console.users.about')}</p>
      <Table
        caption={say('console.users.caption')}
        rows={members}
        empty={<p>{say('console.users.none')}</p>}
        columns={[
          [say('console.users.name'), ({ id, name }) => <a href={pathOf(ctx, 'members', id)}>{name}</a>],
          [say('signIn.email'), ({ email }) => email],
          [say('console.users.role'), ({ role }) => told(ROLES[role])],
          [say('console.users.status'), ({ status }) => <Status of={status} />],
          [say('console.users.secondFactor'), (one) => (hasSecondFactor(one) ? <Badge tone="good">{factorOf(one)}</Badge> : factorOf(one))],
          [say('console.users.lastSignIn'), ({ lastSignInAt }) => <Time ctx={ctx} at={lastSignInAt} />],
        ]}
      />
    </>
  );
}

type MemberProps = { ctx: PageContext; member: UserFacts; state: FormState; fields: FormState; security: Security };

function MemberView({ ctx, member, state, fields, security }: MemberProps) {
  const { email, role, status, createdAt, lastSignInAt } = member;
  const reason = whyNot({ ...ctx.user, organizationId: member.organizationId }, member);
  return (
    <>
      <Facts
        facts={[
          [say('signIn.email'), email],
          [say('console.users.role'), told(ROLES[role])],
          [say('console.users.status'), <Status of={status} />],
          [say('console.users.secondFactor'), factorOf(member)],
          [say('console.users.lastSignIn'), <Time ctx={ctx} at={lastSignInAt} />],
          [say('console.users.added'), <Time ctx={ctx} at={createdAt} />],
          ...customFacts(USER_FIELDS, ctx, UserDto.from(member)),
        ]}
      />
      {fieldsFor(ctx).inputs.size > 0 && (member.id === ctx.user.id || reason === undefined) ? (
        <ConsoleForm
          ctx={ctx}
          state={fields}
          action={pathOf(ctx, 'members', member.id, 'fields')}
          submit={say('console.organization.save')}
        >
          <RecordInputs fields={fieldsFor(ctx)} state={fields} />
        </ConsoleForm>
      ) : null}
      {reason === undefined ? (
        <Management ctx={ctx} member={member} state={state} security={security} />
      ) : (
        <p class="hint">{told(reason)}</p>
      )}
    </>
  );
}

function Management({ ctx, member, state, security }: Omit<MemberProps, 'fields'>) {
  const { id, name, status } = member;
  return (
    <>
      {status === 'invited' ? (
        <p>
          <ActionButton ctx={ctx} action={pathOf(ctx, 'members', id, 'invite')} label={say('console.users.inviteAgain')} />{' '}
          <span class="hint">{say('console.users.inviteAgainHint')}</span>
        </p>
      ) : null}
      <ConsoleForm ctx={ctx} state={state} action={pathOf(ctx, 'members', id, 'role')} submit={say('console.users.changeRole')}>
        <RoleField ctx={ctx} state={state} />
      </ConsoleForm>
      {status === 'active' ? (
        <Confirm
          ctx={ctx}
          action={pathOf(ctx, 'members', id, 'sign-out')}
          label={say('console.users.signOut')}
          question={say('console.users.signOutQuestion', { name })}
          submit={say('console.users.signOutNamed', { name })}
        />
      ) : null}
      <Confirm
        ctx={ctx}
        action={pathOf(ctx, 'members', id, 'remove')}
        label={say('connections.remove')}
        question={say('console.users.removeQuestion', { name })}
        submit={say('console.users.removeNamed', { name })}
      />
      {ctx.user.role === 'owner' ? <EraseForm ctx={ctx} member={member} state={state} security={security} /> : null}
    </>
  );
}

/** Asks for the password of the owner, or a passkey: a browser that was left open is not enough. */
function EraseForm({ ctx, member: { id, name }, state, security }: Omit<MemberProps, 'fields'>) {
  if (!security.hasPassword) return <p class="hint">{say('console.users.eraseNeedsPassword')}</p>;
  return (
    <details class="more" open={['ownPassword', 'passkey'].some((field) => errorsIn(state, field).length > 0)}>
      <summary>{say('console.users.erase')}</summary>
      <ConsoleForm ctx={ctx} state={state} action={pathOf(ctx, 'members', id, 'erase')} submit={say('console.users.eraseNamed', { name })}>
        <p>{say('console.users.eraseAbout', { name })}</p>
        <TextField
          state={state}
          name="ownPassword"
          label={say('console.security.yourPassword')}
          type="password"
          required
          maxLength={1024}
          autocomplete="current-password"
        />
        {security.passkeys.length > 0 ? <PasskeyButton say={say} /> : null}
      </ConsoleForm>
    </details>
  );
}

const RoleField = ({ ctx, state }: { ctx: PageContext; state: FormState }) => (
  <SelectField state={state} name="role" label={say('console.users.role')} hint={say('console.users.roleHint')} choices={choicesFor(ctx)} />
);

const InvitationForm = ({ ctx, state }: { ctx: PageContext; state: FormState }) => (
  <ConsoleForm ctx={ctx} state={state} submit={say('console.users.invite')} cancel={pathOf(ctx, 'members')}>
    <TextField state={state} name="email" label={say('signIn.email')} type="email" required maxLength={254} />
    <TextField state={state} name="name" label={say('console.users.name')} hint={say('console.users.nameHint')} maxLength={200} />
    <RoleField ctx={ctx} state={state} />
  </ConsoleForm>
);

const InvitationLink = ({ ctx, invitation: { user, link, expiresAt } }: { ctx: PageContext; invitation: Invitation }) => (
  <>
    <p>{say('console.users.sendLink', { name: user.name, email: user.email })}</p>
    <Copyable text={link} label={say('console.users.link')} />
    <Sentence text={say('console.users.linkUntil', { time: FIRST })} parts={[<Time ctx={ctx} at={expiresAt} />]} />
    <Way to={pathOf(ctx, 'members')} label={say('console.users.all')} />
  </>
);

const SECTION = 'members';

@ConsoleSection({ path: SECTION, label: 'Members', group: 'Organization', order: 2, role: 'admin', shows: 'nothing' })
export class MembersConsole {
  constructor(
    private readonly users: UsersService,
    private readonly invitations: InvitationsService,
    private readonly door: ConsoleDoor,
    private readonly erasure: PersonErasure,
    private readonly accounts: Accounts,
    private readonly askedAgain: AskedAgain,
  ) {}

  @Page({ route: 'GET /', role: 'admin' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const actions = <LinkButton to={pathOf(ctx, 'members', 'invite')}>{say('console.users.inviteTitle')}</LinkButton>;
    return titledPage(told('Members'), { actions }, <MemberList ctx={ctx} members={await this.users.list(ctx.organizationId)} />);
  }

  @Page({ route: 'GET /invite', role: 'admin' })
  new(@PageCtx() ctx: PageContext): Answer {
    return invitePage(ctx, formOf({ role: 'member' }));
  }

  @Action({ route: 'POST /invite', role: 'admin' })
  invite(@PageCtx() ctx: PageContext): Promise<Answer> {
    const { form, organizationId } = ctx;
    const invite = async (): Promise<Answer> => {
      const wanted = { organizationId, email: form.text('email'), name: form.given('name'), role: roleIn(ctx) };
      return invited(ctx, await this.once(ctx, wanted));
    };
    return orAgain(ctx, invite, (state) => invitePage(ctx, state));
  }

  @Page({ route: 'GET /:user_id', role: 'admin' })
  show(@PageCtx() ctx: PageContext, @Param('user_id') id: string): Promise<Answer> {
    return this.memberPage(ctx, id);
  }

  @Action({ route: 'POST /:user_id/role', role: 'admin', records: ['user.role_changed'] })
  changeRole(@PageCtx() ctx: PageContext, @Param('user_id') id: string): Promise<Answer> {
    const change = async (): Promise<Answer> => {
      const { name, role } = await this.users.changeRole(ctx.actor, id, roleIn(ctx));
      return goTo(pathOf(ctx, SECTION, id), say('console.users.roleChanged', { name, role: say(`consent.roles.${role}`) }));
    };
    return orAgain(ctx, change, (state) => this.memberPage(ctx, id, state));
  }

  @Action({ route: 'POST /:user_id/fields', role: 'admin', records: ['user.changed'] })
  changeFields(@PageCtx() ctx: PageContext, @Param('user_id') id: string): Promise<Answer> {
    const change = async (): Promise<Answer> => {
      await this.users.member(ctx.organizationId, id);
      const { customFields = {} } = recordBody(fieldsFor(ctx), ctx.form) as Partial<UserFacts>;
      const { name } = await this.users.changeFields(ctx.actor, id, customFields);
      return goTo(pathOf(ctx, SECTION, id), say('console.users.fieldsChanged', { name }));
    };
    return orAgain(ctx, change, (fields) => this.memberPage(ctx, id, undefined, fields));
  }

  @Action({ route: 'POST /:user_id/invite', role: 'admin' })
  inviteAgain(@PageCtx() ctx: PageContext, @Param('user_id') id: string): Promise<Answer> {
    const invite = async (): Promise<Answer> => {
      const { organizationId, email, role } = await this.users.member(ctx.organizationId, id);
      return invited(ctx, await this.once(ctx, { organizationId, email, role }));
    };
    return orAgain(ctx, invite, (state) => this.memberPage(ctx, id, state));
  }

  @Action({ route: 'POST /:user_id/sign-out', role: 'admin', records: ['user.sessions_ended'] })
  async signOut(@PageCtx() ctx: PageContext, @Param('user_id') id: string): Promise<Answer> {
    const { name } = await this.users.endSessions(ctx.actor, id);
    return goTo(pathOf(ctx, SECTION, id), say('console.users.wasSignedOut', { name }));
  }

  @Action({ route: 'POST /:user_id/remove', role: 'admin', records: ['user.removed'] })
  remove(@PageCtx() ctx: PageContext, @Param('user_id') id: string): Promise<Answer> {
    const remove = async (): Promise<Answer> => {
      const { name } = await this.users.remove(ctx.actor, id);
      return goTo(pathOf(ctx, SECTION), say('console.users.wasRemoved', { name }));
    };
    return orAgain(ctx, remove, (state) => this.memberPage(ctx, id, state));
  }

  @Action({ route: 'POST /:user_id/erase', role: 'owner', records: ['person.erased'] })
  erase(@PageCtx() ctx: PageContext, @Param('user_id') id: string, @Req() request: FastifyRequest): Promise<Answer> {
    const { actor, organizationId } = ctx;
    const erase = async (): Promise<Answer> => {
      await this.users.member(organizationId, id);
      await this.askedAgain.proveBy(ctx, request, 'ownPassword');
      for (const found of await this.erasure.find(organizationId, id)) await this.erasure.erase(actor, found);
      return goTo(pathOf(ctx, SECTION), say('console.users.wasErased'));
    };
    return orAgain(ctx, erase, (state) => this.memberPage(ctx, id, state));
  }

  private once(ctx: PageContext, wanted: NewUser): Promise<Invitation> {
    return this.door.once(ctx, wanted, (inner) => this.invitations.inviteIn(inner, wanted));
  }

  private async memberPage(ctx: PageContext, id: string, state?: FormState, entered?: FormState): Promise<Answer> {
    const member = await this.users.member(ctx.organizationId, id);
    const shown = state ?? formOf({ role: member.role });
    const fields = entered ?? formOf(recordValues(USER_FIELDS, member));
    const security = await this.accounts.readSecurity(ctx.user.id);
    const view = <MemberView ctx={ctx} member={member} state={shown} fields={fields} security={security} />;
    return page(member.name, view, (shown.problem ?? fields.problem)?.status ?? 200);
  }
}

function roleIn({ form }: PageContext): UserRole {
  const role = USER_ROLES.find((name) => name === form.text('role'));
  if (!role) throw Problem.invalidField('role', 'not_allowed', `must be one of ${USER_ROLES.join(', ')}`);
  return role;
}

const invitePage = (ctx: PageContext, state: FormState): Answer =>
  page(say('console.users.inviteTitle'), <InvitationForm ctx={ctx} state={state} />, state.problem?.status ?? 200);

/** The link is shown only where nobody else gets it. */
function invited(ctx: PageContext, invitation: Invitation): Answer {
  if (!invitation.mailed) return page(say('console.users.invitation'), <InvitationLink ctx={ctx} invitation={invitation} />);
  return goTo(pathOf(ctx, SECTION, invitation.user.id), say('console.users.mailed', { email: invitation.user.email }));
}
