import { Entity, Index } from 'typeorm';
import {
  BytesColumn,
  FlagColumn,
  IntegerColumn,
  JsonColumn,
  TenantRow,
  TextColumn,
  TextListColumn,
  TimestampColumn,
} from '../../../store/database/columns.js';
import type { RulesByRisk } from '../../../kernel/confirmation-rules.js';
import type { PublicKeys } from './public-keys.js';
import { PersonStays, TableNotReset } from '../../../store/tenant/organization-tables.js';

export const APPLICATION_STATUSES = ['pending', 'approved', 'suspended'] as const;
export type ApplicationStatus = (typeof APPLICATION_STATUSES)[number];
export const GRANT_TYPES = ['authorization_code', 'client_credentials', 'device_code'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];
/** The whole FAPI 2.0 Security Profile, which includes the others; or one of them alone, by its name in RFC 9126 and RFC 9449. */
export const SECURITY_RULES = ['fapi2', 'require_pushed_authorization_requests', 'dpop_bound_access_tokens'] as const;
export type SecurityRule = (typeof SECURITY_RULES)[number];
export const GRANT_NAMES: Record<GrantType, string> = {
  authorization_code: 'authorization_code',
  client_credentials: 'client_credentials',
  device_code: 'urn:ietf:params:oauth:grant-type:device_code',
};

/**
 * A partner's application. It belongs to one organization and one environment. With a `sharedClientId` it is the connection of this
 * organization to an application that serves many: tokens belong to the connection, but nobody signs in with its own client id.
 */
@Entity('oauth_applications')
@TableNotReset('Applications and connections stay.')
@PersonStays(['name'])
@Index('oauth_applications_by_client_id', ['clientId'], { unique: true })
@Index('oauth_applications_of_organization', ['organizationId', 'id'])
@Index('oauth_applications_connections', ['organizationId', 'environment', 'sharedClientId'], {
  unique: true,
  where: 'shared_client_id IS NOT NULL',
})
export class Application extends TenantRow {
  @TextColumn() name: string;
  @TextColumn() clientId: string;
  /** It cannot keep a secret, such as an app on a phone or a page in a browser. */
  @FlagColumn() isPublic: boolean;
  @BytesColumn({ nullable: true }) secretHash: Buffer | null;
  @TextColumn({ nullable: true }) secretHint: string | null;
  /** The secret before the last rotation. It stays valid until the overlap ends. */
  @BytesColumn({ nullable: true }) previousSecretHash: Buffer | null;
  @TimestampColumn({ nullable: true }) previousSecretExpiresAt: string | null;
  /** With public keys, it authenticates by assertions that it signs (RFC 7523), and has no secret. */
  @JsonColumn({ nullable: true }) publicKeys: PublicKeys | null;
  /** Where it publishes its public keys itself (RFC 7517), in place of `publicKeys`. */
  @TextColumn({ nullable: true }) jwksUri: string | null;
  @TextListColumn({ default: '{}' }) securityRules: SecurityRule[];
  @TextListColumn() grants: GrantType[];
  @TextListColumn() redirectUris: string[];
  /** The approved scopes. Its tokens never allow more. */
  @TextListColumn() scopes: string[];
  @IntegerColumn({ nullable: true }) rateShare: number | null;
  @IntegerColumn({ nullable: true }) dailyCalls: number | null;
  @IntegerColumn({ nullable: true }) dailyWrites: number | null;
  @IntegerColumn({ nullable: true }) dailyTokens: number | null;
  /** The only claim projects that it reaches, for itself and for users; null: all. */
  @TextListColumn({ nullable: true }) projectIds: string[] | null;
  /** Who agrees to changes by its tools, where that is another rule than that of the organization. */
  @JsonColumn({ type: 'jsonb', nullable: true }) confirmations: RulesByRisk | null;
  @TextColumn() status: ApplicationStatus;
  /** The operator has suspended it or left it pending: the organization cannot approve it. */
  @FlagColumn({ default: false }) heldByOperator: boolean;
  @TextColumn({ nullable: true }) sharedClientId: string | null;
}

export const isBoundBy = ({ securityRules }: Pick<Application, 'securityRules'>, rule: SecurityRule): boolean =>
  securityRules.includes('fapi2') || securityRules.includes(rule);

export const NO_SECRET = { secretHash: null, secretHint: null, previousSecretHash: null, previousSecretExpiresAt: null };
