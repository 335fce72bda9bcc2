import type { OutputFormat } from '../../rules/index.js';

interface FileKind {
  readonly mediaType: string;
  /** How the name of such a file ends. */
  readonly ending: string;
}

/** What the files of each format are to others. */
export const FILE_KINDS: Readonly<Record<OutputFormat, FileKind>> = {
  json: { mediaType: 'application/json', ending: '.json' },
  csv: { mediaType: 'text/csv; charset=utf-8', ending: '.csv' },
  xlsx: { mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ending: '.xlsx' },
  pdf: { mediaType: 'application/pdf', ending: '.pdf' },
  journal: { mediaType: 'text/csv; charset=utf-8', ending: '-journal.csv' },
  datev: { mediaType: 'text/csv; charset=windows-1252', ending: '-datev.csv' },
};

export const MEDIA_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FILE_KINDS).map(([format, { mediaType }]) => [format, mediaType]),
);
