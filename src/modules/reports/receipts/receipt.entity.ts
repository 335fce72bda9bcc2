import { Entity, Index, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../../kernel/context.js';
import { RowOf } from '../../../api/validation/record-fields.js';
import { BytesColumn, DateColumn, IdColumn, IntegerColumn, MoneyColumn, TextColumn } from '../../../store/database/columns.js';
import { Exported, PartOf } from '../../../store/tenant/organization-tables.js';
import { ReceiptDto } from './receipts.dto.js';

/** A file at a line, a claim item or a project. At a line it belongs to the booking, as decisions do: new runs and statements have it. */
@Entity('receipts')
@Index('receipts_newest', ['organizationId', 'environment', 'id'])
@Index('receipts_changed', ['organizationId', 'environment', 'updatedAt'])
@Index('receipts_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('receipts_by_project', ['organizationId', 'environment', 'projectId', 'id'])
@Index('receipts_by_item', ['organizationId', 'environment', 'claimItemId', 'id'])
@Index('receipts_by_line', ['organizationId', 'environment', 'fingerprint', 'occurrence', 'id'])
@Index('receipts_active', ['createdAt'], { where: "status = 'active'" })
export class Receipt extends RowOf(ReceiptDto, { without: ['mediaType'] }) {
  @TextColumn() mediaType: string;
  @TextColumn({ nullable: true }) fingerprint: string | null;
  @IntegerColumn({ nullable: true }) occurrence: number | null;
  /** The day and the amount of the line: a booking never changes. */
  @DateColumn({ nullable: true }) bookedOn: string | null;
  @MoneyColumn({ nullable: true }) amount: string | null;
  /** The name of whoever has changed it last. */
  @TextColumn() enteredBy: string;
}

/** A part of the file of a receipt, encrypted. */
@Entity('receipt_files')
@PartOf('receipts', 'receipt_id')
export class ReceiptFile {
  @PrimaryColumn({ name: 'receipt_id', type: 'uuid' }) receiptId: string;
  @PrimaryColumn({ type: 'integer' }) part: number;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @Exported() @BytesColumn() content: Buffer;
}
