import type { ReportLimits } from '../../../kernel/report-limits.js';
import { tokenOf } from '../../../kernel/tokens.js';
import { categoriesOf, computeReport } from '../engine/compute.js';
import type { Finding } from '../engine/checks/findings.js';
import type { RunInputs, RunLine } from '../engine/inputs.js';
import { readOutputOptions } from '../engine/output-options.js';
import { requireFewPatterns, requireSmallResult } from '../engine/within-limits.js';
import type { Report, ReportAbout } from '../outputs/report.js';
import { fileHasBookings, writeOutputs, type WrittenFile } from '../outputs/write-outputs.js';
import { bookingAccountsOf } from '../../rules/index.js';
import type { Computed } from '../result.dto.js';
import { KeptLines } from './kept-lines.js';
import { reportStatements } from './report-statements.js';

/** Everything that a report is made from, but its lines. */
export interface ReportOrder {
  readonly run: { readonly id: string; readonly startedAt: string };
  readonly inputs: RunInputs;
  /** The tenant's key for tokens. */
  readonly tokenKey: Uint8Array;
  readonly limits: ReportLimits;
}

/** Some lines of a statement. */
export interface LineBatch {
  readonly statementId: string;
  readonly lines: readonly Omit<RunLine, 'statementId'>[];
}

/** Makes the files of a run, and returns its result. */
export default async function* makeReport(
  { run, inputs, tokenKey, limits }: ReportOrder,
  batches: AsyncIterable<LineBatch>,
): AsyncGenerator<WrittenFile, Computed> {
  requireFewPatterns(inputs.categories, limits);
  const { added: optionsOfAdded, ...options } = readOutputOptions(inputs.configuration?.outputOptions ?? {});
  const findings: Finding[] = [];
  const kept = new KeptLines();
  const computed = await computeReport(inputs, linesOf(batches), {
    tokenOf: (field, value) => tokenOf(tokenKey, field === 'counterparty' ? 'person' : 'account', value),
    ...kept.listenersFor(options),
    onFinding: (finding) => findings.push(finding),
  });
  requireSmallResult(computed, limits);
  const report: Report = {
    about: aboutOf(run, inputs),
    statements: reportStatements(inputs, computed),
    accounts: fileHasBookings(options) ? categoriesOf(inputs).map(({ sourceMapping }) => bookingAccountsOf(sourceMapping)) : [],
    result: computed,
    findings,
    options,
    optionsOfAdded,
    lines: kept.lines,
    leftOut: kept.leftOut,
    maxFileBytes: limits.fileBytes,
  };
  yield* writeOutputs(report);
  return computed;
}

async function* linesOf(batches: AsyncIterable<LineBatch>): AsyncGenerator<readonly RunLine[]> {
  for await (const { statementId, lines } of batches) yield lines.map((line) => ({ ...line, statementId }));
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
