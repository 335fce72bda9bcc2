import { Entity, Index } from 'typeorm';
import { BytesColumn, IdColumn, TextColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
import type { SignedInBy } from '../../../api/console/page-context.js';
import { PartOf, TableNotExported } from '../../../store/tenant/organization-tables.js';

/** A browser that somebody is signed in with. Its cookie is a credential, so only the hash of it is stored. */
@Entity('console_sessions')
@PartOf('users', 'user_id')
@TableNotExported('Sessions: credentials that end by themselves.')
@Index('console_sessions_token_hash_unique', ['tokenHash'], { unique: true })
@Index('console_sessions_of_user', ['userId'])
@Index('console_sessions_expiring', ['expiresAt'])
export class ConsoleSession {
  @IdColumn() id: string;
  @UuidColumn() userId: string;
  @BytesColumn() tokenHash: Buffer;
  /** What the session was begun with. */
  @TextColumn({ default: 'password' }) signedInBy: SignedInBy;
  @TextColumn() ipAddress: string;
  @TextColumn() userAgent: string;
  @TimestampColumn() createdAt: string;
  @TimestampColumn() lastSeenAt: string;
  /** The end of the session, however much it is used. */
  @TimestampColumn() expiresAt: string;
}
