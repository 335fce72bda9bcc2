import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Security rules that bind one application, and keys that it publishes itself. Applications of earlier releases have neither. */
export class SecureApplications1763701090000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oauth_applications
        ADD jwks_uri text,
        ADD security_rules text[] NOT NULL DEFAULT '{}'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_applications DROP jwks_uri, DROP security_rules');
  }
}
