import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/context.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { Accounts, type UserFacts } from '../../users/index.js';
import { OneTimeLinks } from '../sessions/sign-in-links.service.js';

/** New passwords for people who forgot theirs, by a link that was mailed to them. */
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

  /**
   * Sets the password of the account, uses the link up, and ends all its sessions and other links. A second factor is still asked for at
   * the next sign-in. undefined as in `find`.
   */
  async choose(token: string, password: string, call: Required<Actor>['call']): Promise<UserFacts | undefined> {
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
