import { Entity } from 'typeorm';
import { BigIntegerColumn, IdColumn, TextColumn, TimestampColumn } from '../../store/database/columns.js';
import { TableNotErased, TableNotExported } from '../../store/tenant/organization-tables.js';

/** An organization that is being erased; and later the proof that it existed and was erased. It has no personal data. */
@Entity('organization_erasures')
@TableNotErased('It is the proof of the erasure.')
@TableNotExported('An organization that is being erased is not exported.')
export class OrganizationErasure {
  @IdColumn() organizationId: string;
  /** Who erased it, as an audit log would name them. */
  @TextColumn() actorName: string;
  @TimestampColumn() begunAt: string;
  /** The head of its audit log when the log was erased: how many events it had, and the hash of the last one. */
  @BigIntegerColumn({ nullable: true }) auditSequence: number | null;
  @TextColumn({ nullable: true }) auditHash: string | null;
  @TimestampColumn({ nullable: true }) finishedAt: string | null;
  /** When it was looked for what calls have written that were on their way when the erasure began. */
  @TimestampColumn({ nullable: true }) sweptAt: string | null;
}
