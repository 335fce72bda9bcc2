import type { FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { ActionButton, Badge, Confirm, Copyable, Facts, Time, type Tone } from '../../../api/console/parts/facts.js';
import { ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { USER_ROLES, type UserRole } from '../../../kernel/roles.js';
import type { Invitation } from '../invitations/invitations.service.js';
import { whyNot } from '../member-rules.js';
import type { UserStatus } from '../user.entity.js';
import type { UserFacts } from '../user-facts.js';

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

export function MemberList({ ctx, members }: { ctx: PageContext; members: readonly UserFacts[] }) {
  return (
    <>
      <p>The people who can sign in to this console, and allow applications to work for them.</p>
      <p>
        <a class="button" href={pathOf(ctx, 'members', 'invite')}>
          Invite a member
        </a>
      </p>
      <Table
        caption="Members of the organization"
        rows={members}
        empty={<p>Nobody is here yet.</p>}
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

export function MemberView({ ctx, member, state }: { ctx: PageContext; member: UserFacts; state: FormState }) {
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

export const InvitationForm = ({ ctx, state }: { ctx: PageContext; state: FormState }) => (
  <ConsoleForm ctx={ctx} state={state} submit="Invite" cancel={pathOf(ctx, 'members')}>
    <TextField state={state} name="email" label="E-mail" type="email" required maxLength={254} />
    <TextField state={state} name="name" label="Name" hint="Left empty, it is the part of the address before the @." maxLength={200} />
    <SelectField state={state} name="role" label="Role" hint={ROLES_HINT} choices={choicesFor(ctx)} />
  </ConsoleForm>
);

export const InvitationLink = ({ ctx, invitation: { user, link, expiresAt } }: { ctx: PageContext; invitation: Invitation }) => (
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
