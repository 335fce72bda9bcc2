import { AuditEventDto } from '../../src/modules/audit/audit.dto.js';
import { AuditRepository } from '../../src/modules/audit/audit.repository.js';
import { AuditService, type ChainFault, type ChainHead, type LogVerdict } from '../../src/modules/audit/index.js';
import type { TestApp } from './app.js';
import type { AuditRow } from './audit.js';
import { asAdministrator } from './database.js';

/** The head of an empty log. */
export const START: ChainHead = { sequence: 0, hash: '0'.repeat(64) };

/** The verdict on a log whose first invalid row is this one. */
export const at = (sequence: number, kind: ChainFault['kind'], id: string | null) => ({
  rows: sequence - 1,
  fault: { sequence, kind, id },
});

/** Verifies logs as an operator, and changes them as an attacker with access to the database. */
export class LogDatabase {
  constructor(private readonly app: () => TestApp) {}

  verify(organizationId: string, keptHead?: ChainHead): Promise<LogVerdict> {
    return this.app().app.get(AuditService).verify(organizationId, keptHead);
  }

  sql(text: string, ...values: unknown[]): Promise<Record<string, string>[]> {
    return asAdministrator(this.app().databaseUrl, text, values);
  }

  async rows(organizationId: string): Promise<AuditRow[]> {
    const found = await this.app().app.get(AuditRepository).page({ organizationId }, 1000);
    return found.map(AuditEventDto.from);
  }

  async idAt(organizationId: string, sequence: number): Promise<string> {
    return (await this.rows(organizationId)).find((row) => row.sequence === sequence)!.id;
  }

  async headAt(organizationId: string, sequence: number): Promise<ChainHead> {
    return { sequence, hash: (await this.rows(organizationId))[sequence - 1]!.hash };
  }

  /** Changes the recorded head. */
  async setHead(organizationId: string, { sequence, hash }: ChainHead): Promise<void> {
    await this.sql('UPDATE audit_chains SET sequence = $2, hash = $3 WHERE organization_id = $1', organizationId, sequence, hash);
  }

  /** Changes one row of a log. The values are $3 and following. */
  async change(organizationId: string, sequence: number, changes: string, ...values: unknown[]): Promise<void> {
    await this.sql(`UPDATE audit_events SET ${changes} WHERE organization_id = $1 AND sequence = $2`, organizationId, sequence, ...values);
  }

  /** Entries as they would be after months: copies of one, which the service seals. */
  async grow(organizationId: string, rows: number): Promise<void> {
    const facts =
      'organization_id, environment, occurred_at, actor_type, actor_id, actor_name, action, resource_type, resource_id, ' +
      'ip_address, request_id, changes';
    await this.sql(
      `INSERT INTO audit_entries (${facts}) SELECT ${facts} FROM (SELECT * FROM audit_events WHERE organization_id = $1 LIMIT 1) one,
      generate_series(1, $2::int)`,
      organizationId,
      rows,
    );
  }
}
