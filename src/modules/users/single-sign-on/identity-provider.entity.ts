import { Entity, Index } from 'typeorm';
import type { UserRole } from '../../../kernel/roles.js';
import {
  BytesColumn,
  FlagColumn,
  IdColumn,
  TextColumn,
  TextListColumn,
  TimestampColumn,
  UuidColumn,
} from '../../../store/database/columns.js';

/** Only people make owners. */
export const GIVEN_ROLES = ['member', 'admin'] as const satisfies readonly UserRole[];
export type GivenRole = (typeof GIVEN_ROLES)[number];

/** The OpenID Connect provider by which the people of an organization sign in, for both environments. */
@Entity('identity_providers')
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
