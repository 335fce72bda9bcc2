import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations that are being erased, and the proof that they were. */
export class CreateOrganizationErasures1763700025500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization_erasures (
        organization_id uuid CONSTRAINT organization_erasures_pkey PRIMARY KEY,
        actor_name text NOT NULL,
        begun_at timestamptz(3) NOT NULL,
        audit_sequence bigint,
        audit_hash text,
        finished_at timestamptz(3),
        swept_at timestamptz(3)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE organization_erasures');
  }
}
