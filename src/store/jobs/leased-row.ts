import { IntegerColumn, TimestampColumn, UuidColumn } from '../database/columns.js';
import { NotExported } from '../tenant/organization-tables.js';
import { TenantRow } from '../tenant/tenant-row.js';

/** A record that workers lease: the columns that every table with a `LeaseQueue` has. */
export abstract class LeasedRow extends TenantRow {
  /** Changes with every worker that takes the row. An outcome counts only while this is the worker's own. */
  @NotExported() @UuidColumn({ nullable: true, select: false }) lease?: string | null;
  /** When another worker may take the row, unless the lease is renewed. */
  @TimestampColumn({ nullable: true, select: false }) leasedUntil?: string | null;
  /** When a worker last took the row. Decides whose turn it is. */
  @TimestampColumn({ nullable: true, select: false }) takenAt?: string | null;
  /** How many workers took the row and were lost. */
  @IntegerColumn({ select: false }) lostWorkers?: number;
}
