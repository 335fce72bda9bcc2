import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What says who a person is stands beside the audit log, under a key for each person, and the log has commitments. In organizations that
 * are there already, and that the version before makes, it stands in the log as before.
 */
export class CommitToPersonalValues1763701100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // First, as every writer does: in another order, a migration and a writer wait for each other.
    await runner.query('ALTER TABLE organizations ADD COLUMN forgets_people boolean NOT NULL DEFAULT false');
    await runner.query(`
      CREATE TABLE audit_person_keys (
        organization_id uuid NOT NULL,
        person_id uuid NOT NULL,
        secret bytea,
        forgotten_at timestamptz(3),
        erased_at timestamptz(3),
        CONSTRAINT audit_person_keys_pkey PRIMARY KEY (organization_id, person_id)
      );
      CREATE INDEX audit_person_keys_forgotten ON audit_person_keys (forgotten_at) WHERE forgotten_at IS NOT NULL;
      CREATE TABLE audit_personal_values (
        organization_id uuid NOT NULL,
        event_id uuid NOT NULL,
        person_id uuid NOT NULL,
        sealed bytea NOT NULL,
        CONSTRAINT audit_personal_values_pkey PRIMARY KEY (organization_id, event_id, person_id)
      );
      CREATE INDEX audit_personal_values_by_person ON audit_personal_values (organization_id, person_id);
    `);
    await runner.query('ALTER TABLE audit_events ADD COLUMN commitments jsonb');
    await runner.query('ALTER TABLE audit_entries ADD COLUMN person_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN forgets_people');
    await runner.query('ALTER TABLE audit_entries DROP COLUMN person_id');
    await runner.query('ALTER TABLE audit_events DROP COLUMN commitments');
    await runner.query('DROP TABLE audit_personal_values, audit_person_keys');
  }
}
