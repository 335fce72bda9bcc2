import { Entity, Index, PrimaryColumn } from 'typeorm';
import type { SignInWay } from '../../../api/console/page.js';
import { BytesColumn, IdColumn, TextColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
import { NamesPerson, PartOf, PERSON, TableNotExported } from '../../../store/tenant/organization-tables.js';

/** A browser that somebody is signed in with. Its cookie is a credential, so only the hash of it is stored. */
@Entity('console_sessions')
@NamesPerson(`user_id = ${PERSON}`)
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

export type LinkPurpose = 'sign_in' | 'new_password';

/** A link that signs somebody in once, or lets them choose a new password. Only the hash of its token is stored. */
@Entity('sign_in_links')
@NamesPerson(`user_id = ${PERSON}`)
@PartOf('users', 'user_id')
@TableNotExported('Links that sign in: credentials that end by themselves.')
@Index('sign_in_links_of_user', ['userId'])
export class SignInLink {
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' }) tokenHash: Buffer;
  @UuidColumn() userId: string;
  @TextColumn({ default: 'sign_in' }) purpose: LinkPurpose;
  @TimestampColumn() expiresAt: string;
}
