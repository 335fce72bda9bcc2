import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { OrganizationService } from '../../organization/index.js';
import type { User } from '../user.entity.js';
import { isTooLong, normalPassword, requirePassword } from './password-rules.js';

/** Argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes and compares passwords, outside the event loop. */
@Injectable()
export class Passwords {
  private dummyHash: Promise<string> | undefined;

  constructor(private readonly organizations: OrganizationService) {}

  /** The hash to store for a new password of a user. Throws if the password is not allowed. */
  async hash(password: string, { email, name, organizationId }: Pick<User, 'email' | 'name' | 'organizationId'>): Promise<string> {
    requirePassword(password, { email, name, organization: await this.organizations.byId(organizationId) });
    return hash(normalPassword(password), COST);
  }

  /** Takes equally long if there is no stored hash, so that response times do not show which users exist. */
  async isRight(password: string, stored: string | null): Promise<boolean> {
    if (isTooLong(password)) return false;
    const dummyHash = await (this.dummyHash ??= hash(randomBytes(16), COST));
    const isRight = await verify(stored ?? dummyHash, normalPassword(password));
    return isRight && stored !== null;
  }
}

/** A random password of 120 bits. */
export const makePassword = (): string => randomBytes(15).toString('base64url');
