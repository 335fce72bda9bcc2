import { Entity, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../kernel/context.js';
import { IntegerColumn } from '../../store/database/columns.js';
import { TableNotReset } from '../../store/tenant/organization-tables.js';

@Entity('usage_days')
@TableNotReset('What was called was called.')
export class UsageDay {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid' }) organizationId: string;
  @PrimaryColumn({ type: 'text' }) environment: Environment;
  @PrimaryColumn({ type: 'date' }) day: string;
  @PrimaryColumn({ type: 'text' }) capability: string;
  @IntegerColumn() reads: number;
  @IntegerColumn() writes: number;
  @IntegerColumn() failed: number;
}

/** Of all capabilities. */
export interface DayOfUsage {
  readonly day: string;
  readonly succeeded: number;
  readonly failed: number;
}
