import { deserialize } from 'node:v8';
import { Injectable } from '@nestjs/common';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Events } from '../../../store/events/events.js';
import { Clock } from '../../../kernel/time.js';
import type { RedactedLine } from '../redaction/redactor.js';
import { isZero, negated, sumOf } from '../formats/amounts.js';
import type { AccountBalance, BankStatement } from '../statement.entity.js';
import { BankStatementDto } from '../statements.dto.js';
import { BankStatementUpdated } from '../statements.events.js';
import { StatementsRepository } from '../statements.repository.js';
import { StatementNamesRepository } from '../names/statement-names.repository.js';
import { LinesRepository } from './lines.repository.js';
import type { ReadFile } from './read-and-redact.computation.js';
import type { StatementFacts } from './statement-facts.js';

interface Read extends Pick<ReadFile, 'facts' | 'names'> {
  /** Of redacted lines, serialized. */
  readonly batches: readonly Uint8Array[];
}

type Neighbour = Pick<BankStatement, 'id' | 'certainty' | 'periodEnd'> & { readonly balances: readonly AccountBalance[] };

/**
 * Stores the lines of statements. A file such as an OFX states the balance at its end alone: with that of an earlier file, it proves the
 * lines that lie between them.
 */
@Injectable()
export class StoredLines {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly lines: LinesRepository,
    private readonly names: StatementNamesRepository,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  /** Returns what is known of the statement then. Later ones that it proves are told so. No line is stored as it was. */
  async store(ctx: WriteContext, id: string, { batches, facts, names }: Read): Promise<StatementFacts> {
    for (const batch of batches) await this.lines.insert(ctx, id, deserialize(batch) as RedactedLine[]);
    if (names.length > 0) await this.names.store(ctx, id, names);
    const { periodStart, periodEnd } = facts;
    const stated = (facts.balances ?? []).filter(({ key, closing }) => Boolean(key) && closing !== null);
    if (stated.length === 0 || periodStart === null || periodEnd === null) return facts;
    const keys = stated.map(({ key }) => key!);
    const neighbours = (await this.statements.neighbours(ctx, { id, keys, periodStart, periodEnd })) as Neighbour[];
    const own: Neighbour = { id, certainty: facts.certainty, periodEnd, balances: facts.balances ?? [] };
    for (const later of neighbours) if (await this.isProven(ctx, later, [own])) await this.tell(ctx, later.id);
    return (await this.isProven(ctx, own, neighbours)) ? { ...facts, certainty: 'proven' } : facts;
  }

  /** Whether each balance at the end is that of an earlier statement and the lines together. */
  private async isProven(
    ctx: WriteContext,
    { id, certainty, periodEnd, balances }: Neighbour,
    others: readonly Neighbour[],
  ): Promise<boolean> {
    const earlier = others.filter((other) => other.periodEnd! < periodEnd!).flatMap((other) => other.balances);
    if (certainty !== 'plausible' || earlier.length === 0) return false;
    const sums = await this.lines.sums(ctx, id);
    return balances.every(({ account, key, currency, closing }) => {
      const { sum = '0' } = sums.find((one) => one.account === account && one.currency === currency) ?? {};
      const isBefore = (other: AccountBalance): boolean => Boolean(key) && other.key === key && other.currency === currency;
      const rests = earlier.filter(isBefore).map((other) => closing && other.closing && sumOf([other.closing, sum, negated(closing)]));
      return rests.some((rest) => rest && isZero(rest));
    });
  }

  private async tell(ctx: WriteContext, id: string): Promise<void> {
    const before = await this.statements.lock(ctx, id);
    if (before?.certainty !== 'plausible') return;
    const after: BankStatement = { ...before, certainty: 'proven', updatedAt: this.clock.after(before.updatedAt) };
    await this.statements.change(ctx, after, ['certainty']);
    const shown = { before: BankStatementDto.from(before), after: BankStatementDto.from(after) };
    this.events.append(ctx, BankStatementUpdated, shown, 'bank_statement.proven');
  }
}
