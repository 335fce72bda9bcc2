import { Simulation, type Size } from './simulation.js';

/** No organization's first delivery waits longer because of others, in milliseconds. */
export const LONGEST_WAIT_MS = 2000;
const MINUTE = 60;

export interface Findings {
  readonly deliveries: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  /** Jobs that gave up, because no connection to the database was free in time. They are tried again. */
  readonly failedJobs: number;
  readonly more: string;
}

function findings(simulation: Simulation, waits: readonly number[], more: string): Findings {
  const at = (share: number) => waits[Math.floor((waits.length - 1) * share)] ?? 0;
  const { failures: failedJobs } = simulation;
  return { deliveries: simulation.sent.length, p50Ms: at(0.5), p99Ms: at(0.99), longestMs: at(1), failedJobs, more };
}

/** Everything goes well, but one organization imports for an hour's worth at once, and one receiver in a hundred never answers. */
export async function fairness(size: Size, minutes: number): Promise<Findings> {
  const simulation = new Simulation(size);
  for (let index = 1; index < size.organizations; index += 100) simulation.silent.add(index);
  simulation.startWorkers();
  await simulation.seconds(MINUTE);
  const imported = Math.round(size.deliveriesPerHour / 20);
  simulation.burst(0, imported);
  await simulation.seconds((minutes - 1) * MINUTE);
  const waits = simulation.waits(0, minutes * MINUTE - 2);
  return findings(simulation, waits, `one organization imports ${imported} at once; ${simulation.silent.size} receivers never answer`);
}

/** Three receivers in ten are silent for some minutes, and then answer again. */
export async function outage(size: Size, minutes: number): Promise<Findings> {
  const simulation = new Simulation(size);
  const isAway = (index: number) => index % 10 < 3 && index > 0;
  simulation.startWorkers();
  await simulation.seconds(MINUTE);
  const usual = simulation.busiestSecond(10, MINUTE, isAway);
  for (let index = 0; index < size.organizations; index += 1) if (isAway(index)) simulation.silent.add(index);
  await simulation.seconds(minutes * MINUTE);
  simulation.silent.clear();
  const back = simulation.now;
  await simulation.seconds(minutes * MINUTE);
  const busiest = simulation.busiestSecond(back, simulation.now, isAway);
  const waits = simulation.waits(0, simulation.now - 2, ({ endpoint }) => !isAway(endpoint));
  const times = (busiest / Math.max(1, usual)).toFixed(1);
  return findings(simulation, waits, `those that were away get ${busiest} requests in the busiest second after, ${times} times the usual`);
}

/** No worker runs for some minutes, while events come. */
export async function recovery(size: Size, minutes: number): Promise<Findings> {
  const simulation = new Simulation(size);
  await simulation.seconds(minutes * MINUTE);
  const { pending } = simulation;
  const back = simulation.now;
  simulation.startWorkers();
  do await simulation.seconds(1);
  while (simulation.late > 0 && simulation.now - back < minutes * MINUTE);
  const [took, left] = [simulation.now - back, simulation.pendingOfTheLargest];
  await simulation.seconds(MINUTE);
  const waits = simulation.waits(back, simulation.now - 2);
  const each = 'all but the largest organization were up to date';
  return findings(simulation, waits, `${pending} were pending; after ${took} s ${each}, which had ${left} left`);
}
