import { Entity, PrimaryColumn } from 'typeorm';
import { BytesColumn, IdColumn, TextColumn, TimestampColumn } from '../../../store/database/columns.js';
import { TableErasedBy, TableNotExported } from '../../../store/tenant/organization-tables.js';

/** The hashes of 256 neighbouring rows of a log, and the root over them. At the levels above, the root over 256 tiles of the one below. */
@Entity('audit_tiles')
@TableNotExported('It follows from the log.')
@TableErasedBy('erase_audit_tiles')
export class AuditTile {
  @IdColumn() organizationId: string;
  @PrimaryColumn({ type: 'smallint' }) level: number;
  @PrimaryColumn({ type: 'bigint' }) tile: number;
  @BytesColumn() root: Buffer;
  @BytesColumn({ nullable: true }) hashes: Buffer | null;
  /** Of its last row: where the next tile begins. */
  @TimestampColumn({ nullable: true }) lastCreatedAt: string | null;
  @TextColumn({ nullable: true }) lastId: string | null;
  @TimestampColumn() createdAt: string;
}

/** A signed statement of how long a log is, and of the root over it. */
@Entity('audit_checkpoints')
@TableNotExported('Its signature is of this installation, under whose keys alone it means something.')
@TableErasedBy('erase_audit_checkpoints')
export class AuditCheckpoint {
  @IdColumn() organizationId: string;
  @PrimaryColumn({ type: 'bigint' }) size: number;
  @TextColumn() note: string;
  @TimestampColumn() createdAt: string;
}

/** A key that checkpoints are signed with. It is of the installation; its public half is published for good. */
@Entity('audit_keys')
export class AuditKey {
  @IdColumn() id: string;
  @BytesColumn() publicKey: Buffer;
  /** The private key as PKCS #8, encrypted. */
  @BytesColumn() secret: Buffer;
  @TimestampColumn() createdAt: string;
}
