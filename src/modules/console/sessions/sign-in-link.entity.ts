import { Entity, Index, PrimaryColumn } from 'typeorm';
import { TextColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
import { PartOf, TableNotExported } from '../../../store/tenant/organization-tables.js';

export type LinkPurpose = 'sign_in' | 'new_password';

/** A link that signs somebody in once, or lets them choose a new password. Only the hash of its token is stored. */
@Entity('sign_in_links')
@PartOf('users', 'user_id')
@TableNotExported('Links that sign in: credentials that end by themselves.')
@Index('sign_in_links_of_user', ['userId'])
export class SignInLink {
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' }) tokenHash: Buffer;
  @UuidColumn() userId: string;
  @TextColumn({ default: 'sign_in' }) purpose: LinkPurpose;
  @TimestampColumn() expiresAt: string;
}
