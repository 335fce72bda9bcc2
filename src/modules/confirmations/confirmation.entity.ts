import { Entity, Index } from 'typeorm';
import type { ConfirmationRule } from '../../kernel/confirmation-rules.js';
import type { Environment } from '../../kernel/context.js';
import { BytesColumn, IdColumn, TextColumn, TimestampColumn, UuidColumn } from '../../store/database/columns.js';
import { NamesPerson, PERSON, TableNotExported } from '../../store/tenant/organization-tables.js';

/** Where somebody has agreed: at the client of the model, or on the page of the console. */
export type AgreedWay = 'client' | 'page';

/** A call by a tool that people are asked to agree to, and what became of it. */
@Entity('confirmations')
@Index('confirmations_of_credential', ['organizationId', 'environment', 'credentialId'])
@TableNotExported('They last for minutes. Who agreed to what is in the audit log.')
@NamesPerson(`user_id = ${PERSON} OR first_agreed_by = ${PERSON} OR agreed_by = ${PERSON}`)
export class Confirmation {
  @IdColumn() organizationId: string;
  @IdColumn() id: string;
  @TextColumn() environment: Environment;
  @UuidColumn() credentialId: string;
  /** For whom the credential acts. */
  @UuidColumn({ nullable: true }) userId: string | null;
  /** As the audit log names who asks: credential, channel and client. */
  @TextColumn() askedBy: string;
  @TextColumn() operation: string;
  /** Of exactly what would be sent. */
  @BytesColumn() digest: Buffer;
  /** What would be sent, encrypted. */
  @BytesColumn() shown: Buffer;
  @TextColumn() rule: Exclude<ConfirmationRule, 'model' | 'never'>;
  @TimestampColumn() createdAt: string;
  /** Until when they can agree, and once they have, until when it can be used. */
  @TimestampColumn() expiresAt: string;
  /** The first of two. */
  @UuidColumn({ nullable: true }) firstAgreedBy: string | null;
  /** null at the client of a credential that acts for no person. */
  @UuidColumn({ nullable: true }) agreedBy: string | null;
  @TextColumn({ nullable: true }) agreedWay: AgreedWay | null;
  @TimestampColumn({ nullable: true }) agreedAt: string | null;
  @TimestampColumn({ nullable: true }) refusedAt: string | null;
  @TimestampColumn({ nullable: true }) usedAt: string | null;
}
