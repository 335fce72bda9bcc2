import { Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
import { PartOf, TableNotExported } from '../../../store/tenant/organization-tables.js';

/** A link that signs somebody in once. Only the hash of its token is stored. */
@Entity('sign_in_links')
@PartOf('users', 'user_id')
@TableNotExported('Links that sign in: credentials that end by themselves.')
@Index('sign_in_links_of_user', ['userId'])
export class SignInLink {
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' }) tokenHash: Buffer;
  @UuidColumn() userId: string;
  @TimestampColumn() expiresAt: string;
}
