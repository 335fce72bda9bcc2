import { Entity, Index } from 'typeorm';
import {
  BytesColumn,
  IntegerColumn,
  TenantRow,
  TextColumn,
  TextListColumn,
  TimestampColumn,
  UuidColumn,
} from '../../store/database/columns.js';
import { NamesPerson, PERSON, PersonStays, TableNotReset } from '../../store/tenant/organization-tables.js';

@Entity('api_keys')
@TableNotReset('Keys stay.')
@PersonStays(['name', 'ip_allowlist'])
@NamesPerson(`created_by = ${PERSON}`, { last_used_from: 'NULL' })
@Index('api_keys_key_hash_unique', ['keyHash'], { unique: true })
@Index('api_keys_by_organization', ['organizationId', 'id'])
@Index('api_keys_expiring', ['expiresAt'], { where: 'revoked_at IS NULL AND expires_at IS NOT NULL' })
export class ApiKey extends TenantRow {
  @TextColumn() name: string;
  @BytesColumn() keyHash: Buffer;
  @TextColumn() last4: string;
  @TextListColumn() scopes: string[];
  @TextListColumn() ipAllowlist: string[];
  @IntegerColumn({ nullable: true }) rateShare: number | null;
  @IntegerColumn({ nullable: true }) dailyCalls: number | null;
  @IntegerColumn({ nullable: true }) dailyWrites: number | null;
  @IntegerColumn({ nullable: true }) dailyTokens: number | null;
  /** The only claim projects whose records it reaches; null: all. */
  @TextListColumn({ nullable: true }) projectIds: string[] | null;
  @TimestampColumn({ nullable: true }) expiresAt: string | null;
  @TimestampColumn({ nullable: true }) revokedAt: string | null;
  @TimestampColumn({ nullable: true }) lastUsedAt: string | null;
  @TextColumn({ nullable: true }) lastUsedFrom: string | null;
  /** The user who made it in the console; null for one of the operator, or of an earlier release. */
  @UuidColumn({ nullable: true }) createdBy: string | null;
  /** The last time that the owners were told, or knew, when it expires. */
  @TimestampColumn({ nullable: true }) expiryNoticedAt: string | null;
}
