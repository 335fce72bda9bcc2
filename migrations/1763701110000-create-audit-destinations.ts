import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where organizations have their audit logs sent to, and how far each destination has come. */
export class CreateAuditDestinations1763701110000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_destinations (
        organization_id uuid NOT NULL,
        id uuid NOT NULL,
        kind text NOT NULL,
        url text NOT NULL,
        name text NOT NULL,
        region text,
        secret bytea NOT NULL,
        sequence bigint NOT NULL,
        last_created_at timestamptz(3),
        last_id uuid,
        batch_end bigint,
        sent_at timestamptz(3),
        failure text,
        failing_since timestamptz(3),
        due_at timestamptz(3) NOT NULL,
        leased_until timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT audit_destinations_pkey PRIMARY KEY (organization_id, id)
      ) WITH (autovacuum_vacuum_scale_factor = 0.05)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_destinations');
  }
}
