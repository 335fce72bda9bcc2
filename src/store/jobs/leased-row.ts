import { IntegerColumn, TimestampColumn, UuidColumn } from '../database/columns.js';
import { TenantRow } from '../tenant/tenant-row.js';

/** A record that a worker has something to do with: what every such table has for it. */
export abstract class WorkRow extends TenantRow {
  /** Of the worker that has it: what another one says of it does not count. */
  @UuidColumn({ nullable: true, select: false }) lease?: string | null;
  /** Until then it is believed to live. */
  @TimestampColumn({ nullable: true, select: false }) leasedUntil?: string | null;
  /** When a worker last took it: whose turn it is depends on that. */
  @TimestampColumn({ nullable: true, select: false }) takenAt?: string | null;
  /** How many have taken it and were not heard of again. */
  @IntegerColumn({ select: false }) lostWorkers?: number;
}
