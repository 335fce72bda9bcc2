import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who signs checkpoints of an organization's log as well, and the newest that each has signed. */
export class CreateAuditWitnesses1763701076000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_witnesses (
        organization_id uuid NOT NULL,
        verifier_key text COLLATE "C" NOT NULL,
        url text NOT NULL,
        size bigint NOT NULL,
        line text,
        cosigned_at timestamptz(3),
        failure text,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT audit_witnesses_pkey PRIMARY KEY (organization_id, verifier_key)
      ) WITH (autovacuum_vacuum_scale_factor = 0.05)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_witnesses');
  }
}
