import { Entity, Index } from 'typeorm';
import type { Environment } from '../../kernel/context.js';
import { IdColumn, IntegerColumn, TextColumn, TimestampColumn } from '../../store/database/columns.js';
import { NamesPerson, PERSON, PersonStays, TableNotReset } from '../../store/tenant/organization-tables.js';

/** A call of the API that was answered, without its body. The table is partitioned by the time in the id. */
@Entity('api_requests')
@TableNotReset('What was called was called.')
@PersonStays(['credential_name', 'path'])
@NamesPerson(`credential_id IN (SELECT id::text FROM api_keys WHERE organization_id = :organizationId AND created_by = ${PERSON})`, {
  ip_address: "''",
})
@Index('api_requests_newest', ['organizationId', 'environment', 'id'])
@Index('api_requests_failed', ['organizationId', 'environment', 'id'], { where: 'status >= 400' })
@Index('api_requests_by_request', ['organizationId', 'environment', 'requestId'])
export class ApiRequest {
  @IdColumn() id: string;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @TimestampColumn() answeredAt: string;
  @TextColumn() operation: string;
  @TextColumn() method: string;
  /** Without its query, which may hold what somebody searched for. */
  @TextColumn() path: string;
  @IntegerColumn() status: number;
  /** The code of the problem; null of a success. */
  @TextColumn({ nullable: true }) problem: string | null;
  @IntegerColumn() durationMs: number;
  @TextColumn() requestId: string;
  @TextColumn() credentialId: string;
  @TextColumn() credentialName: string;
  /** What the client of a tool calls itself, which proves nothing; null of other calls. */
  @TextColumn({ nullable: true }) client: string | null;
  @TextColumn() ipAddress: string;
}

/** Of one organization and environment each process keeps so many calls of a second that succeeded, and as many that failed. */
export const KEPT_PER_SECOND = 25;
/** With REQUEST_HISTORY=sampled, one in so many of the calls that succeeded is kept. */
export const SAMPLED_OF = 100;
/** Calls that wait to be written. Beyond that the oldest are dropped: they are a history, and nothing is billed by them. */
export const WAITING_MAX = 10_000;
/** A filter looks at so many of the newest calls. */
export const SEARCHED_MAX = 100_000;
