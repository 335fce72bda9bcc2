import { printError } from './program/print-error.js';
import { loadDotEnv } from './kernel/settings/dot-env.js';
import { startProcesses } from './program/start-processes.js';
import { endOnSignal } from './program/stop.js';
import { setCollection } from './program/memory.js';

endOnSignal();
setCollection();
loadDotEnv();
await startProcesses(process.env).catch((error: unknown) => {
  printError(error);
  process.exit(1);
});
