import { Entity, Index, PrimaryColumn } from 'typeorm';
import type { ActorType, Environment } from '../../../kernel/context.js';
import { BytesColumn, DateColumn, IdColumn, IntegerColumn, JsonColumn, TenantRow, TextColumn } from '../../../store/database/columns.js';
import { TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
import { Problem } from '../../../kernel/problems.js';
import type { ClaimClosingChangesDto, ClaimClosingPackDto } from './closing-parts.dto.js';
import { PERSON, PersonStays, TableNotReset } from '../../../store/tenant/organization-tables.js';
import { LockedRows } from '../../../store/database/row-security.js';

/** What can be asked for. `reopened` is asked for by one person, and carried out when another one asks for it as well. */
export const STEPS = ['reviewed', 'approved', 'final', 'reopened'] as const;
export type Step = (typeof STEPS)[number];

/** In their order. A run takes each of them once. */
export const CLOSING_STATES = ['reviewed', 'approved', 'final', 'reopening', 'reopened'] as const;
export type ClosingState = (typeof CLOSING_STATES)[number];

export const notInState = (detail: string): Problem => new Problem('claim_state', { detail: `${detail} Nothing was changed.` });

/** A step by which a claim is closed. It is never changed: Postgres refuses it, too. */
@Entity('claim_closings')
@PersonStays(
  ['reason', 'actor_name', 'person', 'changes'],
  'Who reviewed, approved and closed a claim is kept as long as the claim, by law: its signed pack says it, too.',
  `actor_id = ${PERSON}`,
)
@Index('claim_closings_newest', ['organizationId', 'environment', 'id'])
@Index('claim_closings_by_project', ['organizationId', 'environment', 'projectId', 'id'])
@Index('claim_closings_by_state', ['organizationId', 'environment', 'state', 'id'])
@Index('claim_closings_once', ['organizationId', 'environment', 'reportId', 'state'], { unique: true })
@Index('claim_closings_corrected_once', ['organizationId', 'environment', 'corrects'], { unique: true, where: 'corrects IS NOT NULL' })
export class ClaimClosing extends TenantRow {
  @UuidColumn() reportId: string;
  @UuidColumn() projectId: string;
  @DateColumn() periodStart: string;
  @DateColumn() periodEnd: string;
  @TextColumn() state: ClosingState;
  @IntegerColumn({ nullable: true }) version: number | null;
  @TextColumn({ nullable: true }) reason: string | null;
  @TextColumn() actorType: ActorType;
  @UuidColumn({ nullable: true }) actorId: string | null;
  /** Kept as it was: the step may outlive the person or credential. */
  @TextColumn() actorName: string;
  /** Whom the actor acts for: two steps that need two people have different ones. */
  @TextColumn() person: string;
  @UuidColumn({ nullable: true }) corrects: string | null;
  @JsonColumn({ nullable: true }) changes: ClaimClosingChangesDto | null;
  @TextColumn() inputsHash: string;
  @JsonColumn({ nullable: true }) pack: ClaimClosingPackDto | null;
}

@LockedRows()
@Entity('signing_keys')
@TableNotReset('Its public key was given to others.')
export class SigningKey {
  @IdColumn() organizationId: string;
  @PrimaryColumn({ type: 'text' }) environment: Environment;
  /** The private key as PKCS #8, encrypted. */
  @BytesColumn() secret: Buffer;
  /** Another one, which certificates are for, and which is made when one is asked for. */
  @BytesColumn({ nullable: true }) certificateKey: Buffer | null;
  /** As PEM: that of the key, and those that lead from it to an authority. */
  @TextColumn({ nullable: true }) certificates: string | null;
  @TimestampColumn() createdAt: string;
}
