import { Entity, Index, PrimaryColumn } from 'typeorm';
import { BytesColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';

/** The invitation that is open for a user: a newer one takes its place, and it goes when it is accepted. */
@Entity('user_invitations')
@Index('user_invitations_token_hash_unique', ['tokenHash'], { unique: true })
export class UserInvitation {
  @PrimaryColumn({ name: 'user_id', type: 'uuid' }) userId: string;
  @UuidColumn() organizationId: string;
  /** SHA-256: the token itself is known only to whom it was sent. */
  @BytesColumn() tokenHash: Buffer;
  @TimestampColumn() expiresAt: string;
  @TimestampColumn() createdAt: string;
}
