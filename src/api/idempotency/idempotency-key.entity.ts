import { Entity, Index, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../kernel/context.js';
import { BytesColumn, IntegerColumn, TextColumn, TimestampColumn } from '../../store/database/columns.js';
import { NamesPerson, PERSON, ResetWhere } from '../../store/tenant/organization-tables.js';

/** A used key and the answer that it returns again. Written in the transaction of the change. */
@Entity('idempotency_keys')
/** Those of resets stay, of which one runs and has no answer yet: none is done again because its answer was lost. */
@ResetWhere(`status IS NOT NULL AND coalesce(answer, '') NOT LIKE '{"deleted":%'`)
/** A remembered answer may say who was invited: it is encrypted, so all of pages go. */
@NamesPerson(
  `answer LIKE '%' || (${PERSON})::text || '%'
    OR (key LIKE 'console %' AND (sealed_answer IS NOT NULL OR key LIKE 'console ' || (${PERSON})::text || ' %'))`,
)
@Index('idempotency_keys_by_age', ['createdAt'])
export class IdempotencyKey {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid' }) organizationId: string;
  @PrimaryColumn({ type: 'text' }) environment: Environment;
  @PrimaryColumn({ type: 'text' }) key: string;
  /** SHA-256 of operation, ids in the path, and body. It must be equal for the answer to be returned again. */
  @BytesColumn() fingerprint: Buffer;
  @TimestampColumn() createdAt: string;
  /** null only inside the transaction that has claimed the key. */
  @IntegerColumn({ nullable: true }) status: number | null;
  @TextColumn({ nullable: true }) answer: string | null;
  /** The answer if it holds a secret: encrypted. */
  @BytesColumn({ nullable: true }) sealedAnswer: Buffer | null;
}
