import { Entity, Index } from 'typeorm';
import {
  BytesColumn,
  CustomFieldsColumn,
  type CustomValues,
  FlagColumn,
  IntegerColumn,
  TextColumn,
  TextListColumn,
  TimestampColumn,
  UuidColumn,
} from '../../../store/database/columns.js';
import { NotExported, PersonStays, TableNotReset } from '../../../store/tenant/organization-tables.js';
import { RowOf } from '../../../api/validation/record-fields.js';
import type { Payload } from '../signing/message.js';
import type { SignatureKind } from '../signing/webhook-secret.js';
import { CreateWebhookDto, type DisabledReason } from './webhooks.dto.js';

@Entity('webhook_endpoints')
@TableNotReset('Endpoints stay, and so do their secrets.')
@PersonStays(['name', 'target_url', 'description', 'own_headers', 'custom_fields'])
@Index('webhook_endpoints_by_organization', ['organizationId', 'environment', 'id'])
export class WebhookEndpoint extends RowOf(CreateWebhookDto, {
  without: ['environment', 'headers', 'signature', 'ordered', 'payload', 'projectIds'],
}) {
  @TextColumn({ nullable: true }) disabledReason: DisabledReason | null;
  @TextColumn({ default: 'hmac' }) signature: SignatureKind;
  /** Encrypted, like the previous one. With asymmetric signatures it is the private key. */
  @BytesColumn() secret: Buffer;
  @TextColumn({ nullable: true }) publicKey: string | null;
  @TextColumn() secretHint: string;
  /** Deliveries are signed with both secrets until this one expires, so that receivers have time to switch. */
  @BytesColumn({ nullable: true }) previousSecret: Buffer | null;
  @TimestampColumn({ nullable: true }) previousSecretExpiresAt: string | null;
  @TimestampColumn({ nullable: true }) lastDeliveryAt: string | null;
  /** Since when no delivery has succeeded; null after a success. */
  @TimestampColumn({ nullable: true }) failingSince: string | null;
  /** So many attempts in a row have failed since then. Those to tell of other endpoints do not count. */
  @IntegerColumn({ default: 0 }) failures: number;
  /** Set when it works again: what it has missed since then is still to be sent. */
  @TimestampColumn({ nullable: true }) catchUpSince: string | null;
  /** When its owners were told that it will be disabled. */
  @TimestampColumn({ nullable: true }) failingNoticedAt: string | null;
  /** Headers of its own, encrypted: their values are secrets. null when there are none. */
  @BytesColumn({ nullable: true }) ownHeaders: Buffer | null;
  @TextListColumn({ default: [] }) headerNames: string[];
  @FlagColumn({ default: false }) ordered: boolean;
  @TextColumn({ default: 'full' }) payload: Payload;
  @TextListColumn({ nullable: true }) projectIds: string[] | null;
  @CustomFieldsColumn() customFields?: CustomValues;
  /** With a rate limit: nothing is sent before this time. Only the delivery worker writes it. */
  @TimestampColumn({ nullable: true, select: false }) nextSendAt?: string | null;
  /** Which worker holds the endpoint, and until when. Only the delivery worker writes these two. */
  @NotExported() @UuidColumn({ nullable: true, select: false }) lease?: string | null;
  @TimestampColumn({ nullable: true, select: false }) leasedUntil?: string | null;
}
