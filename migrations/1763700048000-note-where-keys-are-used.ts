import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The address of the last call with an API key, for whoever wonders where a key is. */
export class NoteWhereKeysAreUsed1763700048000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys ADD last_used_from text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP last_used_from');
  }
}
