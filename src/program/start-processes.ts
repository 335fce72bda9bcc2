import { giveMemoryBackWhenQuiet } from './memory.js';
import { readSettings } from './read-settings.js';
import { WORKER_NUMBER } from '../workers/worker-number.js';

const NPM_CHECK_MS = 1000;

/** Starts the service in this process; a worker with WORKER_PROCESSES in as many of them, under this one. */
export async function startProcesses(env: NodeJS.ProcessEnv): Promise<void> {
  giveMemoryBackWhenQuiet();
  if (env.npm_lifecycle_event === 'start') endWithoutNpm();
  const settings = await readSettings(env);
  // Each is loaded where it is used: the process above workers is small.
  if (settings.role === 'worker' && settings.workerProcesses > 1)
    return (await import('../workers/start-workers.js')).startWorkers(settings, env);
  const { start } = await import('./start.js');
  const number = env[WORKER_NUMBER];
  if (number === undefined) return void (await start(env));
  process.send?.(await start(env, { worker: Number(number) }));
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
