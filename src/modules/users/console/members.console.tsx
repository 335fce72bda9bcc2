import { Param } from '@nestjs/common';
import { ConsoleDoor, orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { type PageContext, PageCtx, pathOf } from '../../../api/console/page-context.js';
import { type Answer, goTo, page, titledPage } from '../../../api/console/page.js';
import { ActionButton, Badge, Confirm, Copyable, Facts, LinkButton, Time, type Tone } from '../../../api/console/parts/facts.js';
import { type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { Problem } from '../../../kernel/problems.js';
import { USER_ROLES, type UserRole } from '../../../kernel/roles.js';
import { type Invitation, InvitationsService } from '../invitations/invitations.service.js';
import { type NewUser, type UserFacts, whyNot } from '../user-rules.js';
import type { UserStatus } from '../user.entity.js';
import { UsersService } from '../users.service.js';

const ROLES: Record<UserRole, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' };
const STATUSES: Record<UserStatus, readonly [label: string, tone: Tone]> = {
  active: ['Active', 'good'],
  invited: ['Invited', 'busy'],
  removed: ['Removed', 'plain'],
};

const ROLES_HINT = 'Members work with claims. Admins also manage keys, webhooks and members. Owners do everything.';

/** The roles that this person may give. */
const choicesFor = ({ user }: PageContext): readonly Choice[] =>
  USER_ROLES.filter((role) => role !== 'owner' || user.role === 'owner').map((role): Choice => [role, ROLES[role]]);

const Status = ({ of: status }: { of: UserStatus }) => <Badge tone={STATUSES[status][1]}>{STATUSES[status][0]}</Badge>;

function MemberList({ ctx, members }: { ctx: PageContext; members: readonly UserFacts[] }) {
  return (
    <>
      <p>The people who can sign in to this console, and allow applications to work for them.</p>
      <Table
        caption="Members of the organization"
        rows={members}
        empty={<p>There are no members yet.</p>}
        columns={[
          ['Name', ({ id, name }) => <a href={pathOf(ctx, 'members', id)}>{name}</a>],
          ['E-mail', ({ email }) => email],
          ['Role', ({ role }) => ROLES[role]],
          ['Status', ({ status }) => <Status of={status} />],
          ['Second factor', ({ totp }) => (totp ? <Badge tone="good">On</Badge> : 'Off')],
          ['Last sign-in', ({ lastSignInAt }) => <Time ctx={ctx} at={lastSignInAt} />],
        ]}
      />
    </>
  );
}

function MemberView({ ctx, member, state }: { ctx: PageContext; member: UserFacts; state: FormState }) {
  const { email, role, status, totp, createdAt, lastSignInAt } = member;
  return (
    <>
      <Facts
        facts={[
          ['E-mail', email],
          ['Role', ROLES[role]],
          ['Status', <Status of={status} />],
          ['Second factor', totp ? 'On' : 'Off'],
          ['Last sign-in', <Time ctx={ctx} at={lastSignInAt} />],
          ['Added', <Time ctx={ctx} at={createdAt} />],
        ]}
      />
      <Management ctx={ctx} member={member} state={state} />
    </>
  );
}

function Management({ ctx, member, state }: { ctx: PageContext; member: UserFacts; state: FormState }) {
  const { id, name, status, organizationId } = member;
  const reason = whyNot({ ...ctx.user, organizationId }, member);
  if (reason !== undefined) return <p class="hint">{reason}</p>;
  return (
    <>
      {status === 'invited' ? (
        <p>
          <ActionButton ctx={ctx} action={pathOf(ctx, 'members', id, 'invite')} label="Invite again" />{' '}
          <span class="hint">The earlier link no longer works then.</span>
        </p>
      ) : null}
      <ConsoleForm ctx={ctx} state={state} action={pathOf(ctx, 'members', id, 'role')} submit="Change the role">
        <SelectField state={state} name="role" label="Role" hint={ROLES_HINT} choices={choicesFor(ctx)} />
      </ConsoleForm>
      <Confirm
        ctx={ctx}
        action={pathOf(ctx, 'members', id, 'remove')}
        label="Remove"
        question={`${name} loses access at once, in all browsers and applications. The e-mail address can be invited again.`}
        submit={`Remove ${name}`}
      />
    </>
  );
}

const InvitationForm = ({ ctx, state }: { ctx: PageContext; state: FormState }) => (
  <ConsoleForm ctx={ctx} state={state} submit="Invite" cancel={pathOf(ctx, 'members')}>
    <TextField state={state} name="email" label="E-mail" type="email" required maxLength={254} />
    <TextField state={state} name="name" label="Name" hint="Left empty, it is the part of the address before the @." maxLength={200} />
    <SelectField state={state} name="role" label="Role" hint={ROLES_HINT} choices={choicesFor(ctx)} />
  </ConsoleForm>
);

const InvitationLink = ({ ctx, invitation: { user, link, expiresAt } }: { ctx: PageContext; invitation: Invitation }) => (
  <>
    <p>
      Send this link to {user.name} ({user.email}). It is not mailed, and it is not shown again.
    </p>
    <Copyable text={link} label="Link of the invitation" />
    <p>
      It works once, until <Time ctx={ctx} at={expiresAt} />.
    </p>
    <p>
      <a href={pathOf(ctx, 'members')}>All members</a>
    </p>
  </>
);

const SECTION = 'members';

/** The people of the organization. Who may do what to whom is decided in member-rules.ts. */
@ConsoleSection({ path: SECTION, label: 'Members', group: 'Organization', order: 2, role: 'admin' })
export class MembersConsole {
  constructor(
    private readonly users: UsersService,
    private readonly invitations: InvitationsService,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /', role: 'admin' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const actions = <LinkButton to={pathOf(ctx, 'members', 'invite')}>Invite a member</LinkButton>;
    return titledPage('Members', { actions }, <MemberList ctx={ctx} members={await this.users.list(ctx.organizationId)} />);
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
      return goTo(pathOf(ctx, SECTION, id), `${name} now has the role ${role}.`);
    };
    return orAgain(ctx, change, (state) => this.memberPage(ctx, id, state));
  }

  @Action({ route: 'POST /:user_id/invite', role: 'admin' })
  inviteAgain(@PageCtx() ctx: PageContext, @Param('user_id') id: string): Promise<Answer> {
    const invite = async (): Promise<Answer> => {
      const { organizationId, email, role } = await this.users.member(ctx.organizationId, id);
      return invited(ctx, await this.once(ctx, { organizationId, email, role }));
    };
    return orAgain(ctx, invite, (state) => this.memberPage(ctx, id, state));
  }

  @Action({ route: 'POST /:user_id/remove', role: 'admin', records: ['user.removed'] })
  remove(@PageCtx() ctx: PageContext, @Param('user_id') id: string): Promise<Answer> {
    const remove = async (): Promise<Answer> => {
      const { name } = await this.users.remove(ctx.actor, id);
      return goTo(pathOf(ctx, SECTION), `${name} was removed.`);
    };
    return orAgain(ctx, remove, (state) => this.memberPage(ctx, id, state));
  }

  private once(ctx: PageContext, wanted: NewUser): Promise<Invitation> {
    return this.door.once(ctx, wanted, (inner) => this.invitations.inviteIn(inner, wanted));
  }

  private async memberPage(ctx: PageContext, id: string, state?: FormState): Promise<Answer> {
    const member = await this.users.member(ctx.organizationId, id);
    const shown = state ?? formOf({ role: member.role });
    return page(member.name, <MemberView ctx={ctx} member={member} state={shown} />, shown.problem?.status ?? 200);
  }
}

function roleIn({ form }: PageContext): UserRole {
  const role = USER_ROLES.find((name) => name === form.text('role'));
  if (!role) throw Problem.invalidField('role', 'not_allowed', `must be one of ${USER_ROLES.join(', ')}`);
  return role;
}

const invitePage = (ctx: PageContext, state: FormState): Answer =>
  page('Invite a member', <InvitationForm ctx={ctx} state={state} />, state.problem?.status ?? 200);

/** The link is shown only where nobody else gets it. */
function invited(ctx: PageContext, invitation: Invitation): Answer {
  if (!invitation.mailed) return page('Invitation', <InvitationLink ctx={ctx} invitation={invitation} />);
  return goTo(pathOf(ctx, SECTION, invitation.user.id), `The invitation is mailed to ${invitation.user.email}.`);
}
