import { getOrCreate } from '../../../../kernel/get-or-create.js';
import { AccountIdentities, periodOf } from '../checks/evidence.js';
import type { Finding } from '../checks/findings.js';
import { type DateRange, overlap, type RunLine, type RunStatement } from '../inputs.js';

/** Words that banks add to any booking, and words of tokens. They say nothing about which booking it is. */
// oxfmt-ignore
const GENERIC = new Set([
  'ACCOUNT', 'PERSON', 'CARD', 'PAYMENT', 'TRANSFER', 'DIRECT', 'DEBIT', 'CREDIT', 'STANDING', 'ORDER', 'PURCHASE', 'SEPA', 'FASTER',
  'FROM',
  'DATE', 'REFERENCE', 'INSTANT', 'ONLINE', 'BANK', 'EREF', 'MREF', 'SVWZ', 'CRED', 'NOTPROVIDED',
  'LASTSCHRIFT', 'ÜBERWEISUNG', 'UEBERWEISUNG', 'GUTSCHRIFT', 'KARTENZAHLUNG', 'BASISLASTSCHRIFT', 'FOLGELASTSCHRIFT', 'DAUERAUFTRAG',
  'VIREMENT', 'PRELEVEMENT', 'PRLV', 'CARTE', 'ACHAT', 'PAIEMENT', 'BETAALPAS', 'PASVOLGNR', 'OVERBOEKING', 'INCASSO', 'IDEAL', 'TRTP',
  'IBAN', 'NAAM', 'OMSCHRIJVING', 'TRANSFERENCIA', 'RECIBO', 'COMPRA', 'TARJETA', 'BONIFICO', 'PAGAMENTO', 'ADDEBITO', 'CARTA', 'PRZELEW',
]);
const WORD = /[\p{L}\p{N}]{4,}/gu;
/** Years, days and short numbers, which many bookings have in common. */
const COMMON_NUMBER = /^(?:\d{4,5}|(?:19|20)\d{6}|\d{4}(?:19|20)\d{2})$/;

/** The words of a line that can tell it from others of the same day and amount, as numbers, which take less memory. */
function saidWords({ description, counterparty, reference }: RunLine): ReadonlySet<number> {
  const words = `${description} ${counterparty ?? ''} ${reference ?? ''}`.normalize('NFKC').toUpperCase().match(WORD) ?? [];
  return new Set(words.filter((word) => !GENERIC.has(word) && !COMMON_NUMBER.test(word)).map(numberOf));
}

function sharedWords(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared;
}

/** FNV-1a. */
function numberOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** A line that may be compared with lines of other statements. */
interface Candidate {
  readonly statement: RunStatement;
  readonly line: RunLine;
  readonly words: ReadonlySet<number>;
}

const candidateOf = (statement: RunStatement, line: RunLine): Candidate => ({ statement, line, words: saidWords(line) });

/** A line and the earlier line with the same account, day, amount and currency that it was compared with. */
interface Pair {
  readonly later: Candidate;
  readonly earlier: Candidate;
  /**
   * `same`: one booking. `similar`: one booking as other formats write it, or two; nothing but account, day and amount tells.
   * `separate`: the same format writes it in another way, so it is another booking, unless the bank has changed its text.
   */
  readonly is: 'same' | 'similar' | 'separate';
}

/** More comparisons of texts than this would take too long: all of these lines have the same day and amount. */
const MAX_COMPARISONS = 10_000;

/** Compares the lines of a statement with earlier ones of the same account, day, amount and currency. Each is in one pair at most. */
function pairsOf(lines: readonly Candidate[], earlier: readonly Candidate[]): Pair[] {
  const [open, free] = [new Set(lines), new Set(earlier)];
  const pairs: Pair[] = [];
  const pair = (later: Candidate, other: Candidate, is: Pair['is']): void => {
    open.delete(later);
    free.delete(other);
    pairs.push({ later, earlier: other, is });
  };
  for (const [later, other] of byFingerprint(lines, earlier)) pair(later, other, 'same');
  for (const [later, other] of byWords([...open], [...free])) if (open.has(later) && free.has(other)) pair(later, other, 'same');
  for (const later of [...open]) {
    const [other] = free;
    if (other) pair(later, other, sameFormat(later, other) ? 'separate' : 'similar');
  }
  return pairs;
}

