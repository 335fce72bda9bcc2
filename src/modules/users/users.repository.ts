import { Injectable } from '@nestjs/common';
import { isUuid } from '../../kernel/ids.js';
import { Database, prepared } from '../../store/database/database.js';
import { entityColumns, insertSql, selectList, valuesOf } from '../../store/database/sql.js';
import type { Unit } from '../../store/database/unit-of-work.js';
import { RecordBounds } from '../../store/tenant/record-bounds.js';
import { UserInvitation } from './invitations/user-invitation.entity.js';
import { userNotFound } from './user-rules.js';
import { User, type Credentials } from './user.entity.js';

const USER = entityColumns(User);
const INVITATION = entityColumns(UserInvitation);
const SELECT = `SELECT ${selectList(USER)} FROM users`;
const BY_ID = prepared({ name: 'users.by_id', text: `${SELECT} WHERE id = $1` });
const LOCK = prepared({ name: 'users.lock', text: `${SELECT} WHERE id = $1 FOR UPDATE` });
const BY_EMAIL = prepared({
  name: 'users.by_email',
  text: `${SELECT} WHERE organization_id = $1 AND email_key = $2 AND status <> 'removed'`,
});
const ORGANIZATIONS_OF_EMAIL = prepared({
  name: 'users.organizations_of_email',
  // A person who signs in to an application of all organizations has not said which one is theirs: it is the one used last.
  text: `SELECT organization_id AS "organizationId", account_id AS "accountId", password_hash IS NOT NULL AS "hasPassword"
    FROM users WHERE email_key = $1 AND status = 'active'
    AND ($2 = '' OR organization_id = (SELECT id FROM organizations WHERE slug = $2))
    ORDER BY last_sign_in_at DESC NULLS LAST, id LIMIT $3`,
});
const OF_ORGANIZATION = prepared({
  name: 'users.of_organization',
  text: `${SELECT} WHERE organization_id = $1 AND status <> 'removed' ORDER BY id`,
});
const OWNERS = prepared({
  name: 'users.owners',
  text: `${SELECT} WHERE organization_id = $1 AND role = 'owner' AND status = 'active' ORDER BY id LIMIT $2`,
});
// All transactions lock owners in the same order, so that the last two cannot remove each other.
const LOCK_OWNERS = prepared({
  name: 'users.lock_owners',
  text: `${SELECT} WHERE organization_id = $1 AND role = 'owner' AND status = 'active' ORDER BY id FOR UPDATE`,
});
const PASSWORDS_ALLOWED = prepared({
  name: 'identity_providers.passwords_allowed',
  text: 'SELECT passwords_allowed AS allowed FROM identity_providers WHERE organization_id = $1',
});
const INSERT = prepared({ name: 'users.insert', text: insertSql(USER) });
const UPDATE = prepared({
  name: 'users.update',
  text: `UPDATE users SET role = $2, status = $3, account_id = $4, password_hash = $5, totp_secret = $6, totp_last_step = $7,
    recovery_codes = $8, updated_at = $9, last_sign_in_at = $10 WHERE id = $1`,
});
const OF_ACCOUNT = prepared({
  name: 'users.of_account',
  text: `${SELECT} WHERE account_id = $1 AND status <> 'removed' ORDER BY id`,
});
const LOCK_ACCOUNT = prepared({ name: 'users.lock_account', text: `${OF_ACCOUNT.text} FOR UPDATE` });
const UPDATE_ACCOUNT = prepared({
  name: 'users.update_account',
  text: `UPDATE users SET account_id = $2, password_hash = $3, totp_secret = $4, totp_last_step = $5, recovery_codes = $6,
    updated_at = coalesce($7, updated_at) WHERE account_id = $1 AND status <> 'removed'`,
});
const REPLACE_INVITATION = prepared({
  name: 'user_invitations.replace',
  text: `${insertSql(INVITATION)}
    ON CONFLICT (user_id) DO UPDATE
      SET token_hash = excluded.token_hash, expires_at = excluded.expires_at, created_at = excluded.created_at`,
});
const INVITED = prepared({
  name: 'users.invited',
  text: `${SELECT} WHERE id = (SELECT user_id FROM user_invitations WHERE token_hash = $1 AND expires_at > $2)`,
});
const USE_INVITATION = prepared({
  name: 'user_invitations.use',
  text: 'DELETE FROM user_invitations WHERE token_hash = $1 AND expires_at > $2 RETURNING user_id',
});
const END_INVITATION = prepared({ name: 'user_invitations.end', text: 'DELETE FROM user_invitations WHERE user_id = $1' });

/** A user with an e-mail address, among those of all organizations. */
type UserOfAddress = Pick<User, 'organizationId' | 'accountId'> & { readonly hasPassword: boolean };

