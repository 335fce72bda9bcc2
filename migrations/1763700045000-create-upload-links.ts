import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links by which the clients of accountants upload statements. */
export class CreateUploadLinks1763700045000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE upload_links (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        project_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        note text NOT NULL,
        max_files integer NOT NULL,
        files_taken integer NOT NULL,
        created_by uuid NOT NULL,
        creator_name text NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        used_at timestamptz(3),
        withdrawn_at timestamptz(3),
        CONSTRAINT upload_links_pkey PRIMARY KEY (id, organization_id)
      );
      CREATE INDEX upload_links_newest ON upload_links (organization_id, environment, id);
      CREATE UNIQUE INDEX upload_links_token_hash_unique ON upload_links (organization_id, environment, token_hash);
      CREATE INDEX upload_links_open ON upload_links (organization_id, environment, expires_at)
        WHERE used_at IS NULL AND withdrawn_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE upload_links');
  }
}
