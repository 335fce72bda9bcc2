import { Injectable } from '@nestjs/common';
import type { SignInWay } from '../../../api/console/page-context.js';
import { OrganizationService, type Organization } from '../../organization/index.js';
import { SignInWays } from '../single-sign-on/sign-in-ways.js';
import { factsOf, type UserFacts } from '../user-rules.js';
import { UsersRepository } from '../users.repository.js';

/** What an organization asks of its people when they sign in, and what it is called meanwhile. */
export interface SignInRules {
  readonly name: string;
  readonly slug: string;
  readonly requiresSecondFactor: boolean;
  readonly allowsPasswords: boolean;
}

export interface Admitted {
  readonly user: UserFacts;
  readonly organization: Organization;
  /** The organization requires a second factor, and they have none: they set it up before anything else. */
  readonly lacksSecondFactor: boolean;
}

@Injectable()
export class SignInRulesService {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly users: UsersRepository,
    private readonly ways: SignInWays,
  ) {}

  async read(organizationId: string): Promise<SignInRules> {
    const [{ name, slug, requireSecondFactor }, allowsPasswords] = await Promise.all([
      this.organizations.byId(organizationId),
      this.allowPasswords(organizationId),
    ]);
    return { name, slug, requiresSecondFactor: requireSecondFactor, allowsPasswords };
  }

  /**
   * A user who has access, and may have signed in like this; undefined for all others. Sessions ask with each page, and the authorization
   * server with each code and refresh.
   */
  async signedIn(userId: string, by: SignInWay): Promise<Admitted | undefined> {
    const found = await this.users.byId(userId);
    if (found?.status !== 'active') return undefined;
    if (by === 'password' && !(await this.allowPasswords(found.organizationId))) return undefined;
    const [user, organization] = [factsOf(found), await this.organizations.byId(found.organizationId)];
    return { user, organization, lacksSecondFactor: organization.requireSecondFactor && !user.totp && by !== 'single_sign_on' };
  }

  /** Owners can switch passwords off beside a provider of theirs, and an extension for those whom it signs in. */
  private async allowPasswords(organizationId: string): Promise<boolean> {
    if (!(await this.users.passwordsAllowed(organizationId))) return false;
    if (!this.ways.hasExtensions) return true;
    const { id, slug } = await this.organizations.byId(organizationId);
    return (await this.ways.ofExtensions({ id, slug }))?.allowsPasswords !== false;
  }
}
