import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A certificate of an organization, and its key, by which the reports of final claims are signed. */
export class AddCertificates1763701069000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE signing_keys ADD COLUMN certificate_key bytea, ADD COLUMN certificates text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE signing_keys DROP COLUMN certificates, DROP COLUMN certificate_key');
  }
}
