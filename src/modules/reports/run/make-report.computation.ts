import { createHash } from 'node:crypto';
import type { ReportLimits } from '../../../kernel/report-limits.js';
import { tokenOf } from '../../../kernel/tokens.js';
import { computeReport } from '../engine/compute.js';
import type { RunInputs, RunLine } from '../engine/inputs.js';
import type { ClaimedLine } from '../engine/line-accumulator.js';
import { readOutputOptions } from '../engine/output-options.js';
import { requireFewPatterns, requireSmallResult } from '../engine/within-limits.js';
import { LineList, type DetailLine } from '../outputs/detail-line.js';
import type { OutputFormat } from '../../rules/index.js';
import { writeOutputs } from '../outputs/write-outputs.js';
import type { Computed } from '../result.dto.js';

/** Everything that a report is made from, but its lines. */
export interface ReportOrder {
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

/** A file and what the result says about it. */
export interface MadeFile {
  readonly format: OutputFormat;
  readonly content: Uint8Array;
  readonly sha256: string;
}

const TITLE = 'Claim report';

/** Makes the files of a run, and returns its result. */
export default async function* makeReport(
  { inputs, tokenKey, limits }: ReportOrder,
  batches: AsyncIterable<LineBatch>,
): AsyncGenerator<MadeFile, Computed> {
  requireFewPatterns(inputs.categories, limits);
  const options = readOutputOptions(inputs.configuration?.outputOptions ?? {});
  const lines = new LineList();
  const computed = await computeReport(inputs, linesOf(batches), {
    tokenOf: (field, value) => tokenOf(tokenKey, field === 'counterparty' ? 'person' : 'account', value),
    onLine: options.detail === 'lines' ? (claimed) => lines.push(detailOf(claimed)) : undefined,
  });
  requireSmallResult(computed, limits);
  const title = inputs.configuration?.name ?? TITLE;
  const subtitle = inputs.project?.name ?? null;
  for await (const { format, content } of writeOutputs({
    title,
    subtitle,
    result: computed,
    options,
    lines,
    maxFileBytes: limits.fileBytes,
  }))
    yield { format, sha256: createHash('sha256').update(content).digest('hex'), content };
  return computed;
}

async function* linesOf(batches: AsyncIterable<LineBatch>): AsyncGenerator<readonly RunLine[]> {
  for await (const { statementId, lines } of batches) yield lines.map((line) => ({ ...line, statementId }));
}

/** The fields of a line that files show. */
function detailOf({ line, ...claim }: ClaimedLine): DetailLine {
  const { statementId, lineNumber, bookedOn, account, counterparty, description, reference, amount, currency } = line;
  return { statementId, lineNumber, bookedOn, account, counterparty, description, reference, amount, currency, ...claim };
}