function* byFingerprint(lines: readonly Candidate[], earlier: readonly Candidate[]): Generator<readonly [Candidate, Candidate]> {
  const byPrint = new Map<string, Candidate[]>();
  for (const other of earlier) getOrCreate(byPrint, other.line.fingerprint, () => []).push(other);
  for (const later of lines) {
    const other = byPrint.get(later.line.fingerprint)?.pop();
    if (other) yield [later, other];
  }
}

/** Pairs with words in common, those with the most first. The same format would not write a booking in two ways. */
function byWords(lines: readonly Candidate[], earlier: readonly Candidate[]): (readonly [Candidate, Candidate])[] {
  if (lines.length * earlier.length > MAX_COMPARISONS) return [];
  const found = lines.flatMap((later) =>
    earlier
      .filter((other) => !sameFormat(later, other))
      .map((other) => ({ pair: [later, other] as const, shared: sharedWords(later.words, other.words) })),
  );
  return found
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .map(({ pair }) => pair);
}

const sameFormat = (one: Candidate, other: Candidate): boolean => one.statement.format === other.statement.format;

/** Which statements of a run cover days of the same account. The lines of all others need not be compared. */
class Overlaps {
  private readonly earlier = new Map<string, readonly RunStatement[]>();
  private readonly compared = new Set<string>();

  constructor(statements: readonly RunStatement[], identities: AccountIdentities) {
    const byAccount = new Map<string, RunStatement[]>();
    for (const statement of statements) {
      const accounts = [...identities.ofStatement(statement)].map((account) => getOrCreate(byAccount, account, () => []));
      const others = new Set(accounts.flatMap((before) => before.filter((other) => commonDays(statement, other) !== null)));
      this.earlier.set(statement.id, [...others]);
      if (others.size > 0) for (const { id } of [statement, ...others]) this.compared.add(id);
      for (const before of accounts) before.push(statement);
    }
  }

  /** The statements before this one that cover days of the same account. */
  before({ id }: RunStatement): readonly RunStatement[] {
    return this.earlier.get(id) ?? [];
  }

  /** Whether an earlier or a later statement covers days of the same account. */
  concern({ id }: RunStatement): boolean {
    return this.compared.has(id);
  }
}

function commonDays(one: RunStatement, other: RunStatement): DateRange | null {
  const [first, second] = [periodOf(one), periodOf(other)];
  const days = first && second && overlap(first, second);
  return days && days.start <= days.end ? days : null;
}

const MAX_NAMED = 5;

interface ComparedStatements {
  readonly later: RunStatement;
  readonly earlier: RunStatement;
  readonly days: DateRange;
  readonly similar: readonly Pair[];
  readonly separate: readonly Pair[];
  /** How many lines of the later statement both should have, and how many of them the earlier one does not have. */
  readonly lines: number;
  readonly missing: number;
  /** How many lines of the earlier one both should have. */
  readonly earlierLines: number;
}

class OverlapFindings {
  private readonly overlaps: ComparedStatements[] = [];
  /** How many lines each statement has, by statement, account and day. */
  private readonly counts = new Map<string, Map<string, Map<string, number>>>();

  constructor(private readonly identities: AccountIdentities) {}

