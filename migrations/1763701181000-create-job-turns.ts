import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which jobs with a time of day have run on which day. */
export class CreateJobTurns1763701181000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE job_turns (
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        job_id text NOT NULL,
        day date NOT NULL,
        attempts integer NOT NULL,
        started_at timestamptz(3) NOT NULL,
        due_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        error_code text,
        CONSTRAINT job_turns_pkey PRIMARY KEY (organization_id, environment, job_id, day)
      ) WITH (autovacuum_vacuum_scale_factor = 0.05);
      CREATE INDEX job_turns_by_day ON job_turns (day);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE job_turns');
  }
}
