import { Entity, Index } from 'typeorm';
import { IdColumn, TextColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';

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
