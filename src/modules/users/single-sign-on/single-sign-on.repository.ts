import { newId } from '../../../kernel/ids.js';
import { Database, prepared } from '../../../store/database/database.js';
import { entityColumns, namedInsertSql, namedValuesOf, selectList, withColumns } from '../../../store/database/sql.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns } from '../../../store/secrets/secrets.js';
import { ORGANIZATION, organizationSql } from '../../../store/tenant/tenant-sql.js';
import { IdentityProvider, UserIdentity } from '../user.entity.js';

/** Encrypted secrets are bound to this text, so that one cannot be moved to another provider. */
export const secretBoundTo = (id: string): string => `client secret of identity provider ${id}`;

const PROVIDER = entityColumns(IdentityProvider);
const CHANGED = withColumns(PROVIDER, ({ property }) => !['id', 'organizationId', 'createdAt'].includes(property));
const IDENTITY = entityColumns(UserIdentity);
const PROVIDER_SELECT = `SELECT ${selectList(PROVIDER)} FROM identity_providers WHERE ${ORGANIZATION}`;
const PROVIDER_OF = organizationSql('identity_providers.of', PROVIDER_SELECT);
const LOCK = organizationSql('identity_providers.lock', `${PROVIDER_SELECT} FOR UPDATE`);
const QUEUE_UP = prepared({
  name: 'user_identities.queue_up',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('sign-ins ' || $1, 0))",
});
const INSERT = organizationSql('identity_providers.insert', namedInsertSql(PROVIDER));
const UPDATE = organizationSql(
  'identity_providers.update',
  `UPDATE identity_providers SET ${CHANGED.columns.map(({ column, property }) => `${column} = :${property}`).join(', ')}
    WHERE ${ORGANIZATION} AND id = :id`,
);
const DELETE = organizationSql('identity_providers.delete', `DELETE FROM identity_providers WHERE ${ORGANIZATION}`);
const IDENTITY_OF = organizationSql(
  'user_identities.by_subject',
  `SELECT ${selectList(IDENTITY)} FROM user_identities WHERE ${ORGANIZATION} AND issuer = :issuer AND subject = :subject`,
);
const IDENTITY_OF_USER = organizationSql(
  'user_identities.of_user',
  `SELECT ${selectList(IDENTITY)} FROM user_identities WHERE ${ORGANIZATION} AND user_id = :userId`,
);
const INSERT_IDENTITY = organizationSql('user_identities.insert', namedInsertSql(IDENTITY));
const DELETE_IDENTITY = organizationSql('user_identities.delete', `DELETE FROM user_identities WHERE ${ORGANIZATION} AND id = :id`);
const DELETE_IDENTITIES = organizationSql('user_identities.delete_all', `DELETE FROM user_identities WHERE ${ORGANIZATION}`);
const WAS_REMOVED = organizationSql(
  'users.was_removed',
  `SELECT true AS was FROM users WHERE ${ORGANIZATION} AND email_key = :emailKey AND status = 'removed' LIMIT 1`,
);

type Subject = Pick<UserIdentity, 'organizationId' | 'issuer' | 'subject'>;

@Implements(EncryptedColumns)
export class SingleSignOnRepository implements EncryptedColumns {
  readonly encrypted = [{ table: 'identity_providers', column: 'client_secret', key: ['id', 'organization_id'], owner: secretBoundTo }];

  constructor(private readonly database: Database) {}

  async findProvider(organizationId: string): Promise<IdentityProvider | undefined> {
    return (await this.database.shortRead<IdentityProvider>(...PROVIDER_OF.bind({ organizationId })))[0];
  }

  /** Sign-ins of an organization wait for each other. */
  async queueUp(organizationId: string, unit: Unit): Promise<void> {
    await this.database.rows(QUEUE_UP, [organizationId], unit);
  }

  /** Sign-ins wait for changes of the provider. */
  async lock(organizationId: string, unit: Unit): Promise<IdentityProvider | undefined> {
    return (await this.database.rows<IdentityProvider>(...LOCK.bind({ organizationId }), unit))[0];
  }

  async insert(provider: IdentityProvider, unit: Unit): Promise<void> {
    await this.database.rows(...INSERT.bind(provider, namedValuesOf(PROVIDER, provider)), unit);
  }

  async update(provider: IdentityProvider, unit: Unit): Promise<void> {
    await this.database.rows(...UPDATE.bind(provider, { id: provider.id, ...namedValuesOf(CHANGED, provider) }), unit);
  }

  async delete(organizationId: string, unit: Unit): Promise<void> {
    await this.database.rows(...DELETE.bind({ organizationId }), unit);
  }

  async findIdentity({ organizationId, issuer, subject }: Subject, unit: Unit): Promise<UserIdentity | undefined> {
    return (await this.database.rows<UserIdentity>(...IDENTITY_OF.bind({ organizationId }, { issuer, subject }), unit))[0];
  }

  /** Whether a user has signed in by the provider. Those of an earlier provider are deleted when it changes. */
  async hasIdentity(organizationId: string, userId: string, unit: Unit): Promise<boolean> {
    return (await this.database.rows(...IDENTITY_OF_USER.bind({ organizationId }, { userId }), unit)).length > 0;
  }

  async insertIdentity(
    { organizationId, unit }: { readonly organizationId: string; readonly unit: Unit },
    userId: string,
    { issuer, subject, createdAt }: Pick<UserIdentity, 'issuer' | 'subject' | 'createdAt'>,
  ): Promise<void> {
    const identity: UserIdentity = { id: newId(), organizationId, userId, issuer, subject, createdAt };
    await this.database.rows(...INSERT_IDENTITY.bind(identity, namedValuesOf(IDENTITY, identity)), unit);
  }

  async deleteIdentity({ organizationId, id }: UserIdentity, unit: Unit): Promise<void> {
    await this.database.rows(...DELETE_IDENTITY.bind({ organizationId }, { id }), unit);
  }

  /** Users are found by their e-mail addresses again. */
  async deleteIdentities(organizationId: string, unit: Unit): Promise<void> {
    await this.database.rows(...DELETE_IDENTITIES.bind({ organizationId }), unit);
  }

  async wasRemoved(organizationId: string, emailKey: string, unit: Unit): Promise<boolean> {
    return (await this.database.rows(...WAS_REMOVED.bind({ organizationId }, { emailKey }), unit)).length > 0;
  }
}
