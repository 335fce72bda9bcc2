import { Injectable } from '@nestjs/common';
import { newId } from '../../../kernel/ids.js';
import { Database, prepared } from '../../../store/database/database.js';
import { entityColumns, insertSql, selectList, valuesOf, withColumns } from '../../../store/database/sql.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns } from '../../../store/secrets/secrets.js';
import { IdentityProvider } from './identity-provider.entity.js';
import { UserIdentity } from './user-identity.entity.js';

/** Encrypted secrets are bound to this text, so that one cannot be moved to another provider. */
export const secretBoundTo = (id: string): string => `client secret of identity provider ${id}`;

const PROVIDER = entityColumns(IdentityProvider);
const CHANGED = withColumns(PROVIDER, ({ property }) => !['id', 'organizationId', 'createdAt'].includes(property));
const IDENTITY = entityColumns(UserIdentity);
const PROVIDER_OF = prepared({
  name: 'identity_providers.of',
  text: `SELECT ${selectList(PROVIDER)} FROM identity_providers WHERE organization_id = $1`,
});
const LOCK = prepared({ name: 'identity_providers.lock', text: `${PROVIDER_OF.text} FOR UPDATE` });
const QUEUE_UP = prepared({
  name: 'user_identities.queue_up',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('sign-ins ' || $1, 0))",
});
const INSERT = prepared({ name: 'identity_providers.insert', text: insertSql(PROVIDER) });
const UPDATE = prepared({
  name: 'identity_providers.update',
  text: `UPDATE identity_providers SET ${CHANGED.columns.map(({ column }, index) => `${column} = $${index + 3}`).join(', ')}
    WHERE organization_id = $1 AND id = $2`,
});
const DELETE = prepared({ name: 'identity_providers.delete', text: 'DELETE FROM identity_providers WHERE organization_id = $1' });
const IDENTITY_OF = prepared({
  name: 'user_identities.by_subject',
  text: `SELECT ${selectList(IDENTITY)} FROM user_identities WHERE organization_id = $1 AND issuer = $2 AND subject = $3`,
});
const IDENTITY_OF_USER = prepared({
  name: 'user_identities.of_user',
  text: `SELECT ${selectList(IDENTITY)} FROM user_identities WHERE organization_id = $1 AND user_id = $2`,
});
const INSERT_IDENTITY = prepared({ name: 'user_identities.insert', text: insertSql(IDENTITY) });
const DELETE_IDENTITY = prepared({
  name: 'user_identities.delete',
  text: 'DELETE FROM user_identities WHERE organization_id = $1 AND id = $2',
});
const DELETE_IDENTITIES = prepared({
  name: 'user_identities.delete_all',
  text: 'DELETE FROM user_identities WHERE organization_id = $1',
});
const WAS_REMOVED = prepared({
  name: 'users.was_removed',
  text: "SELECT true AS was FROM users WHERE organization_id = $1 AND email_key = $2 AND status = 'removed' LIMIT 1",
});

type Subject = Pick<UserIdentity, 'organizationId' | 'issuer' | 'subject'>;

/** The identity providers of organizations, and who their users are for them. */
@Injectable()
@Implements(EncryptedColumns)
export class SingleSignOnRepository implements EncryptedColumns {
  readonly encrypted = [{ table: 'identity_providers', column: 'client_secret', key: ['id', 'organization_id'], owner: secretBoundTo }];

  constructor(private readonly database: Database) {}

  async providerOf(organizationId: string): Promise<IdentityProvider | undefined> {
    return (await this.database.shortRead<IdentityProvider>(PROVIDER_OF, [organizationId]))[0];
  }

  /** Sign-ins of an organization wait for each other. */
  async queueUp(organizationId: string, unit: Unit): Promise<void> {
    await this.database.rows(QUEUE_UP, [organizationId], unit);
  }

  /** Sign-ins wait for changes of the provider. */
  async lock(organizationId: string, unit: Unit): Promise<IdentityProvider | undefined> {
    return (await this.database.rows<IdentityProvider>(LOCK, [organizationId], unit))[0];
  }

  async insert(provider: IdentityProvider, unit: Unit): Promise<void> {
    await this.database.rows(INSERT, valuesOf(PROVIDER, provider), unit);
  }

  async update(provider: IdentityProvider, unit: Unit): Promise<void> {
    await this.database.rows(UPDATE, [provider.organizationId, provider.id, ...valuesOf(CHANGED, provider)], unit);
  }

  async delete(organizationId: string, unit: Unit): Promise<void> {
    await this.database.rows(DELETE, [organizationId], unit);
  }

  async identityOf({ organizationId, issuer, subject }: Subject, unit: Unit): Promise<UserIdentity | undefined> {
    return (await this.database.rows<UserIdentity>(IDENTITY_OF, [organizationId, issuer, subject], unit))[0];
  }

  /** Whether a user has signed in by the provider. Those of an earlier provider are deleted when it changes. */
  async hasIdentity(organizationId: string, userId: string, unit: Unit): Promise<boolean> {
    return (await this.database.rows(IDENTITY_OF_USER, [organizationId, userId], unit)).length > 0;
  }

  async insertIdentity(
    { organizationId, unit }: { readonly organizationId: string; readonly unit: Unit },
    userId: string,
    { issuer, subject, createdAt }: Pick<UserIdentity, 'issuer' | 'subject' | 'createdAt'>,
  ): Promise<void> {
    const identity: UserIdentity = { id: newId(), organizationId, userId, issuer, subject, createdAt };
    await this.database.rows(INSERT_IDENTITY, valuesOf(IDENTITY, identity), unit);
  }

  async deleteIdentity({ organizationId, id }: UserIdentity, unit: Unit): Promise<void> {
    await this.database.rows(DELETE_IDENTITY, [organizationId, id], unit);
  }

  /** Users are found by their e-mail addresses again. */
  async deleteIdentities(organizationId: string, unit: Unit): Promise<void> {
    await this.database.rows(DELETE_IDENTITIES, [organizationId], unit);
  }

  /** Whether a user with this e-mail address was removed. */
  async wasRemoved(organizationId: string, emailKey: string, unit: Unit): Promise<boolean> {
    return (await this.database.rows(WAS_REMOVED, [organizationId, emailKey], unit)).length > 0;
  }
}
