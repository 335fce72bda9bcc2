import { Entity, Index, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../kernel/context.js';
import type { CredentialPrincipal } from '../../api/access/principal.js';
import { IntegerColumn, JsonColumn, TextColumn, TimestampColumn } from '../../store/database/columns.js';
import { PersonStays, TableNotReset } from '../../store/tenant/organization-tables.js';

/** What one key or application has called on a day. */
@Entity('usage_credentials')
@TableNotReset('What was called was called.')
@PersonStays(['name'])
@Index('usage_credentials_unnoticed', ['day'], { where: 'daily_calls IS NOT NULL AND noticed_at IS NULL' })
export class UsageCredential {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid' }) organizationId: string;
  @PrimaryColumn({ type: 'text' }) environment: Environment;
  @PrimaryColumn({ type: 'date' }) day: string;
  @PrimaryColumn({ name: 'credential_id', type: 'uuid' }) credentialId: string;
  @TextColumn() type: CredentialPrincipal['type'];
  /** As it was called at the last call. */
  @TextColumn() name: string;
  @IntegerColumn() calls: number;
  /** Those of them that were refused with 429. */
  @IntegerColumn() refused: number;
  /** Those by tools, by what their clients call themselves. */
  @JsonColumn({ type: 'jsonb', default: {} }) clients: Readonly<Record<string, number>>;
  /** How many it could make on the day, at the last call; null: as many as it wants. */
  @IntegerColumn({ nullable: true }) dailyCalls: number | null;
  /** When the owners were told that most of them are used. */
  @TimestampColumn({ nullable: true }) noticedAt: string | null;
}

export type CountedCredential = Omit<UsageCredential, 'noticedAt'>;

/** Of all days of a period. */
export interface CredentialTotal {
  readonly id: string;
  readonly name: string;
  readonly type: CredentialPrincipal['type'];
  readonly calls: number;
  /** Those with most calls. */
  readonly clients: { readonly name: string; readonly calls: number }[];
}

/** Of a credential on a day: their names are their own, so there could be any number. */
export const CLIENTS_MAX = 20;
