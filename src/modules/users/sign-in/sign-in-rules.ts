import { Injectable } from '@nestjs/common';
import { OrganizationService } from '../../organization/index.js';
import { SignInWays } from '../single-sign-on/sign-in-ways.js';
import { UsersRepository } from '../users.repository.js';

/** What an organization asks of its people when they sign in, and what it is called meanwhile. */
export interface SignInRules {
  readonly name: string;
  readonly slug: string;
  readonly requiresSecondFactor: boolean;
  readonly allowsPasswords: boolean;
}

@Injectable()
export class SignInRulesService {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly users: UsersRepository,
    private readonly ways: SignInWays,
  ) {}

  async of(organizationId: string): Promise<SignInRules> {
    const [{ name, slug, requireSecondFactor }, allowsPasswords] = await Promise.all([
      this.organizations.byId(organizationId),
      this.allowPasswords(organizationId),
    ]);
    return { name, slug, requiresSecondFactor: requireSecondFactor, allowsPasswords };
  }

  /** Owners can switch passwords off beside a provider of theirs, and an extension for those whom it signs in. */
  async allowPasswords(organizationId: string): Promise<boolean> {
    if (!(await this.users.passwordsAllowed(organizationId))) return false;
    if (!this.ways.hasExtensions) return true;
    const { id, slug } = await this.organizations.byId(organizationId);
    return (await this.ways.ofExtensions({ id, slug }))?.allowsPasswords !== false;
  }
}
