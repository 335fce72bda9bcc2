import { Entity, Index } from 'typeorm';
import type { UserRole } from '../../../kernel/roles.js';
import { BytesColumn, FlagColumn, IdColumn, TextColumn, TextListColumn, TimestampColumn } from '../../../store/database/columns.js';

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
