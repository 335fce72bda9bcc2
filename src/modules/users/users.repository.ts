import { Injectable } from '@nestjs/common';
import { existing } from '../../kernel/problems.js';
import { Database } from '../../store/database/database.js';
import { entityColumns, namedInsertSql, namedValuesOf, selectList } from '../../store/database/sql.js';
import type { Unit } from '../../store/database/unit-of-work.js';
import { RecordBounds } from '../../store/tenant/record-bounds.js';
import { acrossTenants, ORGANIZATION, organizationSql } from '../../store/tenant/tenant-sql.js';
import { credentialsOf, User, UserInvitation, type Credentials } from './user.entity.js';

const USER = entityColumns(User);
const INVITATION = entityColumns(UserInvitation);
const SELECT = `SELECT ${selectList(USER)} FROM users`;
const BY_ID = acrossTenants(
  'users.by_id',
  'A session, a token or an e-mail names a user by id, and the row says of which organization.',
  `${SELECT} WHERE id = :id`,
);
const LOCK = acrossTenants(
  'users.lock',
  'The same: a change knows the id, and finds the organization in the row.',
  `${SELECT} WHERE id = :id FOR UPDATE`,
);
const BY_EMAIL = organizationSql('users.by_email', `${SELECT} WHERE ${ORGANIZATION} AND email_key = :emailKey AND status <> 'removed'`);
const ORGANIZATIONS_OF_EMAIL = acrossTenants(
  'users.organizations_of_email',
  'Whoever signs in has given an e-mail address, and not said of which organization.',
  // A person who signs in to an application of all organizations has not said which one is theirs: it is the one used last.
  `SELECT organization_id AS "organizationId", account_id AS "accountId", password_hash IS NOT NULL AS "hasPassword"
    FROM users WHERE email_key = :emailKey AND status = 'active'
    AND (:slug = '' OR organization_id = (SELECT id FROM organizations WHERE slug = :slug))
    ORDER BY last_sign_in_at DESC NULLS LAST, id LIMIT :limit`,
);
const EVER_NAMED = organizationSql(
  'users.ever_named',
  `${SELECT} WHERE ${ORGANIZATION} AND (id = :id OR (:id::uuid IS NULL AND email_key = :emailKey)) ORDER BY id`,
);
const OF_ORGANIZATION = organizationSql('users.of_organization', `${SELECT} WHERE ${ORGANIZATION} AND status <> 'removed' ORDER BY id`);
const OWNERS = organizationSql(
  'users.owners',
  `${SELECT} WHERE ${ORGANIZATION} AND role = 'owner' AND status = 'active' ORDER BY id LIMIT :limit`,
);
// All transactions lock owners in the same order, so that the last two cannot remove each other.
const LOCK_OWNERS = organizationSql(
  'users.lock_owners',
  `${SELECT} WHERE ${ORGANIZATION} AND role = 'owner' AND status = 'active' ORDER BY id FOR UPDATE`,
);
const PASSWORDS_ALLOWED = organizationSql(
  'identity_providers.passwords_allowed',
  `SELECT passwords_allowed AS allowed FROM identity_providers WHERE ${ORGANIZATION}`,
);
const CREDENTIALS = `account_id = :accountId, password_hash = :passwordHash, totp_secret = :totpSecret,
    totp_last_step = :totpLastStep, recovery_codes = :recoveryCodes, passkeys = :passkeys` as const;
/** As the driver takes them. */
const boundCredentials = (user: Credentials) => ({ ...credentialsOf(user), passkeys: JSON.stringify(user.passkeys) });
const INSERT = organizationSql('users.insert', namedInsertSql(USER));
const UPDATE = organizationSql(
  'users.update',
  `UPDATE users SET role = :role, status = :status, ${CREDENTIALS}, updated_at = :updatedAt,
    last_sign_in_at = :lastSignInAt, custom_fields = :customFields WHERE ${ORGANIZATION} AND id = :id`,
);
const OF_ACCOUNT_SELECT = `${SELECT} WHERE account_id = :accountId AND status <> 'removed' ORDER BY id` as const;
const OF_ACCOUNT = acrossTenants('users.of_account', 'A person has one account for all organizations.', OF_ACCOUNT_SELECT);
const LOCK_ACCOUNT = acrossTenants(
  'users.lock_account',
  'A person has one account for all organizations.',
  `${OF_ACCOUNT_SELECT} FOR UPDATE`,
);
const UPDATE_ACCOUNT = acrossTenants(
  'users.update_account',
  'A person has the same credentials in all organizations.',
  `UPDATE users SET ${CREDENTIALS},
    updated_at = coalesce(:updatedAt, updated_at) WHERE account_id = :id AND status <> 'removed'`,
);
const REPLACE_INVITATION = organizationSql(
  'user_invitations.replace',
  `${namedInsertSql(INVITATION)}
    ON CONFLICT (user_id) DO UPDATE
      SET token_hash = excluded.token_hash, expires_at = excluded.expires_at, created_at = excluded.created_at`,
);
const INVITED = acrossTenants(
  'users.invited',
  'The token of an invitation tells the organization.',
  `${SELECT} WHERE id = (SELECT user_id FROM user_invitations WHERE token_hash = :tokenHash AND expires_at > :now)`,
);
const USE_INVITATION = acrossTenants(
  'user_invitations.use',
  'The token of an invitation tells the organization.',
  'DELETE FROM user_invitations WHERE token_hash = :tokenHash AND expires_at > :now RETURNING user_id',
);
const END_INVITATION = acrossTenants(
  'user_invitations.end',
  'A user, found before, has one invitation at most.',
  'DELETE FROM user_invitations WHERE user_id = :userId',
);

