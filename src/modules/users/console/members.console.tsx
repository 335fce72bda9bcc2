import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { orAgain, Performer } from '../../../api/console/performer.js';
import { Problem } from '../../../kernel/problems.js';
import { USER_ROLES, type UserRole } from '../../../kernel/roles.js';
import { InvitationsService, type Invitation } from '../invitations/invitations.service.js';
import type { NewUser } from '../user-rules.js';
import { UsersService } from '../users.service.js';
import { InvitationForm, InvitationLink, MemberList, MemberView } from './members.views.js';

const SECTION = 'members';

/** The people of the organization. Who may do what to whom is decided in member-rules.ts. */
@ConsoleSection({ path: SECTION, label: 'Members', group: 'Organization', order: 2, role: 'admin' })
export class MembersConsole {
  constructor(
    private readonly users: UsersService,
    private readonly invitations: InvitationsService,
    private readonly performer: Performer,
  ) {}

  @Page({ route: 'GET /', role: 'admin' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    return page('Members', <MemberList ctx={ctx} members={await this.users.list(ctx.organizationId)} />);
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
    return this.performer.once(ctx, wanted, (inner) => this.invitations.inviteIn(inner, wanted));
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
