import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who may approve an application. Until now only the operator suspended applications, or left them pending. */
export class HoldApplications1763700046000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oauth_applications ADD COLUMN held_by_operator boolean NOT NULL DEFAULT false;
      UPDATE oauth_applications SET held_by_operator = true WHERE status <> 'approved';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_applications DROP COLUMN held_by_operator');
  }
}
