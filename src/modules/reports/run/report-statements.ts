import type { RunInputs } from '../engine/inputs.js';
import type { ReportStatement } from '../outputs/report.js';
import type { Computed } from '../result.dto.js';

/** The statements of a run for its files. The engine keeps their order. */
export function reportStatements({ statements }: RunInputs, { statements: counted }: Computed): ReportStatement[] {
  return statements.map(({ id, fileName, accountLabel, periodStart, periodEnd, balances, sha256 }, index) => {
    const { linesRead, linesUsed, duplicates } = counted[index]!;
    return {
      reference: `S${index + 1}`,
      id,
      fileName: fileName ?? null,
      accountLabel: accountLabel ?? null,
      periodStart,
      periodEnd,
      balances,
      sha256,
      linesRead,
      linesUsed,
      duplicates,
    };
  });
}
