import { FORGOTTEN } from '../../kernel/audit-actions.js';
import { Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserRole } from '../../kernel/roles.js';
import {
  BytesColumn,
  IdColumn,
  IntegerColumn,
  JsonColumn,
  TextColumn,
  TextListColumn,
  TimestampColumn,
} from '../../store/database/columns.js';
import { type CustomValues, UuidColumn, FlagColumn } from '../../store/database/columns.js';
import { NamesPerson, NotExported, PartOf, PERSON, PersonStays } from '../../store/tenant/organization-tables.js';
import type { Key } from '../../../tools/passkeys/index.js';

export const USER_STATUSES = ['active', 'invited', 'removed'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** A key of a person's device or password manager (WebAuthn). */
export interface Passkey extends Key {
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  /** The time of the last challenge that it answered: neither that one nor an earlier one is answered again. */
  readonly challengedAt: number;
}

/** For both environments. Users with the same account are one person. A removed user stays as a row: the audit log refers to it. */
@Entity('users')
@NamesPerson(`id = ${PERSON}`, {
  ...{ name: `'${FORGOTTEN}'`, email: `'${FORGOTTEN}'`, email_key: `upper('${FORGOTTEN}')` },
  ...{ password_hash: 'NULL', totp_secret: 'NULL', totp_last_step: 'NULL', recovery_codes: "'{}'", passkeys: "'[]'" },
  last_sign_in_at: 'NULL',
  custom_fields: "'{}'",
})
@Index('users_email_unique', ['organizationId', 'emailKey'], { unique: true, where: "status <> 'removed'" })
@Index('users_of_account', ['accountId'], { where: "status <> 'removed'" })
@Index('users_by_email', ['emailKey'], { where: "status = 'active'" })
@Index('users_removed_by_email', ['organizationId', 'emailKey'], { where: "status = 'removed'" })
export class User {
  @IdColumn() id: string;
  @UuidColumn() organizationId: string;
  /** Also what the secret of the second factor is bound to. */
  @UuidColumn() accountId: string;
  /** As it was entered. */
  @TextColumn() email: string;
  /** The e-mail address in the form that is compared. */
  @TextColumn() emailKey: string;
  @TextColumn() name: string;
  @TextColumn() role: UserRole;
  @TextColumn() status: UserStatus;
  /** null: the user cannot sign in. */
  @NotExported() @TextColumn({ nullable: true }) passwordHash: string | null;
  /** Encrypted. null: the user has no second factor. */
  @BytesColumn({ nullable: true }) totpSecret: Buffer | null;
  /** The time step of the last code that was used, so that no code works twice. */
  @NotExported() @IntegerColumn({ nullable: true }) totpLastStep: number | null;
  /** Hashes of the codes that sign in once each without the authenticator app. */
  @NotExported() @TextListColumn({ default: '{}' }) recoveryCodes: string[];
  @NotExported() @JsonColumn({ default: '[]' }) passkeys: readonly Passkey[];
  @TimestampColumn() createdAt: string;
  @TimestampColumn() updatedAt: string;
  @TimestampColumn({ nullable: true }) lastSignInAt: string | null;
  /** What extensions add. */
  @JsonColumn({ type: 'jsonb', default: {} }) customFields: CustomValues;
}

export type Credentials = Pick<User, 'accountId' | 'passwordHash' | 'totpSecret' | 'totpLastStep' | 'recoveryCodes' | 'passkeys'>;

export const credentialsOf = ({ accountId, passwordHash, totpSecret, totpLastStep, recoveryCodes, passkeys }: Credentials): Credentials => {
  return { accountId, passwordHash, totpSecret, totpLastStep, recoveryCodes, passkeys };
};

export const NO_APP = { totpSecret: null, totpLastStep: null } satisfies Partial<Credentials>;
export const NO_SECOND_FACTOR = { ...NO_APP, recoveryCodes: [], passkeys: [] } satisfies Partial<Credentials>;

/** Nobody can sign in by them. */
export const noCredentials = (accountId: string): Credentials => ({ accountId, passwordHash: null, ...NO_SECOND_FACTOR });

/** The open invitation of a user. A newer one replaces it, and it is deleted when it is accepted. */
@Entity('user_invitations')
@NamesPerson(`user_id = ${PERSON}`)
@PartOf('users', 'user_id')
@Index('user_invitations_token_hash_unique', ['tokenHash'], { unique: true })
export class UserInvitation {
  @PrimaryColumn({ name: 'user_id', type: 'uuid' }) userId: string;
  @UuidColumn() organizationId: string;
  /** SHA-256. The token itself is not stored. */
  @BytesColumn() tokenHash: Buffer;
  @TimestampColumn() expiresAt: string;
  @TimestampColumn() createdAt: string;
}

/** Only people make owners. */
export const GIVEN_ROLES = ['member', 'admin'] as const satisfies readonly UserRole[];
export type GivenRole = (typeof GIVEN_ROLES)[number];

/** The OpenID Connect provider by which the people of an organization sign in, for both environments. */
@Entity('identity_providers')
@PersonStays(['admin_values', 'member_values'])
@Index('identity_providers_organization_unique', ['organizationId'], { unique: true })
export class IdentityProvider {
  @IdColumn() id: string;
  @IdColumn() organizationId: string;
  @TextColumn() issuer: string;
  @TextColumn() clientId: string;
  /** Encrypted. */
  @BytesColumn() clientSecret: Buffer;
  /** In lower case. Only e-mail addresses of these domains sign in. */
  @TextListColumn() emailDomains: string[];
  /** What new users are, and those of whom the role claim says nothing. */
  @TextColumn() defaultRole: GivenRole;
  /** The claim that says who is an admin and who a member; null: roles are given in the console. */
  @TextColumn({ nullable: true }) roleClaim: string | null;
  @TextListColumn() adminValues: string[];
  @TextListColumn() memberValues: string[];
  @FlagColumn() passwordsAllowed: boolean;
  @TimestampColumn() createdAt: string;
  @TimestampColumn() updatedAt: string;
}

/** Who a user is for the identity provider. Remembered at the first sign-in: an e-mail address may pass to somebody else. */
@Entity('user_identities')
@NamesPerson(`user_id = ${PERSON}`)
@Index('user_identities_subject_unique', ['organizationId', 'issuer', 'subject'], { unique: true })
@Index('user_identities_user_unique', ['organizationId', 'userId', 'issuer'], { unique: true })
export class UserIdentity {
  @IdColumn() id: string;
  @IdColumn() organizationId: string;
  @UuidColumn() userId: string;
  @TextColumn() issuer: string;
  @TextColumn() subject: string;
  @TimestampColumn() createdAt: string;
}
