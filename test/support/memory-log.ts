import { createLog, type Log } from '../../src/kernel/log.js';

export type LogLine = Readonly<Record<string, unknown>>;

/** A log with the production format that keeps its lines in memory. */
export function memoryLog(): { log: Log; text: () => string; lines: () => LogLine[]; requests: () => LogLine[] } {
  const written: string[] = [];
  const log = createLog({ logLevel: 'trace', logFormat: 'json' }, { write: (line) => void written.push(line) });
  const lines = (): LogLine[] => written.map((line) => JSON.parse(line) as LogLine);
  return { log, text: () => written.join(''), lines, requests: () => lines().filter(({ msg }) => msg === 'request') };
}
