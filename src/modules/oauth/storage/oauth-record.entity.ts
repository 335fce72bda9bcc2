import { Entity, Index, PrimaryColumn } from 'typeorm';
import { BytesColumn, JsonColumn, TextColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';

/**
 * What the authorization server keeps: codes, tokens, grants, sessions, interactions. Whoever knows an id may use what it is
 * the id of, so only hashes of ids stand here.
 */
@Entity('oauth_records')
@Index('oauth_records_of_grant', ['grantHash'])
@Index('oauth_records_by_uid', ['uidHash'])
@Index('oauth_records_expiring', ['expiresAt'])
export class OAuthRecord {
  @PrimaryColumn({ type: 'text' }) kind: string;
  @PrimaryColumn({ name: 'id_hash', type: 'bytea' }) idHash: Buffer;
  @BytesColumn({ nullable: true }) grantHash: Buffer | null;
  @BytesColumn({ nullable: true }) uidHash: Buffer | null;
  @TextColumn({ nullable: true }) clientId: string | null;
  @UuidColumn({ nullable: true }) userId: string | null;
  @JsonColumn() payload: object;
  @TimestampColumn({ nullable: true }) consumedAt: string | null;
  @TimestampColumn() expiresAt: string;
}
