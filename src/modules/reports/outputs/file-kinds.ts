import type { OutputFormat } from '../../rules/index.js';

export interface FileKind {
  readonly mediaType: string;
  readonly name: string;
}

const kinds: Record<string, FileKind> & Record<OutputFormat, FileKind> = {
  json: { mediaType: 'application/json', name: 'report.json' },
  csv: { mediaType: 'text/csv; charset=utf-8', name: 'report.csv' },
  xlsx: { mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', name: 'report.xlsx' },
  pdf: { mediaType: 'application/pdf', name: 'report.pdf' },
  journal: { mediaType: 'text/csv; charset=utf-8', name: 'journal.csv' },
  // The beginning of its name is what the importing program expects.
  datev: { mediaType: 'text/csv; charset=windows-1252', name: 'EXTF_claim.csv' },
  evidence: { mediaType: 'application/zip', name: 'evidence.zip' },
};

/** What the files of each format are to others. */
export const FILE_KINDS: Readonly<Record<OutputFormat, FileKind>> = kinds;

/** A name that tells files of several runs apart. */
export const fileNameOf = (format: OutputFormat, runId: string): string => FILE_KINDS[format].name.replace('.', `-${runId}.`);

const mediaTypes: Record<string, string> = Object.fromEntries(Object.entries(kinds).map(([format, { mediaType }]) => [format, mediaType]));
export const MEDIA_TYPES: Readonly<Record<string, string>> = mediaTypes;

/** Adds the file of an extension (report-output.ts). */
export function addFileKind(format: string, { mediaType, name }: FileKind): void {
  kinds[format] = { mediaType, name };
  mediaTypes[format] = mediaType;
}