/** Of one address. More would be somebody's play. */
const ORGANIZATIONS_MAX = 100;

@Injectable()
export class UsersRepository {
  constructor(
    private readonly database: Database,
    private readonly bounds: RecordBounds,
  ) {}

  async byId(id: string): Promise<User | undefined> {
    return (await this.database.shortRead<User>(BY_ID, [id]))[0];
  }

  /** Also one without access. Throws if there never was one. */
  async existing(id: string): Promise<User> {
    const user = isUuid(id) ? await this.byId(id) : undefined;
    if (!user) throw userNotFound(id);
    return user;
  }

  /** Makes concurrent changes of a user wait for each other. */
  async lock(id: string, unit: Unit): Promise<User | undefined> {
    return (await this.database.rows<User>(LOCK, [id], unit))[0];
  }

  async byEmail(organizationId: string, emailKey: string): Promise<User | undefined> {
    return (await this.database.shortRead<User>(BY_EMAIL, [organizationId, emailKey]))[0];
  }

  /** Where the address is one of an active user, the one used last first; with a slug only that organization. */
  organizationsOf(emailKey: string, slug: string): Promise<UserOfAddress[]> {
    return this.database.shortRead(ORGANIZATIONS_OF_EMAIL, [emailKey, slug, ORGANIZATIONS_MAX]);
  }

  /** The users of an account, in all organizations. */
  ofAccount(accountId: string): Promise<User[]> {
    return this.database.shortRead<User>(OF_ACCOUNT, [accountId]);
  }

  lockAccount(accountId: string, unit: Unit): Promise<User[]> {
    return this.database.rows<User>(LOCK_ACCOUNT, [accountId], unit);
  }

  /** Gives all users of an account the same credentials. With another account id they join that account. */
  async updateAccount(id: string, to: Credentials, unit: Unit, updatedAt: string | null = null): Promise<void> {
    const { accountId, passwordHash, totpSecret, totpLastStep, recoveryCodes } = to;
    await this.database.rows(UPDATE_ACCOUNT, [id, accountId, passwordHash, totpSecret, totpLastStep, recoveryCodes, updatedAt], unit);
  }

  ofOrganization(organizationId: string): Promise<User[]> {
    return this.database.rows<User>(OF_ORGANIZATION, [organizationId]);
  }

  /** The first so many owners. */
  owners(organizationId: string, limit: number, unit: Unit): Promise<User[]> {
    return this.database.rows<User>(OWNERS, [organizationId, limit], unit);
  }

  /** The owners. The set cannot change before the transaction ends. */
  lockOwners(organizationId: string, unit: Unit): Promise<User[]> {
    return this.database.rows<User>(LOCK_OWNERS, [organizationId], unit);
  }

  /** Only an organization with single sign-on can switch passwords off. */
  async passwordsAllowed(organizationId: string): Promise<boolean> {
    const [row] = await this.database.shortRead<{ allowed: boolean }>(PASSWORDS_ALLOWED, [organizationId]);
    return row?.allowed ?? true;
  }

  async insert(user: User, unit: Unit): Promise<void> {
    // Users belong to both environments, and are counted in neither.
    const ctx = { organizationId: user.organizationId, environment: 'live' as const, unit };
    await this.bounds.create(ctx, 'members', () => this.database.rows(INSERT, valuesOf(USER, user), unit));
  }

  /** Writes everything that can change; the e-mail address and the name cannot. */
  async update(user: User, unit: Unit): Promise<void> {
    const { id, role, status, accountId, passwordHash, totpSecret, totpLastStep, recoveryCodes, updatedAt, lastSignInAt } = user;
    const values = [id, role, status, accountId, passwordHash, totpSecret, totpLastStep, recoveryCodes, updatedAt, lastSignInAt];
    await this.database.rows(UPDATE, values, unit);
  }

  async replaceInvitation(invitation: UserInvitation, unit: Unit): Promise<void> {
    await this.database.rows(REPLACE_INVITATION, valuesOf(INVITATION, invitation), unit);
  }

  /** The user with an open invitation for this token. */
  async invited(tokenHash: Buffer, now: string): Promise<User | undefined> {
    return (await this.database.rows<User>(INVITED, [tokenHash, now]))[0];
  }

  /** Uses up an invitation. Returns whether it was still open. */
  async useInvitation(tokenHash: Buffer, now: string, unit: Unit): Promise<boolean> {
    return (await this.database.rows(USE_INVITATION, [tokenHash, now], unit)).length > 0;
  }

  async endInvitation(userId: string, unit: Unit): Promise<void> {
    await this.database.rows(END_INVITATION, [userId], unit);
  }
}
