import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { StatementsService } from '../../statements/index.js';
import type { RunInputs, RunLine } from '../engine/inputs.js';
import { readOutputOptions } from '../engine/output-options.js';
import type { ClaimedLine } from '../engine/line-accumulator.js';
import { JobFailure } from '../../../kernel/failure.js';
import type { DetailLine } from '../outputs/detail-line.js';
import type { OutputFile } from '../outputs/write-outputs.js';
import type { Computed } from '../result.dto.js';

const TITLE = 'Claim report';
/** Rules with slow patterns are tried on every line. Keeps a run from blocking a worker forever. */
const MAX_RUN_MINUTES = 10;
const TOO_LONG = `The run took more than ${MAX_RUN_MINUTES} minutes. Use fewer or simpler patterns in the rules, or fewer statements.`;

/** A result and its files. Each file is made when it is requested, so that only one is in memory. */
export interface MadeReport {
  readonly computed: Computed;
  readonly files: AsyncIterable<OutputFile>;
}

/** Makes the result and the files of a run from its inputs. */
@Injectable()
export class ReportMaker {
  constructor(private readonly statements: StatementsService) {}

  async make(tenant: Tenant, inputs: RunInputs, signal: AbortSignal): Promise<MadeReport> {
    // Loaded on demand: API processes and commands start faster without it.
    const [{ computeReport }, { writeOutputs }] = await Promise.all([
      import('../engine/compute.js'),
      import('../outputs/write-outputs.js'),
    ]);
    const abort = AbortSignal.any([signal, AbortSignal.timeout(MAX_RUN_MINUTES * 60_000)]);
    const options = readOutputOptions(inputs.configuration?.outputOptions ?? {});
    const lines: DetailLine[] = [];
    const onLine = options.detail === 'lines' ? (claimed: ClaimedLine) => void lines.push(detailOf(claimed)) : undefined;
    const computed = await computeReport(inputs, this.linesOf(tenant, inputs, abort), {
      tokenOf: await this.statements.tokens(tenant),
      onLine,
    });
    const files = writeOutputs({
      title: inputs.configuration?.name ?? TITLE,
      subtitle: inputs.project?.name ?? null,
      result: computed,
      options,
      lines,
    });
    return { computed, files };
  }

  private async *linesOf(tenant: Tenant, { statements }: RunInputs, signal: AbortSignal): AsyncGenerator<readonly RunLine[]> {
    for (const { id } of statements) {
      for await (const lines of this.statements.lines(tenant, id)) {
        if (signal.aborted) throw isTimeout(signal) ? new JobFailure('took_too_long', TOO_LONG) : signal.reason;
        yield lines.map((line) => ({ ...line, statementId: id }));
      }
    }
  }
}

/** The fields of a line that files show. */
function detailOf({ line, ...claim }: ClaimedLine): DetailLine {
  const { statementId, lineNumber, bookedOn, account, counterparty, description, reference, amount, currency } = line;
  return { statementId, lineNumber, bookedOn, account, counterparty, description, reference, amount, currency, ...claim };
}

const isTimeout = ({ reason }: AbortSignal): boolean => reason instanceof DOMException && reason.name === 'TimeoutError';
