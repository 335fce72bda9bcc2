import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each key and application has called on a day. Vacuum comes as early as to `usage_days`, whose rows change as often. */
export class CreateUsageCredentials1763701171000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE usage_credentials (
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        day date NOT NULL,
        credential_id uuid NOT NULL,
        type text NOT NULL,
        name text NOT NULL,
        calls integer NOT NULL,
        refused integer NOT NULL,
        daily_calls integer,
        noticed_at timestamptz(3),
        CONSTRAINT usage_credentials_pkey PRIMARY KEY (organization_id, environment, day, credential_id)
      ) WITH (autovacuum_vacuum_scale_factor = 0.05);
      CREATE INDEX usage_credentials_unnoticed ON usage_credentials (day) WHERE daily_calls IS NOT NULL AND noticed_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE usage_credentials');
  }
}
