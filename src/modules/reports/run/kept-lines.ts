import type { RunLine } from '../engine/inputs.js';
import { UNCLAIMED, type ClaimedLine, type LeftOut, type LineListeners } from '../engine/line-accumulator.js';
import type { OutputOptions } from '../engine/output-options.js';
import { LineList, type DetailLine } from '../outputs/detail-line.js';
import type { Report } from '../outputs/report.js';
import { fileListsClaims, fileShowsStatements } from '../outputs/write-outputs.js';

/** The lines of a run that its files need, and no others. */
export class KeptLines implements Pick<Report, 'lines' | 'leftOut'> {
  readonly lines = new LineList();
  readonly leftOut = { repeated: new LineList(), outside: new LineList() };

  /** For the engine. */
  listenersFor(options: OutputOptions): LineListeners {
    const showsStatements = fileShowsStatements(options);
    const keepsAll = showsStatements || options.detail === 'lines';
    if (!keepsAll && !fileListsClaims(options)) return {};
    return {
      onLine: ({ line, ...claim }) => {
        if (keepsAll || claim.category !== null) this.lines.push(detailOf(line, claim));
      },
      ...(showsStatements && { onLeftOut: (line: RunLine, why: LeftOut) => this.leftOut[why].push(detailOf(line, UNCLAIMED)) }),
    };
  }
}

/** The fields of a line that files show. */
function detailOf(line: RunLine, claim: Omit<ClaimedLine, 'line'>): DetailLine {
  const { statementId, lineNumber, bookedOn, account, counterparty, description, reference, amount, currency } = line;
  return { statementId, lineNumber, bookedOn, account, counterparty, description, reference, amount, currency, ...claim };
}
