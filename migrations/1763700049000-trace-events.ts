import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace of the request that caused an event, if it was traced: deliveries are part of it. */
export class TraceEvents1763700049000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events ADD traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events DROP traceparent');
  }
}
