import { formatMoney, minorDigitsOf } from '../../../../kernel/money.js';
import type { Report, ReportStatement } from '../report.js';
import type { StatementCounts } from './statement-lines.js';

export const MANIFEST_PATH = 'manifest.json';
export const MANIFEST_SCHEMA = 'claim-evidence/1';

/** A file of an evidence pack. */
export interface PackedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A statement, and the documents that show its lines. */
export interface ManifestStatement extends Pick<ReportStatement, 'reference' | 'id' | 'fileName' | 'periodStart' | 'periodEnd'> {
  /** Of the file that was imported. */
  readonly sha256: string;
  readonly linesRead: number;
  readonly claimedItems: number;
  /** Not rounded. */
  readonly claim: string;
  readonly files: readonly string[];
}

/** What an evidence pack contains: `manifest.json`. Its keys have this order. */
export interface Manifest {
  readonly schema: typeof MANIFEST_SCHEMA;
  readonly run: string;
  readonly madeAt: string;
  readonly organization: string | null;
  readonly project: string | null;
  readonly clientReference: string | null;
  readonly configuration: string | null;
  readonly engineVersion: string;
  readonly inputsHash: string;
  readonly period: { readonly start: string; readonly end: string } | null;
  readonly currency: string | null;
  readonly claimable: string;
  /** Every file of the pack but the manifest. */
  readonly files: readonly PackedFile[];
  readonly statements: readonly ManifestStatement[];
}

export function manifestOf({ about, result }: Report, files: readonly PackedFile[], statements: readonly ManifestStatement[]): Manifest {
  const { engineVersion, inputsHash, period, currency, totals } = result;
  return {
    schema: MANIFEST_SCHEMA,
    run: about.runId,
    madeAt: about.startedAt,
    organization: about.organization,
    project: about.project,
    clientReference: about.clientReference,
    configuration: about.configuration,
    engineVersion,
    inputsHash,
    period,
    currency,
    claimable: totals.claimable,
    files,
    statements,
  };
}

export function manifestStatement(
  { result }: Report,
  statement: ReportStatement,
  { counts, claim }: StatementCounts,
  files: readonly string[],
): ManifestStatement {
  const { reference, id, fileName, sha256, periodStart, periodEnd, linesRead } = statement;
  const exact = formatMoney(claim, minorDigitsOf(result.currency));
  return { reference, id, fileName, sha256, periodStart, periodEnd, linesRead, claimedItems: counts.claimed, claim: exact, files };
}
