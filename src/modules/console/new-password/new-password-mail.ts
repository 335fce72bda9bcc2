import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../../api/limits/rate-limiter.js';
import { callerOf } from '../../../kernel/addresses.js';
import type { Actor } from '../../../kernel/context.js';
import type { Tier } from '../../../kernel/plans.js';
import { digestOf } from '../../../kernel/text.js';
import { Accounts } from '../../users/index.js';
import { NewPasswordLetters } from './new-password-letters.js';

/** Five requests for an address in an hour, and sixty of one caller. */
const PER_EMAIL: Tier = { perMinute: 5 / 60, burst: 5 };
const PER_CALLER: Tier = { perMinute: 1, burst: 60 };
/** Accounts with the same address that are written to. More would be somebody's play, or a flood. */
const LETTERS_MAX = 5;
/** Every request takes this long at least, so that response times do not show which accounts exist. */
const AT_LEAST_MS = 300;

type Call = Required<Actor>['call'];

/** Mails links by which people choose a new password. */
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
