import { Entity, Index, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../kernel/context.js';
import { IntegerColumn, TextColumn, TimestampColumn } from '../database/columns.js';
import { TableNotReset } from '../tenant/organization-tables.js';

/** A job with a time of day, on one day: of an organization, or of none (`OF_NONE`). */
@Entity('job_turns')
@TableNotReset('What has run is not run again.')
@Index('job_turns_by_day', ['day'])
export class JobTurn {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid' }) organizationId: string;
  @PrimaryColumn({ type: 'text' }) environment: Environment;
  @PrimaryColumn({ name: 'job_id', type: 'text' }) jobId: string;
  @PrimaryColumn({ type: 'date' }) day: string;
  @IntegerColumn() attempts: number;
  /** The first attempt. */
  @TimestampColumn() startedAt: string;
  /** Until it has finished: from when on a worker tries again, because the last attempt has failed or its worker was lost. */
  @TimestampColumn() dueAt: string;
  @TimestampColumn({ nullable: true }) finishedAt: string | null;
  /** Of the last attempt that has failed. */
  @TextColumn({ nullable: true }) errorCode: string | null;
}
