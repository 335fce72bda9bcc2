import { Entity, Index } from 'typeorm';
import { BytesColumn, TextColumn, TextListColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
import { TenantRow } from '../../../store/tenant/tenant-row.js';

export const WEBHOOK_STATUSES = ['active', 'disabled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];
export const DISABLED_REASONS = ['manual', 'failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

@Entity('webhook_endpoints')
@Index('webhook_endpoints_by_organization', ['organizationId', 'environment', 'id'])
export class WebhookEndpoint extends TenantRow {
  @TextColumn() name: string;
  @TextColumn() targetUrl: string;
  @TextListColumn() subscribedEvents: string[];
  @TextColumn({ nullable: true }) description: string | null;
  @TextColumn() status: WebhookStatus;
  @TextColumn({ nullable: true }) disabledReason: DisabledReason | null;
  /** Encrypted, like the one before it. */
  @BytesColumn() secret: Buffer;
  @TextColumn() secretHint: string;
  /** Signs beside the new one until it expires, so that a receiver may change over in its own time. */
  @BytesColumn({ nullable: true }) previousSecret: Buffer | null;
  @TimestampColumn({ nullable: true }) previousSecretExpiresAt: string | null;
  @TimestampColumn({ nullable: true }) lastDeliveryAt: string | null;
  /** Since when no delivery has succeeded; null while they do. */
  @TimestampColumn({ nullable: true }) failingSince: string | null;
  /** Which worker delivers to it, and until when the others leave it alone. Written by the dispatcher only. */
  @UuidColumn({ nullable: true, select: false }) lease?: string | null;
  @TimestampColumn({ nullable: true, select: false }) leasedUntil?: string | null;
}
