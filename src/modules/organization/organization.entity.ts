import { Entity, Index } from 'typeorm';
import { DateColumn, FlagColumn, IdColumn, TextColumn, TimestampColumn } from '../../store/database/columns.js';
import type { Plan } from '../../kernel/plans.js';

export const ORGANIZATION_STATUSES = ['active', 'suspended'] as const;
export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number];

/** A customer. Both environments belong to it. */
@Entity('organizations')
@Index('organizations_slug_unique', ['slug'], { unique: true })
export class Organization {
  @IdColumn() id: string;
  @TextColumn() name: string;
  @TextColumn() slug: string;
  @TextColumn() plan: Plan;
  @TextColumn() status: OrganizationStatus;
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
  @TimestampColumn() createdAt: string;
  @TimestampColumn() updatedAt: string;
}
