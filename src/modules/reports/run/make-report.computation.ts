import { pick } from '../../../kernel/changes.js';
import type { ReportLimits } from '../../../kernel/report-limits.js';
import { tokenOf } from '../../../../tools/personal-data/tokens/index.js';
import { type Wording, wordingOf } from '../../../api/wording/wording.js';
import { bookingAccountsOf } from '../../rules/index.js';
import type { Finding } from '../engine/checks/findings.js';
import { categoriesOf, computeReport } from '../engine/compute.js';
import { ITEMS_STATEMENT, readOutputOptions, requireFewPatterns, requireSmallResult } from '../engine/inputs.js';
import type { OutputOptions, RunInputs, RunLine } from '../engine/inputs.js';
import { type ClaimedLine, type DecidableLine, type LeftOut, type LineListeners, UNCLAIMED } from '../engine/line-accumulator.js';
import { ListedLines, type PackedLines } from '../lines/listed-lines.js';
import { type DetailLine, LineList, type ReceiptPart, type Report, type ReportAbout, type ReportStatement } from '../outputs/report.js';
import { fileHasBookings, fileListsClaims, fileShowsStatements, writeOutputs, type WrittenFile } from '../outputs/write-outputs.js';
import type { Computed } from '../result.dto.js';

/** The lines of a run that its files need, and no others. */
class KeptLines implements Pick<Report, 'lines' | 'leftOut'> {
  readonly lines = new LineList();
  readonly leftOut = { repeated: new LineList(), outside: new LineList() };
  readonly listed = new ListedLines();

  listenersFor(options: OutputOptions): LineListeners {
    const showsStatements = fileShowsStatements(options);
    const keepsAll = showsStatements || options.detail === 'lines';
    const onDecidable = (line: DecidableLine): void => this.listed.push(line);
    if (!keepsAll && !fileListsClaims(options)) return { onDecidable };
    return {
      onDecidable,
      onLine: ({ line, ...claim }) => {
        if (keepsAll || claim.category !== null) this.lines.push(detailOf(line, claim));
      },
      ...(showsStatements && { onLeftOut: (line: RunLine, why: LeftOut) => this.leftOut[why].push(detailOf(line, UNCLAIMED)) }),
    };
  }
}

function detailOf(line: RunLine, claim: Omit<ClaimedLine, 'line'>): DetailLine {
  const { statementId, lineNumber, bookedOn, account, counterparty, description, reference, amount, currency } = line;
  return { statementId, lineNumber, bookedOn, account, counterparty, description, reference, amount, currency, ...claim };
}

/** Everything that a report is made from, but its lines. */
export interface ReportOrder {
  readonly run: { readonly id: string; readonly startedAt: string };
  readonly inputs: RunInputs;
  readonly tokenKey: Uint8Array;
  readonly limits: ReportLimits;
}

/** A result, and the lines that people may decide about, packed. */
export interface ComputedReport {
  readonly computed: Computed;
  readonly listed: PackedLines;
}

export interface LineBatch {
  readonly statementId: string;
  readonly lines: readonly Omit<RunLine, 'statementId'>[];
}

export default async function* makeReport(
  { run, inputs, tokenKey, limits }: ReportOrder,
  items: AsyncIterable<LineBatch | ReceiptPart>,
): AsyncGenerator<WrittenFile, ComputedReport> {
  requireFewPatterns(inputs.categories, limits);
  const { added: optionsOfAdded, ...options } = readOutputOptions(inputs.configuration?.outputOptions ?? {});
  const findings: Finding[] = [];
  const kept = new KeptLines();
  const arriving = new Arriving(items);
  const computed = await computeReport(inputs, arriving.lines(), {
    tokenOf: (field, value) => tokenOf(tokenKey, field === 'counterparty' ? 'person' : 'account', value),
    ...kept.listenersFor(options),
    onFinding: (finding) => findings.push(finding),
  });
  requireSmallResult(computed, limits);
  const report: Report = {
    about: aboutOf(run, inputs),
    statements: reportStatements(inputs, computed, wordingOf(options.locale)),
    accounts: fileHasBookings(options) ? categoriesOf(inputs).map(({ sourceMapping }) => bookingAccountsOf(sourceMapping)) : [],
    result: computed,
    findings,
    options,
    optionsOfAdded,
    hasDecisions: inputs.decisions !== undefined,
    lines: kept.lines,
    leftOut: kept.leftOut,
    maxFileBytes: limits.fileBytes,
  };
  yield* writeOutputs(report, arriving.receipts());
  return { computed, listed: kept.listed.finish() };
}

/** First the lines of a run, then the files of its receipts. */
class Arriving {
  private readonly items: AsyncIterator<LineBatch | ReceiptPart>;
  private part: ReceiptPart | undefined;

  constructor(items: AsyncIterable<LineBatch | ReceiptPart>) {
    this.items = items[Symbol.asyncIterator]();
  }

  async *lines(): AsyncGenerator<readonly RunLine[]> {
    for (let next = await this.items.next(); next.done !== true; next = await this.items.next()) {
      const { value } = next;
      if ('bytes' in value) return void (this.part = value);
      yield value.lines.map((line) => ({ ...line, statementId: value.statementId }));
    }
  }

  async *receipts(): AsyncGenerator<ReceiptPart> {
    while (this.part) {
      yield this.part;
      const next = await this.items.next();
      this.part = next.done === true ? undefined : (next.value as ReceiptPart);
    }
  }
}

function aboutOf({ id, startedAt }: ReportOrder['run'], { organization, project, configuration }: RunInputs): ReportAbout {
  return {
    organization: organization?.name ?? null,
    project: project?.name ?? null,
    clientReference: project?.clientReference ?? null,
    configuration: configuration?.name ?? null,
    runId: id,
    startedAt,
  };
}

/** The statements of a run for its files. The engine keeps their order. */
function reportStatements({ statements }: RunInputs, { statements: counted }: Computed, { say }: Wording): ReportStatement[] {
  return statements.map((statement, index) => {
    const { id, fileName, accountLabel, certainty } = statement;
    return {
      reference: `S${index + 1}`,
      id,
      fileName: id === ITEMS_STATEMENT ? say('report.claimItems') : (fileName ?? null),
      accountLabel: accountLabel ?? null,
      ...pick(statement, ['periodStart', 'periodEnd', 'balances', 'sha256']),
      certainty: certainty ?? null,
      ...pick(counted[index]!, ['linesRead', 'linesUsed', 'duplicates']),
    };
  });
}
