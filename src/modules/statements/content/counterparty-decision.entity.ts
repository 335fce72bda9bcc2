import { Entity, Index } from 'typeorm';
import { IdColumn, TextColumn, TimestampColumn } from '../../../store/database/columns.js';
import type { Environment } from '../../../kernel/context.js';
import type { Verdict } from '../redaction/names/counterparties.js';

/** What an organization says that a counterparty is. Its name is not stored, only the token that it has as a person. */
@Entity('counterparty_decisions')
@Index('counterparty_decisions_unique', ['organizationId', 'environment', 'digest'], { unique: true })
export class CounterpartyDecision {
  @IdColumn() id: string;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @TextColumn() digest: string;
  @TextColumn() decidedAs: Verdict;
  @TimestampColumn() decidedAt: string;
}
