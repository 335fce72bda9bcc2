import { changesBetween } from '../../../kernel/changes.js';
import { changeContext, type Actor, type ChangeContext } from '../../../kernel/context.js';
import type { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import type { InTransaction } from '../../../store/database/unit-of-work.js';
import { actorOf } from '../user-rules.js';
import { UserDto } from '../user.dto.js';
import type { User } from '../user.entity.js';

/** Who creates users and changes their roles by what the provider says. */
const PROVIDER: Actor = { type: 'system', id: null, name: 'single sign-on' };

/** Where a sign-in comes from. */
export interface Call {
  readonly address: string;
  readonly requestId: string;
}

export type EntryContext = InTransaction<ChangeContext>;

export const contextOf = (organizationId: string, { address, requestId }: Call): ChangeContext => ({
  ...changeContext(organizationId, PROVIDER),
  ipAddress: address,
  requestId,
});

/** Created by the provider, which is the actor of the context. */
export function recordCreated(audit: AuditRecorder, ctx: EntryContext, user: User): void {
  audit.record(ctx, { action: 'user.created', resourceId: user.id, changes: changesBetween(null, UserDto.from(user)) });
}

/** The role is changed by the provider; what else happens at a sign-in, the user does. */
export function recordSignedIn(audit: AuditRecorder, ctx: EntryContext, before: User, after: User): void {
  const [resourceId, asUser] = [before.id, { ...ctx, actor: actorOf(before) }];
  if (before.status !== after.status)
    audit.record(asUser, { action: 'user.accepted', resourceId, changes: { status: { from: before.status, to: after.status } } });
  if (before.role !== after.role)
    audit.record(ctx, { action: 'user.role_changed', resourceId, changes: { role: { from: before.role, to: after.role } } });
  audit.record(asUser, { action: 'user.signed_in', resourceId, changes: { by: { from: null, to: 'single_sign_on' } } });
}
