import { FORGOTTEN } from '../../../kernel/audit-actions.js';
import { Entity, Index, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../../kernel/context.js';
import { BytesColumn, DateColumn, IdColumn, IntegerColumn, MoneyColumn, TenantRow } from '../../../store/database/columns.js';
import { CustomFieldsColumn, type CustomValues, TextColumn, UuidColumn } from '../../../store/database/columns.js';
import { Exported, lastChangedBy, NamesPerson, PartOf, PersonStays } from '../../../store/tenant/organization-tables.js';
import { LockedRows } from '../../../store/database/row-security.js';

export const RECEIPT_STATUSES = ['active', 'withdrawn'] as const;

/** A file at a line, a claim item or a project. At a line it belongs to the booking, as decisions do: new runs and statements have it. */
@Entity('receipts')
@PersonStays(['file_name', 'note', 'fingerprint', 'custom_fields'])
@NamesPerson(lastChangedBy('receipt'), { entered_by: `'${FORGOTTEN}'` })
@Index('receipts_newest', ['organizationId', 'environment', 'id'])
@Index('receipts_changed', ['organizationId', 'environment', 'updatedAt'])
@Index('receipts_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('receipts_by_project', ['organizationId', 'environment', 'projectId', 'id'])
@Index('receipts_by_item', ['organizationId', 'environment', 'claimItemId', 'id'])
@Index('receipts_by_line', ['organizationId', 'environment', 'fingerprint', 'occurrence', 'id'])
@Index('receipts_active', ['createdAt'], { where: "status = 'active'" })
export class Receipt extends TenantRow {
  /** That of its line or item when it was entered. */
  @UuidColumn({ nullable: true }) projectId: string | null;
  @UuidColumn({ nullable: true }) claimItemId: string | null;
  /** The line and its statement when it was entered: later runs have other lines for the booking. */
  @UuidColumn({ nullable: true }) claimLineId: string | null;
  @UuidColumn({ nullable: true }) statementId: string | null;
  @TextColumn({ nullable: true }) fingerprint: string | null;
  @IntegerColumn({ nullable: true }) occurrence: number | null;
  /** The day and the amount of the line: a booking never changes. */
  @DateColumn({ nullable: true }) bookedOn: string | null;
  @MoneyColumn({ nullable: true }) amount: string | null;
  @TextColumn() fileName: string;
  @TextColumn() mediaType: string;
  @IntegerColumn() sizeBytes: number;
  @TextColumn() sha256: string;
  @MoneyColumn({ nullable: true }) taxAmount: string | null;
  @TextColumn({ nullable: true }) note: string | null;
  @TextColumn() status: (typeof RECEIPT_STATUSES)[number];
  /** The name of whoever has changed it last. */
  @TextColumn() enteredBy: string;
  @CustomFieldsColumn() customFields?: CustomValues;
}

/** A part of the file of a receipt, encrypted. */
@LockedRows()
@Entity('receipt_files')
@PersonStays(['content'])
@PartOf('receipts', 'receipt_id')
export class ReceiptFile {
  @PrimaryColumn({ name: 'receipt_id', type: 'uuid' }) receiptId: string;
  @PrimaryColumn({ type: 'integer' }) part: number;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @Exported() @BytesColumn() content: Buffer;
}
