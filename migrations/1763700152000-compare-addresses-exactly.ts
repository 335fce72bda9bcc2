import type { MigrationInterface, QueryRunner } from 'typeorm';

const KEY = `translate(email, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')`;
const LEFT = `SELECT id FROM users WHERE email_key <> ${KEY}`;

/** E-mail addresses are equal but for the case of ASCII letters. Before, other letters were brought into one form as well. */
export class CompareAddressesExactly1763700152000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // While the plan of an empty database is made, there is no table yet on a connection beside its own.
    const [{ exists }] = (await runner.query(`SELECT to_regclass('users') IS NOT NULL AS exists`)) as [{ exists: boolean }];
    if (!exists) return;
    do {
      await runner.query(`UPDATE users SET email_key = ${KEY} WHERE id IN (${LEFT} LIMIT 1000)`);
    } while (((await runner.query(`${LEFT} LIMIT 1`)) as unknown[]).length > 0);
  }

  /** The form of before cannot be made in SQL, and only addresses beyond ASCII have another one. */
  async down(): Promise<void> {}
}
