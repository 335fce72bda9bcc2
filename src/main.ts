import { printError } from './print-error.js';
import { loadDotEnv } from './kernel/settings/dot-env.js';
import { startProcesses } from './start-processes.js';
import { endOnSignal } from './stop.js';
import { makeObjectsYoung } from './young-objects.js';

endOnSignal();
makeObjectsYoung();
loadDotEnv();
await startProcesses(process.env).catch((error: unknown) => {
  printError(error);
  process.exit(1);
});
