import { Entity, Index } from 'typeorm';
import { CustomFieldsColumn, type CustomValues, DateColumn, IntegerColumn, JsonColumn } from '../../store/database/columns.js';
import { TextColumn, TimestampColumn, UuidColumn } from '../../store/database/columns.js';
import type { Failure } from '../../kernel/failure.js';
import { LeasedRow } from '../../store/jobs/lease-queue.js';
import type { OwnAccount } from '../../../tools/personal-data/index.js';
import type { ImportOptions } from './formats/statement-reader.js';
import type { Certainty } from './formats/certainty.js';
import type { ReadingWarning, StatementBalance } from '../../../tools/bank-files/index.js';
import type { StatementFormat } from './formats/statement-reading.js';
import { PersonStays } from '../../store/tenant/organization-tables.js';

export const REDACTION_STATUSES = ['pending', 'queued', 'running', 'succeeded', 'failed', 'skipped'] as const;
export type RedactionStatus = (typeof REDACTION_STATUSES)[number];

export interface Redaction {
  readonly engineVersion: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** How many occurrences of each kind were masked. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface StoredReadingOptions extends ImportOptions {
  readonly account?: OwnAccount;
}

/** An own account of a statement, as token, with its balances, which are null if the file does not state them. */
export interface AccountBalance extends StatementBalance {
  /** Equal however a file writes the account; null if it does not write all of the number. Earlier releases stored none. */
  readonly key?: string | null;
}

/** The record of a bank statement. Of its content it only has counts, balances and dates. */
@Entity('bank_statements')
@PersonStays(['file_name', 'account_label', 'custom_fields', 'search_key', 'failure'])
@Index('bank_statements_newest', ['organizationId', 'environment', 'id'])
@Index('bank_statements_changed', ['organizationId', 'environment', 'updatedAt'])
@Index('bank_statements_by_status', ['organizationId', 'environment', 'redactionStatus', 'id'])
@Index('bank_statements_by_certainty', ['organizationId', 'environment', 'certainty', 'id'])
@Index('bank_statements_by_project', ['organizationId', 'environment', 'projectId', 'id'])
@Index('bank_statements_search', { synchronize: false })
@Index('bank_statements_pending', ['id'], { where: "redaction_status = 'pending'" })
@Index('bank_statements_queued', ['organizationId', 'id'], { where: "redaction_status = 'queued'" })
@Index('bank_statements_running', ['organizationId'], { where: "redaction_status = 'running'" })
@Index('bank_statements_taken', ['organizationId', 'takenAt'])
@Index('bank_statements_with_content', ['createdAt'], { where: 'content_removed_at IS NULL' })
export class BankStatement extends LeasedRow {
  @UuidColumn({ nullable: true }) projectId: string | null;
  @TextColumn() fileName: string;
  /** null until the file was read. */
  @TextColumn({ nullable: true }) format: StatementFormat | null;
  @IntegerColumn() sizeBytes: number;
  @TextColumn() sha256: string;
  @TextColumn({ nullable: true }) accountLabel: string | null;
  @TextColumn({ nullable: true }) currency: string | null;
  @DateColumn({ nullable: true }) periodStart: string | null;
  @DateColumn({ nullable: true }) periodEnd: string | null;
  @IntegerColumn({ nullable: true }) lineCount: number | null;
  @TextColumn() redactionStatus: RedactionStatus;
  @JsonColumn({ nullable: true }) redaction: Redaction | null;
  @JsonColumn({ nullable: true }) failure: Failure | null;
  /** What people should look at. Reports that use the statement repeat it. */
  @JsonColumn({ default: [] }) warnings: readonly ReadingWarning[];
  /** null until the file was read, and if an earlier release has read it. */
  @TextColumn({ nullable: true }) certainty: Certainty | null;
  /** What the importer said of the file: with a layout, too large to be in every list. */
  @JsonColumn({ default: {}, select: false }) readingOptions?: StoredReadingOptions;
  /** When the retention of its lines ended. From then on no run uses them; they are removed a few at a time. */
  @TimestampColumn({ nullable: true, select: false }) contentExpiredAt?: string | null;
  /** When the last of its content was removed. */
  @TimestampColumn({ nullable: true }) contentRemovedAt: string | null;
  /** Its accounts, which are tokens, with their balances. Report runs use them for controls. */
  @JsonColumn({ select: false }) balances?: readonly AccountBalance[];
  /** File name and account, folded, for searches. */
  @TextColumn({ select: false }) searchKey?: string;
  @CustomFieldsColumn() customFields?: CustomValues;
}
