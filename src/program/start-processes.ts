import cluster from 'node:cluster';
import { giveMemoryBackWhenQuiet } from './memory.js';
import { readSettings } from './read-settings.js';
import { PROCESS_NUMBER, startsOthers } from '../processes/processes.js';

const NPM_CHECK_MS = 1000;

/** Starts the service in this process; with API_PROCESSES or WORKER_PROCESSES in several, under this one. */
export async function startProcesses(env: NodeJS.ProcessEnv): Promise<void> {
  giveMemoryBackWhenQuiet();
  if (env.npm_lifecycle_event === 'start') endWithoutNpm();
  const settings = await readSettings(env);
  // Each is loaded where it is used: the process above others is small.
  if (startsOthers(settings)) return (await import('../processes/start-children.js')).startChildren(settings, env);
  const { start } = await import('./start.js');
  const number = env[PROCESS_NUMBER];
  if (number === undefined) return void (await start(env));
  // Its calls end as they do on a signal when the process above it is gone.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.send?.({ ready: await start(env, { [settings.role]: Number(number) }) });
  // Its parent was killed meanwhile.
  if (!process.connected) process.kill(process.pid, 'SIGTERM');
}

/** npm passes on signals. Killed, it passes on nothing, and a service that no terminal shows any more would hold its port. */
function endWithoutNpm(): void {
  const npm = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, NPM_CHECK_MS).unref();
}
