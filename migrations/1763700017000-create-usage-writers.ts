import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which counts each process has written, so that none is added twice if the answer to a write is lost. */
export class CreateUsageWriters1763700017000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE usage_writers (
        id uuid CONSTRAINT usage_writers_pkey PRIMARY KEY,
        last_batch integer NOT NULL,
        written_at timestamptz(3) NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE usage_writers');
  }
}
