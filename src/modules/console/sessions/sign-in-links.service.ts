import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { changeContext, type Actor } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { UsersService, type UserFacts } from '../../users/index.js';
import { SessionsRepository } from './sessions.repository.js';

export const LINKS_PATH = '/console/links';
const LINK_MINUTES = 30;
/** Lets secret scanners recognize a token. */
const PREFIX = 'signin_';

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface IssuedLink {
  readonly link: string;
  readonly expiresAt: string;
}

interface Call {
  readonly requestId: string;
  readonly ipAddress: string;
}

/** Links that sign a user in once, without a password: for the first start, and for operators to hand out. */
@Injectable()
export class SignInLinks {
  constructor(
    private readonly links: SessionsRepository,
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async make(actor: Actor, { id, organizationId }: Pick<UserFacts, 'id' | 'organizationId'>): Promise<IssuedLink> {
    const token = PREFIX + randomBytes(32).toString('base64url');
    const expiresAt = new Date(this.clock.now().getTime() + LINK_MINUTES * 60_000).toISOString();
    await this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      await this.links.insertLink({ tokenHash: hashOf(token), userId: id, expiresAt }, ctx.unit);
      this.audit.record(ctx, { action: 'user.link_made', resourceId: id, changes: { expiresAt: { from: null, to: expiresAt } } });
    });
    return { link: `${this.settings.publicUrl}${LINKS_PATH}/${token}`, expiresAt };
  }

  /** Whose link it is; undefined if it is unknown, used or expired. Reading does not use it up: mail scanners open links, too. */
  async find(token: string): Promise<UserFacts | undefined> {
    const userId = await this.links.userOfLink(hashOf(token), this.clock.timestamp());
    return userId === undefined ? undefined : this.users.byId(userId);
  }

  /** Uses the link up. The audit log shows who signed in by it. */
  async use(token: string, { requestId, ipAddress }: Call): Promise<UserFacts | undefined> {
    const user = await this.find(token);
    if (!user) return undefined;
    const { id, name, organizationId } = user;
    const context = { ...changeContext(organizationId, { type: 'user', id, name }), requestId, ipAddress };
    return this.unitOfWork.run(context, async (ctx) => {
      if (!(await this.links.useLink(hashOf(token), this.clock.timestamp(), ctx.unit))) return undefined;
      this.audit.record(ctx, { action: 'user.signed_in', resourceId: id, changes: { by: { from: null, to: 'link' } } });
      return user;
    });
  }
}
