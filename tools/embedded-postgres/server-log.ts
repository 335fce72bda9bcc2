import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';

import { leaveToFolderOwner } from './place.js';

const complaint = /^.*?\b(FATAL|PANIC|error):\s+(.*)$/;
const toClients = /client backend: |not initialized: /;
const largestLog = 10 * 1024 * 1024;

/**
 * Names the kind of process in each line, so that the answers to clients (our own polling among them) can be told from
 * what happened to the server.
 */
export const logLinePrefix = '%m [%p] %b: ';

export interface ServerLog {
  handle: number;
  close(): void;
  /** Why the engine ended, as far as it said so since this log was opened; nothing when somebody else ended it. */
  complaint(): string | undefined;
  /** For programs that failed before they could complain in Postgres' way. */
  firstLine(): string;
}

/** Appends, because the end of the last run is worth reading; starts anew when that has become too long. */
export function openServerLog(file: string): ServerLog {
  const handle = openSync(file, 'a', 0o600);
  leaveToFolderOwner(file);
  if (fstatSync(handle).size > largestLog) ftruncateSync(handle);
  const begin = fstatSync(handle).size;
  return {
    handle,
    close: () => closeSync(handle),
    complaint: () => complaintIn(linesSince(file, begin)),
    firstLine: () => linesSince(file, begin)[0] ?? 'without a word',
  };
}

function linesSince(file: string, begin: number): string[] {
  const text = readFileSync(file).subarray(begin).toString('utf8');
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** The first one of a run; what follows it is mostly consequence. */
function complaintIn(lines: string[]): string | undefined {
  const found = lines.findIndex((line) => complaint.test(line) && !toClients.test(line));
  if (found < 0) return undefined;
  const message = (lines[found] ?? '').replace(complaint, '$1: $2');
  const detail = /DETAIL:\s+(.*)/.exec(lines[found + 1] ?? '')?.[1];
  return detail === undefined ? message : `${message}: ${detail}`;
}
