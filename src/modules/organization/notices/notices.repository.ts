import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../../store/database/database.js';
import type { Unit } from '../../../store/database/unit-of-work.js';

const NAME = prepared({
  name: 'organization_notices.name',
  text: `SELECT name FROM organizations
    WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM organization_erasures WHERE organization_id = $1)`,
});
/** Workers that have the same notice wait for each other here. Without $4 the last time does not matter. */
const CLAIM = prepared({
  name: 'organization_notices.claim',
  text: `INSERT INTO organization_notices AS stored (organization_id, kind, sent_at) VALUES ($1, $2, $3)
    ON CONFLICT (organization_id, kind) DO UPDATE SET sent_at = excluded.sent_at
      WHERE NOT stored.is_off AND coalesce(stored.sent_at <= $4, true)
    RETURNING true AS claimed`,
});
const OFF = prepared({
  name: 'organization_notices.off',
  text: 'SELECT kind FROM organization_notices WHERE organization_id = $1 AND is_off',
});
const SWITCH = prepared({
  name: 'organization_notices.switch',
  text: `INSERT INTO organization_notices (organization_id, kind, is_off) VALUES ($1, $2, $3)
    ON CONFLICT (organization_id, kind) DO UPDATE SET is_off = excluded.is_off`,
});

@Injectable()
export class NoticesRepository {
  constructor(private readonly database: Database) {}

  /** The name of an organization that can get notices: not while it is being erased. */
  async nameOf(organizationId: string, unit: Unit): Promise<string | undefined> {
    return (await this.database.rows<{ name: string }>(NAME, [organizationId], unit))[0]?.name;
  }

  /** Whether a notice is to be sent: it is not switched off, and the last one of its kind was sent before `notSince`. */
  async claim(organizationId: string, kind: string, times: { now: string; notSince: string | null }, unit: Unit): Promise<boolean> {
    return (await this.database.rows(CLAIM, [organizationId, kind, times.now, times.notSince], unit)).length > 0;
  }

  /** The kinds that an organization has switched off. */
  async off(organizationId: string, unit?: Unit): Promise<string[]> {
    return (await this.database.rows<{ kind: string }>(OFF, [organizationId], unit)).map(({ kind }) => kind);
  }

  async switch(organizationId: string, kind: string, isOff: boolean, unit: Unit): Promise<void> {
    await this.database.rows(SWITCH, [organizationId, kind, isOff], unit);
  }
}
