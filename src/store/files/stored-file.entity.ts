import { Entity, Index } from 'typeorm';
import type { Environment } from '../../kernel/context.js';
import { BigIntegerColumn, BytesColumn, IdColumn, IntegerColumn, TextColumn, TimestampColumn, UuidColumn } from '../database/columns.js';
import { TableNotErased, TableNotExported, TableNotReset } from '../tenant/organization-tables.js';

/** `coming` until the transaction that refers to the file has claimed it; `going` until the store has removed it. */
export type FileStatus = 'coming' | 'kept' | 'going';

/** A file in the store of an extension. Files that Postgres keeps are in tables of their own. */
@Entity('stored_files')
@TableNotReset('A row goes when the store has removed its file.')
@Index('stored_files_kept', ['organizationId', 'environment', 'kind', 'ownerId', 'name'], { unique: true, where: "status = 'kept'" })
@Index('stored_files_due', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
@TableNotExported('The files are exported as rows of the tables that would have them in Postgres.')
@TableNotErased('A row goes when the store has removed its file.')
export class StoredFile {
  @IdColumn() organizationId: string;
  @IdColumn() id: string;
  @TextColumn() environment: Environment;
  /** What it is: the table that has such files in Postgres. */
  @TextColumn() kind: string;
  /** The record that it belongs to. */
  @UuidColumn() ownerId: string;
  /** Which of the files of its owner; empty if there is only one. */
  @TextColumn() name: string;
  @TextColumn() status: FileStatus;
  /** The key of this file alone, encrypted. A new encryption key changes it, and not the file. */
  @BytesColumn() dataKey: Buffer;
  @BigIntegerColumn() bytes: number;
  /** To remove it. */
  @IntegerColumn() attempts: number;
  @TimestampColumn() createdAt: string;
  /** When it is removed. null for a file that is kept. */
  @TimestampColumn({ nullable: true }) nextAttemptAt: string | null;
}
