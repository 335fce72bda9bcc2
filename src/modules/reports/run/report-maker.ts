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
/** Patterns of tenants are tried on every line; what takes so long is not worth its while. */
const MADE_WITHIN_MS = 10 * 60_000;
const TOO_LONG = 'The run took more than ten minutes: its rules have patterns that are too costly, or it has too many lines.';

/** A result, and the files that are made of it as they are asked for: one at a time is in memory. */
export interface MadeReport {
  readonly computed: Computed;
  readonly files: AsyncIterable<OutputFile>;
}

/** Makes result and files of a run from its inputs. */
@Injectable()
export class ReportMaker {
  constructor(private readonly statements: StatementsService) {}

  async make(tenant: Tenant, inputs: RunInputs, signal: AbortSignal): Promise<MadeReport> {
    // Loaded when there is a run to make: a process that answers calls, or a command, need not wait for it.
    const [{ computeReport }, { writeOutputs }] = await Promise.all([
      import('../engine/compute.js'),
      import('../outputs/write-outputs.js'),
    ]);
    const patience = AbortSignal.any([signal, AbortSignal.timeout(MADE_WITHIN_MS)]);
    const options = readOutputOptions(inputs.configuration?.outputOptions ?? {});
    const lines: DetailLine[] = [];
    const onLine = options.detail === 'lines' ? (claimed: ClaimedLine) => void lines.push(detailOf(claimed)) : undefined;
    const computed = await computeReport(inputs, this.linesOf(tenant, inputs, patience), {
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

/** What files show of a line. */
function detailOf({ line, ...claim }: ClaimedLine): DetailLine {
  const { statementId, lineNumber, bookedOn, account, counterparty, description, reference, amount, currency } = line;
  return { statementId, lineNumber, bookedOn, account, counterparty, description, reference, amount, currency, ...claim };
}

const isTimeout = ({ reason }: AbortSignal): boolean => reason instanceof DOMException && reason.name === 'TimeoutError';
