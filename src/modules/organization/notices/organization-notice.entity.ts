import { Entity, PrimaryColumn } from 'typeorm';
import { FlagColumn, IdColumn, TimestampColumn } from '../../../store/database/columns.js';

/** What is known of a kind of notice in an organization. Without a row it is on, and was never sent. */
@Entity('organization_notices')
export class OrganizationNotice {
  @IdColumn() organizationId: string;
  @PrimaryColumn({ type: 'text' }) kind: string;
  @FlagColumn({ default: false }) isOff: boolean;
  /** The last time. */
  @TimestampColumn({ nullable: true }) sentAt: string | null;
}
