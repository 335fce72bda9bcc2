import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys of devices by which a person signs in. Like their password, they stand in each of the person's users. */
export class AddPasskeys1763701080000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE users ADD passkeys json NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP passkeys');
  }
}