  add(later: RunStatement, lines: readonly RunLine[], pairs: readonly Pair[], before: readonly RunStatement[]): void {
    this.count(later, lines);
    const paired = new Set(pairs.map((pair) => pair.later.line));
    for (const earlier of before) {
      const days = commonDays(later, earlier)!;
      const accounts = this.identities.ofStatement(earlier);
      const inBoth = lines.filter(
        (line) => isWithin(days, earlier, line.bookedOn) && accounts.has(this.identities.ofLine(line, later) ?? ''),
      );
      const ofEarlier = pairs.filter((pair) => pair.earlier.statement === earlier);
      this.overlaps.push({
        later,
        earlier,
        days,
        similar: ofEarlier.filter(({ is }) => is === 'similar'),
        separate: ofEarlier.filter(({ is }) => is === 'separate'),
        lines: inBoth.length,
        missing: inBoth.filter((line) => !paired.has(line)).length,
        earlierLines: this.linesIn(days, earlier, later),
      });
    }
  }

  *found(): Generator<Finding> {
    for (const overlap of this.overlaps) {
      const { similar, separate, missing, days, lines } = overlap;
      const [later, earlier] = [overlap.later.id, overlap.earlier.id];
      if (similar.length > 0 && !agrees(overlap)) yield { kind: 'possible_duplicate', later, earlier, ...placesOf(similar), once: true };
      if (separate.length > 0) yield { kind: 'possible_duplicate', later, earlier, ...placesOf(separate), once: false };
      if (missing > 0) yield { kind: 'overlap_differs', later, earlier, days, lines, missing };
    }
  }

  private count(statement: RunStatement, lines: readonly RunLine[]): void {
    const accounts = getOrCreate(this.counts, statement.id, () => new Map<string, Map<string, number>>());
    for (const line of lines) {
      const days = getOrCreate(accounts, this.identities.ofLine(line, statement) ?? '', () => new Map<string, number>());
      days.set(line.bookedOn, (days.get(line.bookedOn) ?? 0) + 1);
    }
  }

  private linesIn(days: DateRange, earlier: RunStatement, later: RunStatement): number {
    const accounts = this.identities.ofStatement(later);
    const ofEarlier = [...(this.counts.get(earlier.id) ?? [])].filter(([account]) => accounts.has(account));
    const inDays = ofEarlier.flatMap(([, counts]) => [...counts].filter(([day]) => isWithin(days, earlier, day)));
    return inDays.reduce((sum, [, count]) => sum + count, 0);
  }
}

/** The last day of the earlier statement may not have been over when it was made, so later bookings of that day are no difference. */
const isWithin = ({ start, end }: DateRange, earlier: RunStatement, day: string): boolean =>
  start <= day && day <= end && day !== earlier.periodEnd;

/** Both have the same days and amounts: they are the same bookings, whatever their texts. */
const agrees = ({ lines, missing, earlierLines }: ComparedStatements): boolean => lines > 0 && missing === 0 && lines === earlierLines;

function placesOf(pairs: readonly Pair[]) {
  const named = pairs.slice(0, MAX_NAMED);
  return {
    lines: named.map(({ later, earlier }) => ({ later: later.line.lineNumber, earlier: earlier.line.lineNumber })),
    more: pairs.length - named.length,
  };
}

/**
 * Finds bookings that an earlier statement of the same account has as well, though another format writes them in another way: the same
 * account, day, amount and currency. Equal bookings of one statement are different ones, so each line stands for one line at most.
 */
class RepeatedBookings {
  readonly findings: OverlapFindings;
  /** The bookings so far, by account, day, amount and currency. */
  private readonly bookings = new Map<string, Candidate[]>();

  constructor(
    private readonly identities: AccountIdentities,
    private readonly overlaps: Overlaps,
  ) {
    this.findings = new OverlapFindings(identities);
  }

  /** The lines of a whole statement that repeat earlier ones. To be called statement by statement, in the order of the run's inputs. */
  in(statement: RunStatement, lines: readonly RunLine[]): ReadonlySet<RunLine> {
    const byBooking = new Map<string, Candidate[]>();
    for (const line of lines) {
      const booking = this.bookingOf(line, statement);
      if (booking !== null) getOrCreate(byBooking, booking, () => []).push(candidateOf(statement, line));
    }
    const pairs = [...byBooking].flatMap(([booking, candidates]) => this.compare(booking, candidates));
    this.findings.add(statement, lines, pairs, this.overlaps.before(statement));
    return new Set(pairs.filter(({ is }) => is !== 'separate').map(({ later }) => later.line));
  }

