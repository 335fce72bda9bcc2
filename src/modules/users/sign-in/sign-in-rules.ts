import { Injectable } from '@nestjs/common';
import { OrganizationService } from '../../organization/index.js';
import { SignInWays } from '../single-sign-on/sign-in-ways.js';
import { factsOf, type UserFacts } from '../user-facts.js';
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

  /** A user who has access, and may have signed in like this; undefined for all others. */
  async signedIn(userId: string, { withPassword }: { readonly withPassword: boolean }): Promise<UserFacts | undefined> {
    const user = await this.users.byId(userId);
    if (user?.status !== 'active') return undefined;
    if (withPassword && !(await this.allowPasswords(user.organizationId))) return undefined;
    return factsOf(user);
  }

  /** Owners can switch passwords off beside a provider of theirs, and an extension for those whom it signs in. */
  private async allowPasswords(organizationId: string): Promise<boolean> {
    if (!(await this.users.passwordsAllowed(organizationId))) return false;
    if (!this.ways.hasExtensions) return true;
    const { id, slug } = await this.organizations.byId(organizationId);
    return (await this.ways.ofExtensions({ id, slug }))?.allowsPasswords !== false;
  }
}
