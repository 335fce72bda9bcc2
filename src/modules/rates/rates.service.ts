import { Injectable } from '@nestjs/common';
import { StartError } from '../../kernel/settings/settings.js';
import { UnitOfWork, type Unit } from '../../store/database/unit-of-work.js';
import { type Quote, readRatesFile } from './ecb/read-file.js';
import { RatesRepository, type DayRates, type StoredCurrency } from './rates.repository.js';

const ECB = 'ecb';
const ROWS_PER_STATEMENT = 5000;

export interface ImportedRates {
  readonly days: number;
  readonly currencies: number;
  readonly first: string;
  readonly last: string;
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
}

/** The reference rates of the European Central Bank, as the operator has imported them. */
@Injectable()
export class RatesService {
  constructor(
    private readonly rates: RatesRepository,
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
    return this.rates.stored(ECB);
  }

  /** What one euro was worth, by day, the earliest first. */
  quotes(currencies: readonly string[], first: string, last: string): Promise<DayRates[]> {
    return this.rates.between(ECB, currencies, first, last);
  }

  private async store(quotes: readonly Quote[], replace: boolean, unit: Unit): Promise<{ added: number; replaced: number }> {
    await this.rates.lock(unit);
    const parts = Array.from({ length: Math.ceil(quotes.length / ROWS_PER_STATEMENT) }, (_value, index) =>
      quotes.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT),
    );
    if (!replace) await this.requireAgreement(parts, unit);
    let [added, replaced] = [0, 0];
    for (const part of parts) {
      const done = await this.rates.store(ECB, part, unit);
      [added, replaced] = [added + done.added, replaced + done.replaced];
    }
    return { added, replaced };
  }

  private async requireAgreement(parts: readonly (readonly Quote[])[], unit: Unit): Promise<void> {
    for (const part of parts) {
      const [first] = await this.rates.contradicted(ECB, part, unit);
      if (!first) continue;
      const { currency, day, stored, rate } = first;
      throw new StartError(
        `The rate of ${currency} for ${day} is stored as ${stored}, and is ${rate} in the file. Nothing was imported. ` +
          'With --replace, the rates of the file replace those that are stored.',
      );
    }
  }
}