  private compare(booking: string, candidates: readonly Candidate[]): Pair[] {
    const earlier = getOrCreate(this.bookings, booking, () => []);
    const pairs = pairsOf(candidates, earlier);
    const repeated = new Set(pairs.filter(({ is }) => is !== 'separate').map(({ later }) => later));
    for (const candidate of candidates) if (!repeated.has(candidate)) earlier.push(candidate);
    return pairs;
  }

  private bookingOf(line: RunLine, statement: RunStatement): string | null {
    const account = this.identities.ofLine(line, statement);
    return account && JSON.stringify([account, line.bookedOn, plainAmount(line.amount), line.currency]);
  }
}

/** Without unnecessary zeros: `-5.10` is `-5.1`. */
const plainAmount = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

/** Some lines, and those of them that repeat a booking of an earlier statement. */
interface ComparedLines {
  readonly lines: readonly RunLine[];
  readonly repeated: ReadonlySet<RunLine>;
}

const NONE: ReadonlySet<RunLine> = new Set();
const LINES_PER_BATCH = 500;

/** Compares statements that cover the same days of an account. */
export class StatementComparison {
  readonly identities: AccountIdentities;
  private readonly statements: ReadonlyMap<string, RunStatement>;
  private readonly overlaps: Overlaps;
  private readonly bookings: RepeatedBookings;
  /** All lines so far of a statement that has to be compared: the best pairs are known at its end. */
  private held: RunLine[] = [];

  constructor(statements: readonly RunStatement[]) {
    this.statements = new Map(statements.map((statement) => [statement.id, statement]));
    this.identities = new AccountIdentities(statements);
    this.overlaps = new Overlaps(statements, this.identities);
    this.bookings = new RepeatedBookings(this.identities, this.overlaps);
  }

  async *compare(batches: AsyncIterable<readonly RunLine[]>): AsyncGenerator<ComparedLines> {
    for await (const batch of batches) {
      for (const written of byStatement(batch)) {
        const lines = this.withCurrencies(written);
        if (this.held.length > 0 && this.held[0]!.statementId !== lines[0]!.statementId) yield* this.release();
        if (this.overlaps.concern(this.statementOf(lines[0]!))) for (const line of lines) this.held.push(line);
        else yield { lines, repeated: NONE };
      }
    }
    yield* this.release();
  }

  findings(): Iterable<Finding> {
    return this.bookings.findings.found();
  }

  private withCurrencies(lines: readonly RunLine[]): readonly RunLine[] {
    if (lines.every(({ currency }) => currency !== null)) return lines;
    const statement = this.statementOf(lines[0]!);
    return lines.map((line) => ({ ...line, currency: this.identities.currencyOf(line, statement) }));
  }

  private *release(): Generator<ComparedLines> {
    const lines = this.held;
    if (lines.length === 0) return;
    this.held = [];
    const repeated = this.bookings.in(this.statementOf(lines[0]!), lines);
    for (let from = 0; from < lines.length; from += LINES_PER_BATCH) yield { lines: lines.slice(from, from + LINES_PER_BATCH), repeated };
  }

  private statementOf({ statementId }: RunLine): RunStatement {
    const statement = this.statements.get(statementId);
    if (!statement) throw new Error('A line belongs to a statement that is not among the inputs.');
    return statement;
  }
}

function* byStatement(batch: readonly RunLine[]): Generator<readonly RunLine[]> {
  let from = 0;
  while (from < batch.length) {
    const { statementId } = batch[from]!;
    const next = batch.findIndex((line, index) => index > from && line.statementId !== statementId);
    const end = next < 0 ? batch.length : next;
    yield batch.slice(from, end);
    from = end;
  }
}
