import { Injectable } from '@nestjs/common';
import { changeContext, type Actor } from '../../../kernel/context.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import type { UserFacts } from '../../users/index.js';
import { OneTimeLinks, type IssuedLink } from './one-time-links.js';

interface Call {
  readonly requestId: string;
  readonly ipAddress: string;
}

/** Links that sign a user in once, without a password: for the first start, and for operators to hand out. */
@Injectable()
export class SignInLinks {
  constructor(
    private readonly links: OneTimeLinks,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
  ) {}

  make(actor: Actor, { id, organizationId }: Pick<UserFacts, 'id' | 'organizationId'>): Promise<IssuedLink> {
    return this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const issued = await this.links.issue('sign_in', id, ctx.unit);
      this.audit.record(ctx, { action: 'user.link_made', resourceId: id, changes: { expiresAt: { from: null, to: issued.expiresAt } } });
      return issued;
    });
  }

  find(token: string): Promise<UserFacts | undefined> {
    return this.links.userOf('sign_in', token);
  }

  /** Uses the link up. The audit log shows who signed in by it. */
  async use(token: string, call: Call): Promise<UserFacts | undefined> {
    const user = await this.find(token);
    if (!user) return undefined;
    const { id, name, organizationId } = user;
    return this.unitOfWork.run(changeContext(organizationId, { type: 'user', id, name, call }), async (ctx) => {
      if (!(await this.links.use('sign_in', token, ctx.unit))) return undefined;
      this.audit.record(ctx, { action: 'user.signed_in', resourceId: id, changes: { by: { from: null, to: 'link' } } });
      return user;
    });
  }
}
