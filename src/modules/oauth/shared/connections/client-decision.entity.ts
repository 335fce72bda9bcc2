import { Entity, PrimaryColumn } from 'typeorm';
import { FlagColumn, TimestampColumn } from '../../../../store/database/columns.js';

/** Whether an organization allows a shared application, by its client id. */
@Entity('oauth_client_decisions')
export class ClientDecision {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid' }) organizationId: string;
  @PrimaryColumn({ name: 'client_id', type: 'text' }) clientId: string;
  @FlagColumn() isAllowed: boolean;
  @TimestampColumn() updatedAt: string;
}
