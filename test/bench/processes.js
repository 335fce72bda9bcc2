// What processes have used, as Linux counts it. CPU time is more reliable than wall time on a busy machine.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import pg from 'pg';

const TICKS_PER_SECOND = 100;

function statOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').map(Number);
    const [own, ofEnded] = [fields[11] + fields[12], fields[13] + fields[14]];
    return { parent: fields[1], seconds: own / TICKS_PER_SECOND, secondsOfEnded: ofEnded / TICKS_PER_SECOND };
  } catch {
    return undefined; // it has ended
  }
}

export const processorSeconds = (pid) => statOf(pid)?.seconds ?? 0;

/** The CPU time so far of those children of this process that have ended. */
export const processorSecondsOfEnded = () => statOf(process.pid).secondsOfEnded;

/** The CPU time of a process and its children so far, including those that have ended. */
export function processorSecondsOfTree(pid) {
  const { seconds = 0, secondsOfEnded = 0 } = statOf(pid) ?? {};
  return childrenOf(pid).reduce((sum, child) => sum + child.seconds, seconds + secondsOfEnded);
}

const childrenOf = (pid) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.parent === pid);

/** A function that returns the CPU time so far of all processes of a Postgres on this machine; NaN if it is elsewhere. */
export async function postgresSeconds(databaseUrl) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const main = statOf(rows[0].pid)?.parent;
  await client.end();
  return () => (main === undefined ? NaN : processorSecondsOfTree(main));
}

/** The memory of a process in MiB: now, and the most that it had. */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024);
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/** `peak` counts from now on. */
export const forgetPeak = (pid) => writeFileSync(`/proc/${pid}/clear_refs`, '5');
