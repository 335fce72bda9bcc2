import { Entity, Index } from 'typeorm';
import type { SignInWay } from '../../../api/console/page-context.js';
import { BytesColumn, IdColumn, TextColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
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
  @TextColumn() ipAddress: string;
  @TextColumn() userAgent: string;
  /** A session that was begun by password is not valid while the organization has passwords switched off. */
  @TextColumn({ default: 'password' }) signedInBy: SignInWay;
  @TimestampColumn() createdAt: string;
  @TimestampColumn() lastSeenAt: string;
  /** The end of the session, however much it is used. */
  @TimestampColumn() expiresAt: string;
}
