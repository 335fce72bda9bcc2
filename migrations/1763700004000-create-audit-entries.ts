import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAuditEntries1763700004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_entries (
        ordinal bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT audit_entries_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment text,
        occurred_at timestamptz(3) NOT NULL,
        actor_type text NOT NULL,
        actor_id text,
        actor_name text NOT NULL,
        action text COLLATE "C" NOT NULL,
        resource_type text NOT NULL,
        resource_id uuid NOT NULL,
        ip_address text,
        request_id text,
        changes json NOT NULL
      );
      CREATE INDEX audit_entries_by_organization ON audit_entries (organization_id, ordinal);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_entries');
  }
}
