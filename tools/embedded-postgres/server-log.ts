import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { giveToFolderOwner } from './paths.js';

const COMPLAINT = /^.*?\b(FATAL|PANIC|error):\s+(.*)$/;
const CLIENT_MESSAGE = /client backend: |not initialized: /;
const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** With %b each line names the kind of process, so that messages to clients (such as our own polling) can be skipped. */
export const LOG_LINE_PREFIX = '%m [%p] %b: ';

export interface ServerLog {
  handle: number;
  close(): void;
  /** The first error that the server logged since this log was opened. Undefined if something else ended it. */
  complaint(): string | undefined;
  /** For programs that failed before they could log an error in Postgres' format. */
  firstLine(): string;
}

/** Appends, because the messages of the last shutdown are useful. Truncates the file when it is over the limit. */
export function openServerLog(file: string): ServerLog {
  const handle = openSync(file, 'a', 0o600);
  giveToFolderOwner(file);
  if (fstatSync(handle).size > MAX_LOG_BYTES) ftruncateSync(handle);
  const begin = fstatSync(handle).size;
  return {
    handle,
    close: () => closeSync(handle),
    complaint: () => complaintIn(linesSince(file, begin)),
    firstLine: () => linesSince(file, begin)[0] ?? 'no message',
  };
}

function linesSince(file: string, begin: number): string[] {
  const text = readFileSync(file).subarray(begin).toString('utf8');
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** The first error counts; those after it mostly follow from it. */
function complaintIn(lines: string[]): string | undefined {
  const found = lines.findIndex((line) => COMPLAINT.test(line) && !CLIENT_MESSAGE.test(line));
  if (found < 0) return undefined;
  const message = (lines[found] ?? '').replace(COMPLAINT, '$1: $2');
  const detail = /DETAIL:\s+(.*)/.exec(lines[found + 1] ?? '')?.[1];
  return detail === undefined ? message : `${message}: ${detail}`;
}
