import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The user who made an API key: what is done with it is not done by another person. Keys of earlier releases have none. */
export class NoteWhoMakesKeys1763701063000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys ADD created_by uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP created_by');
  }
}
