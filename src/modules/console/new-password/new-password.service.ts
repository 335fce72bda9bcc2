import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { RateLimiter } from '../../../api/limits/rate-limiter.js';
import { letter } from '../../../api/mail/letter.js';
import { callerOf } from '../../../kernel/addresses.js';
import { type Actor, changeContext } from '../../../kernel/context.js';
import type { Tier } from '../../../kernel/plans.js';
import { API_NAME } from '../../../kernel/product.js';
import { digestOf } from '../../../kernel/text.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { type Unit, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { MailOutbox } from '../../../store/mail/mail-outbox.js';
import { OrganizationService } from '../../organization/index.js';
import { Accounts, type UserFacts } from '../../users/index.js';
import { LINK_MINUTES, OneTimeLinks } from '../sessions/sessions.service.js';

type Call = Required<Actor>['call'];

@Injectable()
export class NewPasswords {
  constructor(
    private readonly links: OneTimeLinks,
    private readonly accounts: Accounts,
  ) {}

  /** Whose link it is; undefined if it is unknown, used or expired. */
  find(token: string): Promise<UserFacts | undefined> {
    return this.links.findUser('new_password', token);
  }

  /** Ends all its sessions and other links. A second factor is still asked for at the next sign-in. undefined as in `find`. */
  async choose(token: string, password: string, call: Call): Promise<UserFacts | undefined> {
    const user = await this.find(token);
    if (!user) return undefined;
    try {
      const also = async (unit: Unit): Promise<void> => {
        if (!(await this.links.use('new_password', token, unit))) throw new UsedMeanwhile();
      };
      return await this.accounts.setPassword({ type: 'user', id: user.id, name: user.name, call }, user.id, password, { also });
    } catch (error) {
      if (error instanceof UsedMeanwhile) return undefined;
      throw error;
    }
  }
}

class UsedMeanwhile extends Error {}

@Injectable()
export class NewPasswordLetters {
  constructor(
    private readonly links: OneTimeLinks,
    private readonly organizations: OrganizationService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly mail: MailOutbox,
  ) {}

  /** One letter to an account, whatever number of organizations it has users in. */
  async write(users: readonly UserFacts[], call: Call): Promise<void> {
    const [user] = users;
    if (!user) return;
    const names = (await this.organizations.findNames(users.map(({ organizationId }) => organizationId))).map(({ name }) => name);
    // The person who asked may be somebody else: they are not signed in.
    const context = changeContext(user.organizationId, { type: 'user', id: null, name: user.email, call });
    await this.unitOfWork.run(context, async (ctx) => {
      const { link } = await this.links.issue('new_password', user.id, ctx.unit);
      this.audit.record(ctx, { action: 'user.password_reset_asked', resourceId: user.id, changes: {} });
      this.mail.queue(ctx, { to: user.email, ...newPasswordLetter(link, names) });
    });
  }
}

const newPasswordLetter = (href: string, organizations: readonly string[]) =>
  letter(`Choose a new password for ${API_NAME}`, [
    `Somebody, most likely you, asked for a new password for your account at ${API_NAME} (${organizations.join(', ')}).`,
    { label: 'Choose a new password', href },
    `The link works once, within ${LINK_MINUTES} minutes. If you did not ask for it, ignore this mail: your password stays as it is.`,
  ]);

const PER_EMAIL: Tier = { perMinute: 5 / 60, burst: 5 };
const PER_CALLER: Tier = { perMinute: 1, burst: 60 };
/** Accounts with the same address that are written to. More would be somebody's play, or a flood. */
const LETTERS_MAX = 5;
/** Every request takes this long at least, so that response times do not show which accounts exist. */
const AT_LEAST_MS = 300;

@Injectable()
export class NewPasswordMail {
  constructor(
    private readonly accounts: Accounts,
    private readonly limiter: RateLimiter,
    private readonly writer: NewPasswordLetters,
  ) {}

  /** Mails a link to each account with this address. Nobody learns whether there is one. */
  async ask(email: string, call: Call): Promise<void> {
    await Promise.all([this.mailTo(email, call), delay(AT_LEAST_MS)]);
  }

  private async mailTo(email: string, call: Call): Promise<void> {
    const limits: [string, Tier][] = [
      [`new_password:caller:${callerOf(call.ipAddress)}`, PER_CALLER],
      [`new_password:email:${digestOf(email.trim().toLowerCase())}`, PER_EMAIL],
    ];
    for (const [key, tier] of limits) if (!(await this.limiter.take(key, tier)).allowed) return;
    for (const users of (await this.accounts.withEmail(email)).slice(0, LETTERS_MAX)) await this.writer.write(users, call);
  }
}
