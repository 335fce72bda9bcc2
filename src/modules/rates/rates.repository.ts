import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../store/database/database.js';
import type { Unit } from '../../store/database/unit-of-work.js';
import type { Quote } from './ecb/read-file.js';

const GIVEN = 'unnest($2::date[], $3::text[], $4::numeric[]) AS given (quoted_on, currency, rate)';
const LOCK = prepared({ name: 'exchange_rates.lock', text: 'LOCK TABLE exchange_rates IN SHARE ROW EXCLUSIVE MODE' });
const CONTRADICTED = prepared({
  name: 'exchange_rates.contradicted',
  text: `SELECT given.quoted_on::text AS day, given.currency, given.rate::text AS rate, stored.rate::text AS stored
    FROM ${GIVEN} JOIN exchange_rates AS stored USING (quoted_on, currency)
    WHERE stored.source = $1 AND stored.rate <> given.rate ORDER BY 1, 2`,
});
// A row that was inserted has no xmax.
const STORE = prepared({
  name: 'exchange_rates.store',
  text: `WITH written AS (
      INSERT INTO exchange_rates AS stored (source, currency, quoted_on, rate) SELECT $1, currency, quoted_on, rate FROM ${GIVEN}
      ON CONFLICT (source, currency, quoted_on) DO UPDATE SET rate = excluded.rate WHERE stored.rate <> excluded.rate
      RETURNING xmax = 0 AS is_new
    ) SELECT count(*) FILTER (WHERE is_new)::integer AS added, count(*) FILTER (WHERE NOT is_new)::integer AS replaced FROM written`,
});
const BETWEEN = prepared({
  name: 'exchange_rates.between',
  text: `SELECT quoted_on::text AS day, json_object_agg(currency, rate::text ORDER BY currency) AS quotes FROM exchange_rates
    WHERE source = $1 AND currency = ANY ($2::text[]) AND quoted_on BETWEEN $3::date AND $4::date
    GROUP BY quoted_on ORDER BY quoted_on`,
});
const STORED = prepared({
  name: 'exchange_rates.stored',
  text: `SELECT currency, count(*)::integer AS days, min(quoted_on)::text AS first, max(quoted_on)::text AS last FROM exchange_rates
    WHERE source = $1 GROUP BY currency ORDER BY currency`,
});

export interface StoredCurrency {
  readonly currency: string;
  readonly days: number;
  readonly first: string;
  readonly last: string;
}

/** The rates of one source, which are the same for all organizations. */
@Injectable()
export class RatesRepository {
  constructor(private readonly database: Database) {}

  /** Imports wait for one another, so that none overlooks what another writes. Reads go on. */
  async lock(unit: Unit): Promise<void> {
    await this.database.rows(LOCK, [], unit);
  }

  contradicted(source: string, quotes: readonly Quote[], unit: Unit): Promise<(Quote & { readonly stored: string })[]> {
    return this.database.rows(CONTRADICTED, [source, ...columnsOf(quotes)], unit);
  }

  async store(source: string, quotes: readonly Quote[], unit: Unit): Promise<{ readonly added: number; readonly replaced: number }> {
    return (await this.database.rows<{ added: number; replaced: number }>(STORE, [source, ...columnsOf(quotes)], unit))[0]!;
  }

  between(source: string, currencies: readonly string[], first: string, last: string): Promise<DayRates[]> {
    return this.database.rows(BETWEEN, [source, currencies, first, last]);
  }

  stored(source: string): Promise<StoredCurrency[]> {
    return this.database.rows(STORED, [source]);
  }
}

export interface DayRates {
  readonly day: string;
  readonly quotes: Readonly<Record<string, string>>;
}

const columnsOf = (quotes: readonly Quote[]): unknown[] => [
  quotes.map(({ day }) => day),
  quotes.map(({ currency }) => currency),
  quotes.map(({ rate }) => rate),
];
