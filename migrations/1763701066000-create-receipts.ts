import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateReceipts1763701066000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE receipts (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        project_id uuid,
        claim_item_id uuid,
        claim_line_id uuid,
        statement_id uuid,
        fingerprint text,
        occurrence integer,
        booked_on date,
        amount numeric,
        file_name text NOT NULL,
        media_type text NOT NULL,
        size_bytes integer NOT NULL,
        sha256 text NOT NULL,
        tax_amount numeric,
        note text,
        status text NOT NULL,
        entered_by text NOT NULL,
        CONSTRAINT receipts_pkey PRIMARY KEY (id, organization_id)
      );
      CREATE INDEX receipts_newest ON receipts (organization_id, environment, id);
      CREATE INDEX receipts_changed ON receipts (organization_id, environment, updated_at);
      CREATE INDEX receipts_by_status ON receipts (organization_id, environment, status, id);
      CREATE INDEX receipts_by_project ON receipts (organization_id, environment, project_id, id);
      CREATE INDEX receipts_by_item ON receipts (organization_id, environment, claim_item_id, id);
      CREATE INDEX receipts_by_line ON receipts (organization_id, environment, fingerprint, occurrence, id);
      CREATE INDEX receipts_active ON receipts (created_at) WHERE status = 'active';
      CREATE TABLE receipt_files (
        receipt_id uuid NOT NULL,
        part integer NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        content bytea NOT NULL,
        CONSTRAINT receipt_files_pkey PRIMARY KEY (receipt_id, part, organization_id)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE receipt_files; DROP TABLE receipts');
  }
}