type UserOfAddress = Pick<User, 'organizationId' | 'accountId'> & { readonly hasPassword: boolean };

const MEMBERS = { name: 'members', noun: 'members', table: 'users', only: "status <> 'removed'", isShared: true } as const;
/** Of one address. More would be somebody's play. */
const ORGANIZATIONS_MAX = 100;

@Injectable()
export class UsersRepository {
  constructor(
    private readonly database: Database,
    private readonly bounds: RecordBounds,
  ) {}

  async byId(id: string): Promise<User | undefined> {
    return (await this.database.shortRead<User>(...BY_ID.bind({ id })))[0];
  }

  /** Also one without access. Throws if there never was one. */
  existing(id: string): Promise<User> {
    return existing('user', id, () => this.byId(id));
  }

  /** Makes concurrent changes of a user wait for each other. */
  async lock(id: string, unit: Unit): Promise<User | undefined> {
    return (await this.database.rows<User>(...LOCK.bind({ id }), unit))[0];
  }

  async byEmail(organizationId: string, emailKey: string): Promise<User | undefined> {
    return (await this.database.shortRead<User>(...BY_EMAIL.bind({ organizationId }, { emailKey })))[0];
  }

  /** With the id or else the address, also those who were removed. */
  everNamed(organizationId: string, id: string | null, emailKey: string): Promise<User[]> {
    return this.database.rows<User>(...EVER_NAMED.bind({ organizationId }, { id, emailKey }));
  }

  /** Where the address is one of an active user, the one used last first; with a slug only that organization. */
  findOrganizations(emailKey: string, slug: string): Promise<UserOfAddress[]> {
    return this.database.shortRead(...ORGANIZATIONS_OF_EMAIL.bind({ emailKey, slug, limit: ORGANIZATIONS_MAX }));
  }

  ofAccount(accountId: string): Promise<User[]> {
    return this.database.shortRead<User>(...OF_ACCOUNT.bind({ accountId }));
  }

  lockAccount(accountId: string, unit: Unit): Promise<User[]> {
    return this.database.rows<User>(...LOCK_ACCOUNT.bind({ accountId }), unit);
  }

  /** Gives all users of an account the same credentials. With another account id they join that account. */
  async updateAccount(id: string, to: Credentials, unit: Unit, updatedAt: string | null = null): Promise<void> {
    await this.database.rows(...UPDATE_ACCOUNT.bind({ id, ...boundCredentials(to), updatedAt }), unit);
  }

  ofOrganization(organizationId: string): Promise<User[]> {
    return this.database.rows<User>(...OF_ORGANIZATION.bind({ organizationId }));
  }

  owners(organizationId: string, limit: number, unit: Unit): Promise<User[]> {
    return this.database.rows<User>(...OWNERS.bind({ organizationId }, { limit }), unit);
  }

  /** The owners. The set cannot change before the transaction ends. */
  lockOwners(organizationId: string, unit: Unit): Promise<User[]> {
    return this.database.rows<User>(...LOCK_OWNERS.bind({ organizationId }), unit);
  }

  /** Only an organization with single sign-on can switch passwords off. */
  async passwordsAllowed(organizationId: string): Promise<boolean> {
    const [row] = await this.database.shortRead<{ allowed: boolean }>(...PASSWORDS_ALLOWED.bind({ organizationId }));
    return row?.allowed ?? true;
  }

  async insert(user: User, unit: Unit): Promise<void> {
    // Users belong to both environments, and are counted in neither.
    const ctx = { organizationId: user.organizationId, environment: 'live' as const, unit };
    await this.bounds.create(ctx, MEMBERS, () => this.database.rows(...INSERT.bind(user, namedValuesOf(USER, user)), unit));
  }

  /** Writes everything that can change; the e-mail address and the name cannot. */
  async update(user: User, unit: Unit): Promise<void> {
    const { id, role, status, updatedAt, lastSignInAt } = user;
    const customFields = JSON.stringify(user.customFields);
    const changed = { id, role, status, ...boundCredentials(user), updatedAt, lastSignInAt, customFields };
    await this.database.rows(...UPDATE.bind(user, changed), unit);
  }

  async replaceInvitation(invitation: UserInvitation, unit: Unit): Promise<void> {
    await this.database.rows(...REPLACE_INVITATION.bind(invitation, namedValuesOf(INVITATION, invitation)), unit);
  }

  async invited(tokenHash: Buffer, now: string): Promise<User | undefined> {
    return (await this.database.rows<User>(...INVITED.bind({ tokenHash, now })))[0];
  }

  async useInvitation(tokenHash: Buffer, now: string, unit: Unit): Promise<boolean> {
    return (await this.database.rows(...USE_INVITATION.bind({ tokenHash, now }), unit)).length > 0;
  }

  async endInvitation(userId: string, unit: Unit): Promise<void> {
    await this.database.rows(...END_INVITATION.bind({ userId }), unit);
  }
}
