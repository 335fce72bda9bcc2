import { Injectable } from '@nestjs/common';
import { StartError } from '../../kernel/settings/settings.js';
import { Database, prepared } from '../../store/database/database.js';
import { UnitOfWork, type Unit } from '../../store/database/unit-of-work.js';
import { type Quote, readRatesFile } from './ecb/read-file.js';

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

const ECB = 'ecb';
const ROWS_PER_STATEMENT = 5000;

export interface StoredCurrency {
  readonly currency: string;
  readonly days: number;
  readonly first: string;
  readonly last: string;
}

export interface DayRates {
  readonly day: string;
  readonly quotes: Readonly<Record<string, string>>;
}

export interface ImportedRates extends Omit<StoredCurrency, 'currency'> {
  readonly currencies: number;
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
}

/** The reference rates of the European Central Bank, as the operator has imported them. */
@Injectable()
export class RatesService {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Stores all rates of a file, or none. A rate that contradicts a stored one is refused, unless it is to replace it. */
  async import(file: Buffer, { replace = false }: { readonly replace?: boolean } = {}): Promise<ImportedRates> {
    const quotes = readRatesFile(file);
    const { added, replaced } = await this.unitOfWork.transact((unit) => this.store(quotes, replace, unit));
    const days = [...new Set(quotes.map(({ day }) => day))].sort();
    const currencies = new Set(quotes.map(({ currency }) => currency)).size;
    const unchanged = quotes.length - added - replaced;
    return { days: days.length, currencies, first: days[0]!, last: days.at(-1)!, added, replaced, unchanged };
  }

  stored(): Promise<StoredCurrency[]> {
    return this.database.rows(STORED, [ECB]);
  }

  /** What one euro was worth, by day, the earliest first. */
  quotes(currencies: readonly string[], first: string, last: string): Promise<DayRates[]> {
    return this.database.rows(BETWEEN, [ECB, currencies, first, last]);
  }

  private async store(quotes: readonly Quote[], replace: boolean, unit: Unit): Promise<{ added: number; replaced: number }> {
    // Imports wait for one another, so that none overlooks what another writes. Reads go on.
    await this.database.rows(LOCK, [], unit);
    const parts = Array.from({ length: Math.ceil(quotes.length / ROWS_PER_STATEMENT) }, (_value, index) =>
      quotes.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT),
    );
    if (!replace) await this.requireAgreement(parts, unit);
    let [added, replaced] = [0, 0];
    for (const part of parts) {
      const [done] = await this.database.rows<{ added: number; replaced: number }>(STORE, [ECB, ...columnsOf(part)], unit);
      [added, replaced] = [added + done!.added, replaced + done!.replaced];
    }
    return { added, replaced };
  }

  private async requireAgreement(parts: readonly (readonly Quote[])[], unit: Unit): Promise<void> {
    for (const part of parts) {
      const [first] = await this.database.rows<Quote & { stored: string }>(CONTRADICTED, [ECB, ...columnsOf(part)], unit);
      if (!first) continue;
      const { currency, day, stored, rate } = first;
      throw new StartError(
        `The rate of ${currency} for ${day} is stored as ${stored}, and is ${rate} in the file. Nothing was imported. ` +
          'With --replace, the rates of the file replace those that are stored.',
      );
    }
  }
}

const columnsOf = (quotes: readonly Quote[]): unknown[] =>
  (['day', 'currency', 'rate'] as const).map((column) => quotes.map((quote) => quote[column]));
