import { FORGOTTEN } from '../../../kernel/audit-actions.js';
import { Entity, Index } from 'typeorm';
import type { ActorType, Environment } from '../../../kernel/context.js';
import { DateColumn, IdColumn, IntegerColumn, JsonColumn, MoneyColumn } from '../../../store/database/columns.js';
import { TextColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
import { NamesPerson, PartOf, PERSON, PersonStays } from '../../../store/tenant/organization-tables.js';
import type { DecidedPart } from '../engine/inputs.js';
import type { DecidableLine } from '../engine/line-accumulator.js';
import { LockedRows } from '../../../store/database/row-security.js';

/** What a run made of a line. The lines of the newest run of a project and configuration are kept, without their texts. */
@LockedRows()
@Entity('claim_lines')
@PersonStays(['fingerprint'])
@PartOf('claim_reports', 'report_id')
@Index('claim_lines_by_report', ['reportId', 'id'])
export class ClaimLine {
  @IdColumn() id: string;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @TimestampColumn() createdAt: string;
  @UuidColumn() reportId: string;
  @UuidColumn() statementId: string;
  @IntegerColumn() lineNumber: number;
  @TextColumn() fingerprint: string;
  @IntegerColumn() occurrence: number;
  @DateColumn() bookedOn: string;
  @MoneyColumn() amount: string;
  @TextColumn({ nullable: true }) currency: string | null;
  @TextColumn() outcome: DecidableLine['outcome'];
  @UuidColumn({ nullable: true }) categoryId: string | null;
  @TextColumn({ nullable: true }) rule: string | null;
  @MoneyColumn({ nullable: true }) claimable: string | null;
  @UuidColumn({ nullable: true }) decisionId: string | null;
  @UuidColumn({ nullable: true }) ruleCategoryId: string | null;
}

export const DECISION_OUTCOMES = ['claimed', 'not_claimed', 'by_rules'] as const;

/** What somebody has decided about a line. It belongs to the booking, so it holds for every statement that has it. Never changed. */
@LockedRows()
@Entity('claim_line_decisions')
@PersonStays(['reason', 'note', 'parts', 'fingerprint'])
@NamesPerson(`actor_id = ${PERSON}`, { actor_name: `'${FORGOTTEN}'` })
@Index('claim_line_decisions_current', ['organizationId', 'environment', 'fingerprint', 'occurrence'], {
  unique: true,
  where: 'replaced_at IS NULL',
})
@Index('claim_line_decisions_by_line', ['organizationId', 'environment', 'fingerprint', 'occurrence', 'id'])
export class ClaimLineDecision {
  @IdColumn() id: string;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
  /** Where the line was when it was decided. */
  @UuidColumn() statementId: string;
  @IntegerColumn() lineNumber: number;
  @TextColumn() fingerprint: string;
  @IntegerColumn() occurrence: number;
  @TextColumn() outcome: (typeof DECISION_OUTCOMES)[number];
  @JsonColumn() parts: readonly DecidedPart[];
  @TextColumn({ nullable: true }) reason: string | null;
  @TextColumn({ nullable: true }) note: string | null;
  @TextColumn() actorType: ActorType;
  @UuidColumn({ nullable: true }) actorId: string | null;
  @TextColumn() actorName: string;
  @TimestampColumn() decidedAt: string;
  @TimestampColumn({ nullable: true }) replacedAt: string | null;
}
