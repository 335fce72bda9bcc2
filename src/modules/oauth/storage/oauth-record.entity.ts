import { Entity, Index, PrimaryColumn } from 'typeorm';
import { BytesColumn, JsonColumn, TextColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
import { NamesPerson, PartOf, PERSON, TableNotExported } from '../../../store/tenant/organization-tables.js';

/** A code, token, grant, session or interaction. Its id is a credential, so only the hash of the id is stored. */
@Entity('oauth_records')
@NamesPerson(`user_id = ${PERSON}`)
@PartOf('oauth_applications', 'client_id', 'client_id')
@PartOf('users', 'user_id')
@TableNotExported('Codes, tokens and sessions: credentials that end by themselves.')
@Index('oauth_records_of_grant', ['grantHash'])
@Index('oauth_records_by_uid', ['uidHash'])
@Index('oauth_records_expiring', ['expiresAt'])
@Index('oauth_records_waiting', ['kind', 'clientId', 'expiresAt'], {
  where: "kind IN ('Interaction', 'PushedAuthorizationRequest', 'DeviceCode')",
})
@Index('oauth_records_grants_of_user', ['userId'], { where: "kind = 'Grant'" })
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
