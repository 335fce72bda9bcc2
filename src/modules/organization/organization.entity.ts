import { Entity, Index, PrimaryColumn } from 'typeorm';
import {
  BigIntegerColumn,
  DateColumn,
  FlagColumn,
  IdColumn,
  JsonColumn,
  TextColumn,
  TimestampColumn,
  type CustomValues,
} from '../../store/database/columns.js';
import { PersonStays, TableNotErased, TableNotExported } from '../../store/tenant/organization-tables.js';
import type { ConfirmationRules } from '../../kernel/confirmation-rules.js';
import type { AnyStatus } from '../../kernel/organization-status.js';
import type { Plan } from '../../kernel/plans.js';

/** Those in which an organization is shown, and which operators give it. The others are steps of a move. */
export const ORGANIZATION_STATUSES = ['active', 'suspended'] as const satisfies AnyStatus[];

/** A customer. Both environments belong to it. */
@Entity('organizations')
@PersonStays(['name', 'custom_fields'])
@Index('organizations_slug_unique', ['slug'], { unique: true })
export class Organization {
  @IdColumn() id: string;
  @TextColumn() name: string;
  @TextColumn() slug: string;
  @TextColumn() plan: Plan;
  @TextColumn() status: AnyStatus;
  /** ISO 3166-1 alpha-2. */
  @TextColumn({ nullable: true }) country: string | null;
  @TextColumn() timeZone: string;
  /** A billing period starts on this day of each month. */
  @DateColumn() billingCycleAnchor: string;
  /** Whether counterparties of statements are replaced by tokens unless an organisation is recognised in them. */
  @FlagColumn({ default: true }) redactCounterparties: boolean;
  /** Whether the names behind the tokens of people are kept, encrypted. */
  @FlagColumn({ default: false }) keepNames: boolean;
  /** Whether people who sign in with a password need a second factor, too. */
  @FlagColumn({ default: false }) requireSecondFactor: boolean;
  /** Whether the audit log says who people are beside its rows, so that they can be forgotten. It is not switched off again. */
  @FlagColumn({ default: false }) forgetsPeople: boolean;
  /** Who agrees to changes by tools; null: the defaults. */
  @JsonColumn({ type: 'jsonb', nullable: true }) confirmations: ConfirmationRules | null;
  /** What extensions add. */
  @JsonColumn({ type: 'jsonb', default: {} }) customFields: CustomValues;
  @TimestampColumn() createdAt: string;
  @TimestampColumn() updatedAt: string;
}

/** What is known of a kind of notice in an organization. Without a row it is on, and was never sent. */
@Entity('organization_notices')
export class OrganizationNotice {
  @IdColumn() organizationId: string;
  @PrimaryColumn({ type: 'text' }) kind: string;
  @FlagColumn({ default: false }) isOff: boolean;
  /** The last time. */
  @TimestampColumn({ nullable: true }) sentAt: string | null;
}

/** An organization that is being erased; and later the proof that it existed and was erased. It has no personal data. */
@Entity('organization_erasures')
@PersonStays(['actor_name'], 'It is the operator.')
@TableNotErased('It is the proof of the erasure.')
@TableNotExported('An organization that is being erased is not exported.')
export class OrganizationErasure {
  @IdColumn() organizationId: string;
  /** Who erased it, as an audit log would name them. */
  @TextColumn() actorName: string;
  @TimestampColumn() begunAt: string;
  /** The head of its audit log when the log was erased: how many events it had, and the hash of the last one. */
  @BigIntegerColumn({ nullable: true }) auditSequence: number | null;
  @TextColumn({ nullable: true }) auditHash: string | null;
  @TimestampColumn({ nullable: true }) finishedAt: string | null;
  /** When it was looked for what calls have written that were on their way when the erasure began. */
  @TimestampColumn({ nullable: true }) sweptAt: string | null;
}
