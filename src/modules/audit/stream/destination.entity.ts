import { Entity } from 'typeorm';
import { BigIntegerColumn, BytesColumn, IdColumn, TextColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
import { TableNotExported } from '../../../store/tenant/organization-tables.js';

export const DESTINATION_KINDS = ['https', 's3'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/** Where an organization has its audit log sent to, and how far that has come. */
@Entity('audit_destinations')
@TableNotExported('This installation sends its own log there, with a secret.')
export class AuditDestination {
  @IdColumn() organizationId: string;
  @IdColumn() id: string;
  @TextColumn() kind: DestinationKind;
  @TextColumn() url: string;
  /** Of the header that has the token; of S3 the id of the access key. */
  @TextColumn() name: string;
  @TextColumn({ nullable: true }) region: string | null;
  /** Encrypted. No list has it. */
  @BytesColumn({ select: false }) secret?: Buffer;
  /** Of the last event that was taken, 0 before the first, and the position of that event in the log. */
  @BigIntegerColumn() sequence: number;
  @TimestampColumn({ nullable: true }) lastCreatedAt: string | null;
  @UuidColumn({ nullable: true }) lastId: string | null;
  /** The last event of a batch that was begun, so that a batch that is sent again has the same events. */
  @BigIntegerColumn({ nullable: true }) batchEnd: number | null;
  @TimestampColumn({ nullable: true }) sentAt: string | null;
  /** Why the last batch was not taken; null if it was. */
  @TextColumn({ nullable: true }) failure: string | null;
  @TimestampColumn({ nullable: true }) failingSince: string | null;
  @TimestampColumn() dueAt: string;
  /** One worker sends at a time. What a worker writes after this counts only if no other has begun. */
  @TimestampColumn({ nullable: true }) leasedUntil: string | null;
  @TimestampColumn() createdAt: string;
}
