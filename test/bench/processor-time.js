// Processor time from /proc, which is more reliable than wall time on a busy machine.
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

const statOf = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
const seconds = (ticks) => ticks.map(Number).reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND;

/** What a process has used so far. */
export const processorSeconds = (pid) => seconds(statOf(pid).slice(11, 13));

/** What a process and its children have used so far, including those that have ended. */
export function processorSecondsOfTree(pid) {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === String(pid));
  return seconds(statOf(pid).slice(11, 15)) + children.reduce((sum, child) => sum + (ended(() => processorSeconds(child)) ?? 0), 0);
}

const parentOf = (pid) => ended(() => statOf(pid)[1]);

/** undefined for a process that has ended meanwhile. */
function ended(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}
