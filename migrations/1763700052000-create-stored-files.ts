import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which files are in the file store of an extension, and the key of each. Empty while Postgres keeps all files. */
export class CreateStoredFiles1763700052000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE stored_files (
        organization_id uuid NOT NULL,
        id uuid NOT NULL,
        environment text NOT NULL,
        kind text NOT NULL,
        owner_id uuid NOT NULL,
        name text NOT NULL,
        status text NOT NULL,
        data_key bytea NOT NULL,
        bytes bigint NOT NULL,
        attempts integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        next_attempt_at timestamptz(3),
        CONSTRAINT stored_files_pkey PRIMARY KEY (organization_id, id)
      );
      CREATE UNIQUE INDEX stored_files_kept ON stored_files (organization_id, environment, kind, owner_id, name) WHERE status = 'kept';
      CREATE INDEX stored_files_due ON stored_files (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE stored_files');
  }
}
