import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { letter } from '../../../api/mail/letter.js';
import { wordingForCountry } from '../../../api/wording/page-wording.js';
import { type ChangeContext, changeContext, type Actor } from '../../../kernel/context.js';
import { API_NAME } from '../../../kernel/product.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { type InTransaction, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Events } from '../../../store/events/events.js';
import { MailOutbox, MailSender } from '../../../store/mail/mail-outbox.js';
import { OrganizationService, type Organization } from '../../organization/index.js';
import { alreadyExists, aNewUser, explainDuplicate, factsOf, findManager, requireManager } from '../user-rules.js';
import type { Manager, NewUser, UserFacts } from '../user-rules.js';
import { UserDto } from '../user.dto.js';
import type { User } from '../user.entity.js';
import { UserInvited } from '../users.events.js';
import { UsersRepository } from '../users.repository.js';

/** The link is shown once. Only the hash of its token is stored. */
export interface Invitation {
  readonly user: UserFacts;
  readonly link: string;
  readonly expiresAt: string;
  readonly mailed: boolean;
}

@Injectable()
export class InvitationMail {
  constructor(
    private readonly settings: Settings,
    private readonly sender: MailSender,
    private readonly outbox: MailOutbox,
  ) {}

  linkFor(token: string): string {
    return `${this.settings.publicUrl}/invitations/${token}`;
  }

  /** Part of the transaction: nobody gets a link that does not work. Without mail nothing is queued: the inviter passes the link on. */
  queue(ctx: InTransaction<ChangeContext>, to: string, { name, country }: Inviting, link: string): boolean {
    if (!this.sender.sendsMail) return false;
    const { say, language } = wordingForCountry(country);
    const parts = [
      say('invitation.mailAbout', { product: API_NAME, organization: name, days: INVITATION_DAYS }),
      { label: say('invitation.mailAccept'), href: country === null ? link : `${link}?lang=${language}` },
      say('invitation.mailEnd'),
    ];
    const invitation = letter(say('invitation.mailSubject', { product: API_NAME }), parts, language);
    this.outbox.queue(ctx, { to, ...invitation });
    return true;
  }
}

@Injectable()
export class InvitationsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly organizations: OrganizationService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
    private readonly mail: InvitationMail,
    private readonly clock: Clock,
  ) {}

  /** A user who has not accepted yet can be invited again, also in another role. Only the newest link works. */
  invite(actor: Actor, wanted: NewUser): Promise<Invitation> {
    const context = { ...changeContext(wanted.organizationId, actor), emits: [UserInvited] };
    return this.unitOfWork.run(context, (ctx) => this.inviteIn(ctx, wanted));
  }

  async inviteIn(open: InTransaction<ChangeContext>, wanted: NewUser): Promise<Invitation> {
    // Users belong to both environments, and events about them are emitted in both.
    const ctx = { ...open, environment: null, emits: [UserInvited] };
    const createdAt = this.clock.timestamp();
    const expiresAt = new Date(Date.parse(createdAt) + INVITATION_DAYS * 86_400_000).toISOString();
    const token = makeToken();
    const { organizationId } = wanted;
    const manager = await findManager(this.users, ctx.actor);
    const link = this.mail.linkFor(token);
    const organization = await this.organizations.byId(organizationId);
    const { before, after } = await this.save(ctx, manager, aNewUser(wanted, createdAt));
    await this.users.replaceInvitation({ userId: after.id, organizationId, tokenHash: hashToken(token), expiresAt, createdAt }, ctx.unit);
    this.events.appendToAll(ctx, UserInvited, { before: before && UserDto.from(before), after: UserDto.from(after) });
    return { user: factsOf(after), link, expiresAt, mailed: this.mail.queue(ctx, after.email, organization, link) };
  }

  private async save({ unit }: InTransaction<ChangeContext>, manager: Manager, user: User): Promise<{ before: User | null; after: User }> {
    const known = await this.users.byEmail(user.organizationId, user.emailKey);
    const before = known && (await this.users.lock(known.id, unit));
    requireManager(manager, user);
    if (!before) {
      await this.users.insert(user, unit).catch(explainDuplicate);
      return { before: null, after: user };
    }
    if (before.status !== 'invited') throw alreadyExists();
    requireManager(manager, before, user.role);
    const after = { ...before, role: user.role, updatedAt: user.updatedAt };
    await this.users.update(after, unit);
    return { before, after };
  }
}

const INVITATION_DAYS = 7;
/** Lets secret scanners recognize a token. */
const PREFIX = 'invite_';

const makeToken = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The organization that somebody is invited to. They get the mail in the language of its country. */
type Inviting = Pick<Organization, 'name' | 'country'>;
