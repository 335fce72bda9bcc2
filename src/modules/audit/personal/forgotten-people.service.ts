import { Injectable } from '@nestjs/common';
import { Database } from '../../../store/database/database.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { acrossTenants, ORGANIZATION, organizationSql } from '../../../store/tenant/tenant-sql.js';
import { SealingService } from '../sealing.service.js';
import type { AuditPersonKey } from './personal-value.entity.js';

const FORGET = organizationSql(
  'audit_person_keys.forget',
  `INSERT INTO audit_person_keys AS known (organization_id, person_id, forgotten_at) VALUES (:organizationId, :personId, :now)
    ON CONFLICT (organization_id, person_id) DO UPDATE SET secret = NULL, forgotten_at = :now WHERE known.forgotten_at IS NULL
    RETURNING true AS "isNew"`,
);
const FINISH = organizationSql(
  'audit_person_keys.finish',
  `UPDATE audit_person_keys SET erased_at = :now WHERE ${ORGANIZATION} AND person_id = :personId`,
);
const FORGOTTEN_PEOPLE = organizationSql(
  'audit_person_keys.forgotten',
  `SELECT person_id AS "personId", forgotten_at AS "forgottenAt", erased_at AS "erasedAt" FROM audit_person_keys
    WHERE ${ORGANIZATION} AND forgotten_at IS NOT NULL ORDER BY forgotten_at, person_id`,
);
const UNFINISHED = acrossTenants(
  'audit_person_keys.unfinished',
  'A worker goes on with what was interrupted, and looks once more after the calls that were on their way.',
  `SELECT person_id AS "personId" FROM audit_person_keys
    WHERE forgotten_at < :before AND (erased_at IS NULL OR erased_at < forgotten_at + interval '5 minutes')
    ORDER BY forgotten_at LIMIT 100`,
);

export type ForgottenPerson = Pick<AuditPersonKey, 'personId' | 'forgottenAt' | 'erasedAt'>;

@Injectable()
export class ForgottenPeople {
  constructor(
    private readonly database: Database,
    private readonly sealing: SealingService,
  ) {}

  /** What is said of a person must be in the log before it can be forgotten there. */
  seal(organizationId: string): Promise<void> {
    return this.sealing.sealOrganization(organizationId);
  }

  /** Destroys the key. False if that was done before. */
  async forget(organizationId: string, personId: string, now: string, unit: Unit): Promise<boolean> {
    return (await this.database.rows(...FORGET.bind({ organizationId }, { personId, now }), unit)).length > 0;
  }

  async finish(organizationId: string, personId: string, now: string): Promise<void> {
    await this.database.rows(...FINISH.bind({ organizationId }, { personId, now }));
  }

  /** By their ids, which is all that is known of them: for an operator who has restored a backup. */
  list(organizationId: string): Promise<ForgottenPerson[]> {
    return this.database.rows<ForgottenPerson>(...FORGOTTEN_PEOPLE.bind({ organizationId }));
  }

  unfinished(before: string): Promise<Pick<AuditPersonKey, 'personId'>[]> {
    return this.database.rows(...UNFINISHED.bind({ before }));
  }
}
