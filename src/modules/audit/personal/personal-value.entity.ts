import { Entity, Index } from 'typeorm';
import { BytesColumn, IdColumn, TimestampColumn } from '../../../store/database/columns.js';
import { NamesPerson, PERSON } from '../../../store/tenant/organization-tables.js';
import { LockedRows } from '../../../store/database/row-security.js';

/** What an event of the log says of who a person is, with the salts of its commitments: encrypted under the key of the person. */
@LockedRows()
@Entity('audit_personal_values')
@NamesPerson(`person_id = ${PERSON}`)
@Index('audit_personal_values_by_person', ['organizationId', 'personId'])
export class AuditPersonalValue {
  @IdColumn() organizationId: string;
  @IdColumn() eventId: string;
  @IdColumn() personId: string;
  @BytesColumn() sealed: Buffer;
}

/** The key of a user. Without it nobody reads what the log says of them, and the row stays: it says who was forgotten. */
@LockedRows()
@Entity('audit_person_keys')
@Index('audit_person_keys_forgotten', ['forgottenAt'], { where: 'forgotten_at IS NOT NULL' })
export class AuditPersonKey {
  @IdColumn() organizationId: string;
  @IdColumn() personId: string;
  /** Encrypted. null: the person was forgotten. */
  @BytesColumn({ nullable: true }) secret: Buffer | null;
  @TimestampColumn({ nullable: true }) forgottenAt: string | null;
  /** When nothing else was left of the person. Until then a worker goes on. */
  @TimestampColumn({ nullable: true }) erasedAt: string | null;
}
