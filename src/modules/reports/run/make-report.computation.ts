import type { ReportLimits } from '../../../kernel/report-limits.js';
import { tokenOf } from '../../../kernel/tokens.js';
import { categoriesOf, computeReport } from '../engine/compute.js';
import type { Finding } from '../engine/checks/findings.js';
import type { RunInputs, RunLine } from '../engine/inputs.js';
import type { ClaimedLine } from '../engine/line-accumulator.js';
import { readOutputOptions } from '../engine/output-options.js';
import { requireFewPatterns, requireSmallResult } from '../engine/within-limits.js';
import { LineList, type DetailLine } from '../outputs/detail-line.js';
import type { Report, ReportAbout } from '../outputs/report.js';
import { fileHasBookings, fileListsClaims, writeOutputs, type WrittenFile } from '../outputs/write-outputs.js';
import { bookingAccountsOf } from '../../rules/index.js';
import type { Computed } from '../result.dto.js';
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
  const options = readOutputOptions(inputs.configuration?.outputOptions ?? {});
  const lines = new LineList();
  const findings: Finding[] = [];
  const [keepsAll, keepsClaimed] = [options.detail === 'lines', fileListsClaims(options)];
  const keep = (claimed: ClaimedLine) => {
    if (keepsAll || claimed.category !== null) lines.push(detailOf(claimed));
  };
  const computed = await computeReport(inputs, linesOf(batches), {
    tokenOf: (field, value) => tokenOf(tokenKey, field === 'counterparty' ? 'person' : 'account', value),
    onLine: keepsAll || keepsClaimed ? keep : undefined,
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
    lines,
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

/** The fields of a line that files show. */
function detailOf({ line, ...claim }: ClaimedLine): DetailLine {
  const { statementId, lineNumber, bookedOn, account, counterparty, description, reference, amount, currency } = line;
  return { statementId, lineNumber, bookedOn, account, counterparty, description, reference, amount, currency, ...claim };
}
