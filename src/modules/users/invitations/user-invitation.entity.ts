import { Entity, Index, PrimaryColumn } from 'typeorm';
import { BytesColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
import { PartOf } from '../../../store/tenant/organization-tables.js';

/** The open invitation of a user. A newer one replaces it, and it is deleted when it is accepted. */
@Entity('user_invitations')
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
