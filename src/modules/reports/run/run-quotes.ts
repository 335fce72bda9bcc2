import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { RatesService } from '../../rates/index.js';
import { ECB } from '../../rules/index.js';
import { StatementsService } from '../../statements/index.js';
import { addDays, rangeOver } from '../engine/calendar-days.js';
import type { RunInputs } from '../engine/inputs.js';
import { readOutputOptions } from '../engine/output-options.js';
import type { DayQuotes } from '../engine/rates/ecb-rates.js';
import { MAX_DAYS_BACK } from '../engine/rates/rate.js';
import type { ClaimReportPeriodDto } from '../result.dto.js';

/** The reference rates that the lines of a run may need, copied once: a later import does not change the run. */
@Injectable()
export class RunQuotes {
  constructor(
    private readonly rates: RatesService,
    private readonly statements: StatementsService,
  ) {}

  /** Of the currencies of its lines and accounts, and of their days; undefined if the options do not ask for them. */
  async of(
    ctx: Tenant,
    { configuration, statements }: RunInputs,
    period: ClaimReportPeriodDto | null,
  ): Promise<readonly DayQuotes[] | undefined> {
    const { rates, currency } = readOutputOptions(configuration?.outputOptions ?? {});
    if (rates !== ECB || currency === null) return undefined;
    const ids = statements.map(({ id }) => id);
    const found = await this.statements.currencies(ctx, ids, period);
    const days = rangeOver(found);
    if (!days) return [];
    const named = [
      ...found.map((one) => one.currency),
      ...statements.flatMap(({ balances }) => balances.map((balance) => balance.currency)),
    ];
    const wanted = new Set([currency, ...named.filter((code) => code !== null)]);
    // Without another currency there is nothing to convert.
    return wanted.size === 1 ? [] : this.rates.quotes([...wanted].sort(), addDays(days.start, -MAX_DAYS_BACK), days.end);
  }
}
