import { Entity, Index } from 'typeorm';
import { NamesPerson, NotExported } from '../tenant/organization-tables.js';
import { IdColumn, IntegerColumn, TextColumn, TimestampColumn } from '../database/columns.js';

/** A mail that is still to be sent. It is deleted when it has been. */
@Entity('outgoing_mails')
@NamesPerson('lower(recipient) = lower(:email) OR position(lower(:email) IN lower(text)) > 0')
@Index('outgoing_mails_due', ['nextAttemptAt'])
@Index('outgoing_mails_by_organization', ['organizationId'])
export class OutgoingMail {
  @IdColumn() id: string;
  @IdColumn() organizationId: string;
  @TextColumn() recipient: string;
  @TextColumn() subject: string;
  /** May have a link that works until it is used, such as that of an invitation. */
  @NotExported() @TextColumn() text: string;
  @NotExported() @TextColumn({ nullable: true }) html: string | null;
  /** Those that were begun. */
  @IntegerColumn() attempts: number;
  @TimestampColumn() createdAt: string;
  /** Also the end of the time that the worker of an attempt has: if it dies, the mail is sent by another one after that. */
  @TimestampColumn() nextAttemptAt: string;
}
