import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Published exchange rates. They are public facts, so they belong to no organization. */
export class CreateExchangeRates1763700031000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE exchange_rates (
        source text NOT NULL,
        currency text NOT NULL,
        quoted_on date NOT NULL,
        rate numeric NOT NULL,
        CONSTRAINT exchange_rates_pkey PRIMARY KEY (source, currency, quoted_on)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE exchange_rates');
  }
}
