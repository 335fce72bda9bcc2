import { Injectable } from '@nestjs/common';
import { Database } from '../../../store/database/database.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { ORGANIZATION, organizationSql } from '../../../store/tenant/tenant-sql.js';

const NAME = organizationSql(
  'organization_notices.name',
  `SELECT name FROM organizations
    WHERE id = :organizationId AND NOT EXISTS (SELECT 1 FROM organization_erasures WHERE ${ORGANIZATION})`,
);
/** Workers that have the same notice wait for each other here. Without `notSince` the last time does not matter. */
const CLAIM = organizationSql(
  'organization_notices.claim',
  `INSERT INTO organization_notices AS stored (organization_id, kind, sent_at) VALUES (:organizationId, :kind, :now)
    ON CONFLICT (organization_id, kind) DO UPDATE SET sent_at = excluded.sent_at
      WHERE NOT stored.is_off AND coalesce(stored.sent_at <= :notSince, true)
    RETURNING true AS claimed`,
);
const OFF = organizationSql('organization_notices.off', `SELECT kind FROM organization_notices WHERE ${ORGANIZATION} AND is_off`);
const SWITCH = organizationSql(
  'organization_notices.switch',
  `INSERT INTO organization_notices (organization_id, kind, is_off) VALUES (:organizationId, :kind, :isOff)
    ON CONFLICT (organization_id, kind) DO UPDATE SET is_off = excluded.is_off`,
);

@Injectable()
export class NoticesRepository {
  constructor(private readonly database: Database) {}

  /** The name of an organization that can get notices: not while it is being erased. */
  async findName(organizationId: string, unit: Unit): Promise<string | undefined> {
    return (await this.database.rows<{ name: string }>(...NAME.bind({ organizationId }), unit))[0]?.name;
  }

  /** Whether a notice is to be sent: it is not switched off, and the last one of its kind was sent before `notSince`. */
  async claim(organizationId: string, kind: string, times: { now: string; notSince: string | null }, unit: Unit): Promise<boolean> {
    return (
      (await this.database.rows(...CLAIM.bind({ organizationId }, { kind, now: times.now, notSince: times.notSince }), unit)).length > 0
    );
  }

  async off(organizationId: string, unit?: Unit): Promise<string[]> {
    return (await this.database.rows<{ kind: string }>(...OFF.bind({ organizationId }), unit)).map(({ kind }) => kind);
  }

  async switch(organizationId: string, kind: string, isOff: boolean, unit: Unit): Promise<void> {
    await this.database.rows(...SWITCH.bind({ organizationId }, { kind, isOff }), unit);
  }
}
