import { Entity, PrimaryColumn } from 'typeorm';
import { BigIntegerColumn, IdColumn, TextColumn, TimestampColumn } from '../../../store/database/columns.js';
import { TableNotExported } from '../../../store/tenant/organization-tables.js';

/** Somebody else who signs checkpoints of a log: only one that continues what they have signed before. */
@Entity('audit_witnesses')
@TableNotExported('What they have signed is of this installation, and they have it themselves.')
export class AuditWitness {
  @IdColumn() organizationId: string;
  /** As signed-note writes it: `name+id+key`. */
  @PrimaryColumn({ name: 'verifier_key', type: 'text', collation: 'C' }) verifierKey: string;
  @TextColumn() url: string;
  /** Of the newest checkpoint that was cosigned; 0: none yet. */
  @BigIntegerColumn() size: number;
  @TextColumn({ nullable: true }) line: string | null;
  @TimestampColumn({ nullable: true }) cosignedAt: string | null;
  /** Why the last checkpoint that was shown to them was not cosigned; null if it was. */
  @TextColumn({ nullable: true }) failure: string | null;
  @TimestampColumn() createdAt: string;
}
