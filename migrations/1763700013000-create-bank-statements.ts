import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateBankStatements1763700013000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bank_statements (
        id uuid CONSTRAINT bank_statements_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        lease uuid,
        leased_until timestamptz(3),
        taken_at timestamptz(3),
        lost_workers integer NOT NULL,
        project_id uuid,
        file_name text NOT NULL,
        format text,
        size_bytes integer NOT NULL,
        sha256 text NOT NULL,
        account_label text,
        currency text,
        period_start date,
        period_end date,
        line_count integer,
        redaction_status text NOT NULL,
        redaction json,
        failure json,
        balances json NOT NULL,
        search_key text NOT NULL
      );
      CREATE INDEX bank_statements_newest ON bank_statements (organization_id, environment, id);
      CREATE INDEX bank_statements_by_status ON bank_statements (organization_id, environment, redaction_status, id);
      CREATE INDEX bank_statements_by_project ON bank_statements (organization_id, environment, project_id, id);
      CREATE INDEX bank_statements_search ON bank_statements USING gin ((organization_id::text || environment), search_key gin_trgm_ops) WITH (gin_pending_list_limit = 64);
      CREATE INDEX bank_statements_pending ON bank_statements (id) WHERE redaction_status = 'pending';
      CREATE INDEX bank_statements_queued ON bank_statements (organization_id, id) WHERE redaction_status = 'queued';
      CREATE INDEX bank_statements_running ON bank_statements (organization_id) WHERE redaction_status = 'running';
      CREATE INDEX bank_statements_taken ON bank_statements (organization_id, taken_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bank_statements');
  }
}
