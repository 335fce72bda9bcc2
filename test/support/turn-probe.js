// Loaded by a process of its own before anything else: measures how long its main thread works between two beats of a timer. One
// turn of the event loop takes no more than that. It asks for processor time where the system states it for each thread, since the
// clock also counts the time in which other programs run.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const BEAT_MS = 5;
const MS_PER_TICK = 10;
const USER_TIME = 11;

/** Milliseconds of processor time that the main thread has had, in steps of ten; undefined if the system does not say. */
function processorMs() {
  try {
    // The name of the program is in brackets and may have blanks.
    const [, fields] = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8').split(') ');
    const [user, system] = fields.split(' ').slice(USER_TIME);
    return (Number(user) + Number(system)) * MS_PER_TICK;
  } catch {
    return undefined;
  }
}

if (isMainThread) {
  let longest = 0;
  let [clock, processor] = [performance.now(), processorMs()];
  const beat = () => {
    const [now, worked] = [performance.now(), processorMs()];
    longest = Math.max(longest, worked === undefined ? now - clock : Math.min(now - clock, worked - processor));
    [clock, processor] = [now, worked];
  };
  setInterval(beat, BEAT_MS).unref();
  // With each signal it says how long the longest turn since the last signal was.
  process.on('SIGUSR2', () => {
    beat();
    process.stderr.write(`longest turn: ${longest.toFixed(0)} ms\n`);
    longest = 0;
  });
}
