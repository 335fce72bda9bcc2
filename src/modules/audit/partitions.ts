import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';

const ONE_AFTER_THE_OTHER: Statement = { name: 'audit_events.partitions', text: 'SELECT pg_advisory_xact_lock(hashtext(\'audit_events.partitions\'))' };

/** The log is divided by month: a page touches only the months it is about, and old ones can be archived whole. */
@Injectable()
export class Partitions {
  private readonly known = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Sees to it that the month of a time and the next one have their partitions: what is sealed at the turn of a month may belong to either. */
  async ensure(time: Date): Promise<void> {
    for (const ahead of [0, 1]) {
      const first = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + ahead, 1));
      if (this.known.has(first.toISOString())) continue;
      await this.make(first);
      this.known.add(first.toISOString());
    }
  }

  private async make(first: Date): Promise<void> {
    await this.unitOfWork.transact(async (unit) => {
      await this.database.rows(ONE_AFTER_THE_OTHER, [], unit);
      await unit.client.query(partitionSql(first));
    });
  }
}

/** Made apart and then attached: unlike making it in place, that lets those go on who read and write the other months. */
export function partitionSql(first: Date): string {
  const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1));
  const name = `audit_events_${first.toISOString().slice(0, 7).replace('-', '_')}`;
  return `DO $$ BEGIN
    IF to_regclass('${name}') IS NULL THEN
      CREATE TABLE ${name} (LIKE audit_events INCLUDING ALL);
      ALTER TABLE audit_events ATTACH PARTITION ${name} FOR VALUES FROM ('${first.toISOString()}') TO ('${next.toISOString()}');
    END IF;
  END $$`;
}
