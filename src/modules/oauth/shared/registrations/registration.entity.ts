import { Entity, Index, PrimaryColumn } from 'typeorm';
import { FlagColumn, TextColumn, TextListColumn, TimestampColumn } from '../../../../store/database/columns.js';

/** An application that every organization can connect and that has no metadata document. It belongs to no organization. */
@Entity('oauth_registrations')
@Index('oauth_registrations_unused', ['createdAt'], { where: 'used_at IS NULL' })
export class Registration {
  @PrimaryColumn({ name: 'client_id', type: 'text' }) clientId: string;
  @TextColumn() name: string;
  @TextListColumn() redirectUris: string[];
  /** The operator has listed it. All others registered themselves. */
  @FlagColumn() isListed: boolean;
  @TimestampColumn() createdAt: string;
  /** When somebody first allowed it. One that nobody ever allowed expires. */
  @TimestampColumn({ nullable: true }) usedAt: string | null;
}
