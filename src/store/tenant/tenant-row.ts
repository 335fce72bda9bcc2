import type { Environment } from '../../kernel/context.js';
import { IdColumn, TextColumn, TimestampColumn } from '../database/columns.js';

/** What every row of a tenant's table has. */
export abstract class TenantRow {
  @IdColumn() id: string;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @TimestampColumn() createdAt: string;
  @TimestampColumn() updatedAt: string;
}
