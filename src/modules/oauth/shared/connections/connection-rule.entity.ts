import { Entity, PrimaryColumn } from 'typeorm';
import { FlagColumn, TextColumn, TimestampColumn } from '../../../../store/database/columns.js';

export const CONNECTION_RULES = ['all', 'listed', 'none'] as const;
/** All that are not denied; those that are allowed, to which owners and admins add by connecting them; or none. */
export type ConnectionRule = (typeof CONNECTION_RULES)[number];

@Entity('oauth_connection_rules')
export class OrganizationConnectionRule {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid' }) organizationId: string;
  @TextColumn() rule: ConnectionRule;
  @TimestampColumn() updatedAt: string;
}

/** Whether an organization allows a shared application, by its client id. */
@Entity('oauth_client_decisions')
export class ClientDecision {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid' }) organizationId: string;
  @PrimaryColumn({ name: 'client_id', type: 'text' }) clientId: string;
  @FlagColumn() isAllowed: boolean;
  @TimestampColumn() updatedAt: string;
}
