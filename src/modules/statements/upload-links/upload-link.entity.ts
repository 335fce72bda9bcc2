import { FORGOTTEN } from '../../../kernel/audit-actions.js';
import { Entity, Index } from 'typeorm';
import { BytesColumn, CustomFieldsColumn, type CustomValues, IntegerColumn, TenantRow } from '../../../store/database/columns.js';
import { TextColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
import { NamesPerson, PERSON, PersonStays } from '../../../store/tenant/organization-tables.js';

/** By which somebody without an account uploads statements to one project. Only the hash of its secret is stored. */
@Entity('upload_links')
@PersonStays(['note', 'custom_fields'])
@NamesPerson(`created_by = ${PERSON}`, { creator_name: `'${FORGOTTEN}'` })
@Index('upload_links_newest', ['organizationId', 'environment', 'id'])
@Index('upload_links_changed', ['organizationId', 'environment', 'updatedAt'])
@Index('upload_links_token_hash_unique', ['organizationId', 'environment', 'tokenHash'], { unique: true })
@Index('upload_links_open', ['organizationId', 'environment', 'expiresAt'], { where: 'used_at IS NULL AND withdrawn_at IS NULL' })
export class UploadLink extends TenantRow {
  @UuidColumn() projectId: string;
  /** SHA-256. */
  @BytesColumn() tokenHash: Buffer;
  /** What is asked for, in the words of who made the link. Its client reads it. */
  @TextColumn() note: string;
  @IntegerColumn() maxFiles: number;
  @IntegerColumn() filesTaken: number;
  /** The user or credential that made it; the organization if that was the service itself. The name is kept: the link may outlive both. */
  @UuidColumn() createdBy: string;
  @TextColumn() creatorName: string;
  @TimestampColumn() expiresAt: string;
  /** When its client had finished, or had sent the last file. */
  @TimestampColumn({ nullable: true }) usedAt: string | null;
  @TimestampColumn({ nullable: true }) withdrawnAt: string | null;
  @CustomFieldsColumn() customFields?: CustomValues;
}

export const LINK_STATES = ['open', 'used', 'expired', 'withdrawn'] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** What became of a link comes before its expiry. */
export function stateOf({ usedAt, withdrawnAt, expiresAt }: UploadLink, now: Date): LinkState {
  if (withdrawnAt !== null) return 'withdrawn';
  if (usedAt !== null) return 'used';
  return Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'open';
}
