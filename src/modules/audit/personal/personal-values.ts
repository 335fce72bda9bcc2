import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AuditEntry } from '../../../store/audit/audit-recorder.js';
import { Database } from '../../../store/database/database.js';
import { columnsOf, unnestSql } from '../../../store/database/sql.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { acrossTenants, ORGANIZATION, organizationSql } from '../../../store/tenant/tenant-sql.js';
import type { AuditEvent } from '../audit-event.entity.js';
import { commit, type CommittedEntry, KEY_BYTES, openWith, peopleOf, sealUnder, show } from './committed-entry.js';
import type { AuditPersonalValue, AuditPersonKey } from './personal-value.entity.js';

const WHY = 'A worker seals entries of several organizations.';
const PEOPLE = acrossTenants(
  'audit_person_keys.people',
  WHY,
  `SELECT users.id AS "personId", users.organization_id AS "organizationId", person.person_id IS NOT NULL AS "hasKey"
    FROM users JOIN organizations ON organizations.id = users.organization_id AND organizations.forgets_people
      LEFT JOIN audit_person_keys person ON person.organization_id = users.organization_id AND person.person_id = users.id
    WHERE users.id = ANY (:ids::uuid[])`,
);
const PERSON_TYPES = { organizationId: 'uuid', personId: 'uuid' };
const KEY_TYPES = { ...PERSON_TYPES, secret: 'bytea' };
// In the order of their ids, so that two processes cannot deadlock.
const ADD = acrossTenants(
  'audit_person_keys.add',
  WHY,
  `INSERT INTO audit_person_keys (organization_id, person_id, secret)
    SELECT * FROM ${unnestSql(KEY_TYPES)} AS made (organization_id, person_id, secret) ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
);
// Who is being forgotten waits until what is said of them here is written, or is forgotten already.
const LOCK = acrossTenants(
  'audit_person_keys.lock',
  WHY,
  `SELECT organization_id AS "organizationId", person_id AS "personId", secret FROM audit_person_keys person
      JOIN ${unnestSql(PERSON_TYPES)} AS named (organization_id, person_id) USING (organization_id, person_id)
    ORDER BY 1, 2 FOR SHARE OF person`,
);
const VALUE_TYPES = { organizationId: 'uuid', eventId: 'uuid', personId: 'uuid', sealed: 'bytea' };
const STORE = acrossTenants(
  'audit_personal_values.store',
  WHY,
  `INSERT INTO audit_personal_values (organization_id, event_id, person_id, sealed)
    SELECT * FROM ${unnestSql(VALUE_TYPES)} AS made (organization_id, event_id, person_id, sealed)`,
);
const OF_EVENTS = organizationSql(
  'audit_personal_values.of_events',
  `SELECT event_id AS "eventId", person_id AS "personId", sealed,
      (SELECT secret FROM audit_person_keys person
        WHERE person.organization_id = value.organization_id AND person.person_id = value.person_id) AS secret
    FROM audit_personal_values value WHERE ${ORGANIZATION} AND event_id = ANY (:ids::uuid[])`,
);

const boundTo = (organizationId: string, personId: string): string => `person ${personId} of ${organizationId}`;
const ofPerson = ({ organizationId, personId }: Pick<AuditPersonKey, 'organizationId' | 'personId'>) => `${organizationId} ${personId}`;

/**
 * The log holds commitments instead of what says who a person is. The values are beside it, under a key for each person: when key and
 * values are gone, the hashes of the log are what they were, and it says nothing of the person any more.
 */
@Injectable()
@Implements(EncryptedColumns)
export class PersonalValues implements EncryptedColumns {
  readonly encrypted = [{ table: 'audit_person_keys', column: 'secret', key: ['organization_id', 'person_id'], owner: boundTo }];

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** The entries as the log will hold them. In organizations of earlier releases that is as they are. */
  async commit(entries: readonly AuditEntry[], unit: Unit): Promise<{ committed: CommittedEntry[]; keys: PersonKeys }> {
    const named = new Set(entries.flatMap((entry) => Object.values(peopleOf(entry))));
    const ids = [...named].filter((id) => id !== null);
    const people = ids.length === 0 ? [] : await this.database.rows<AuditPersonKey & { hasKey: boolean }>(...PEOPLE.bind({ ids }), unit);
    const without = people.filter(({ hasKey }) => !hasKey).map((person) => ({ ...person, secret: this.makeSecret(person) }));
    if (without.length > 0) await this.database.rows(...ADD.bind(columnsOf(KEY_TYPES, without) as never), unit);
    const wanted = LOCK.bind(columnsOf(PERSON_TYPES, people));
    const locked = people.length === 0 ? [] : await this.database.rows<AuditPersonKey>(...wanted, unit);
    const keys: PersonKeys = new Map(locked.map((key) => [ofPerson(key), this.opened(key)]));
    const isPerson = (organizationId: string) => (personId: string) => keys.has(ofPerson({ organizationId, personId }));
    return { committed: entries.map((entry) => commit(entry, isPerson(entry.organizationId))), keys };
  }

  /** Of who was forgotten meanwhile, nothing. */
  async store(events: readonly (Pick<AuditEvent, 'id'> & CommittedEntry)[], keys: PersonKeys, unit: Unit): Promise<void> {
    const values = events.flatMap(({ id: eventId, organizationId, of }) =>
      [...of].flatMap(([personId, opened]): AuditPersonalValue[] => {
        const key = keys.get(ofPerson({ organizationId, personId }));
        return key ? [{ organizationId, eventId, personId, sealed: sealUnder(key, opened, eventId) }] : [];
      }),
    );
    if (values.length > 0) await this.database.rows(...STORE.bind(columnsOf(VALUE_TYPES, values) as never), unit);
  }

  /** Rows of one log with what is known of the people in them. */
  async reveal<Row extends AuditEvent>(rows: readonly Row[]): Promise<Row[]> {
    const committed = rows.filter(({ commitments }) => commitments);
    const [first] = committed;
    if (!first) return [...rows];
    const { organizationId } = first;
    const values = await this.database.longRead<AuditPersonalValue & AuditPersonKey>(
      ...OF_EVENTS.bind({ organizationId }, { ids: committed.map(({ id }) => id) }),
    );
    const revealed = new Map(rows.map((row) => [row.id, { ...row }]));
    for (const { eventId, sealed, ...person } of values) {
      const [row, key] = [revealed.get(eventId)!, this.opened({ ...person, organizationId })];
      for (const [place, [salt, value]] of Object.entries(key ? openWith(key, sealed, eventId) : {})) {
        show(row, place, value);
        row.salts = { ...row.salts, [place]: salt };
      }
    }
    return [...revealed.values()];
  }

  private makeSecret({ organizationId, personId }: Pick<AuditPersonKey, 'organizationId' | 'personId'>): Buffer {
    return this.secrets.encryptBytes(randomBytes(KEY_BYTES), boundTo(organizationId, personId));
  }

  private opened({ organizationId, personId, secret }: Pick<AuditPersonKey, 'organizationId' | 'personId' | 'secret'>): Buffer | null {
    return secret && this.secrets.decryptBytes(secret, boundTo(organizationId, personId));
  }
}

/** Of each person that entries name; null of one who was forgotten. */
export type PersonKeys = ReadonlyMap<string, Buffer | null>;
