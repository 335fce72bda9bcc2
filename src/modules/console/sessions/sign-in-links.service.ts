import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { type Actor, changeContext } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { type Unit, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { type UserFacts, UsersService } from '../../users/index.js';
import { SessionsRepository } from './sessions.repository.js';
import type { LinkPurpose } from './console-session.entity.js';

export const LINK_MINUTES = 30;
const LINKS_PATH = '/console/links';
export const NEW_PASSWORD_PATH = '/console/new-password';

/** Where a link leads, and how its token begins: secret scanners recognize it by that. */
const PURPOSES: Record<LinkPurpose, { readonly path: string; readonly prefix: string }> = {
  sign_in: { path: LINKS_PATH, prefix: 'signin_' },
  new_password: { path: NEW_PASSWORD_PATH, prefix: 'password_' },
};

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface IssuedLink {
  readonly link: string;
  readonly expiresAt: string;
}

/** Links that are as good as a password, once and for half an hour. */
@Injectable()
export class OneTimeLinks {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly users: UsersService,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async issue(purpose: LinkPurpose, userId: string, unit: Unit): Promise<IssuedLink> {
    const { path, prefix } = PURPOSES[purpose];
    const token = prefix + randomBytes(32).toString('base64url');
    const expiresAt = this.clock.later(LINK_MINUTES * 60_000);
    await this.repository.insertLink({ tokenHash: hashOf(token), userId, purpose, expiresAt }, unit);
    return { link: `${this.settings.publicUrl}${path}/${token}`, expiresAt };
  }

  /** Whose link it is; undefined if it is unknown, used or expired. Reading does not use it up: mail scanners open links, too. */
  async findUser(purpose: LinkPurpose, token: string): Promise<UserFacts | undefined> {
    const userId = await this.repository.userOfLink(purpose, hashOf(token), this.clock.timestamp());
    return userId === undefined ? undefined : this.users.byId(userId);
  }

  /** Uses the link up. false if somebody else was faster. */
  use(purpose: LinkPurpose, token: string, unit: Unit): Promise<boolean> {
    return this.repository.useLink(purpose, hashOf(token), this.clock.timestamp(), unit);
  }
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
    return this.links.findUser('sign_in', token);
  }

  async use(token: string, call: { readonly requestId: string; readonly ipAddress: string }): Promise<UserFacts | undefined> {
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
