import { run } from './cli/program.js';
import { loadDotEnv } from './kernel/settings/dot-env.js';
import { endOnSignal } from './program/stop.js';
import { makeObjectsYoung } from './program/memory.js';

endOnSignal();
makeObjectsYoung();
loadDotEnv();
// Zero is left to the end of the process: `claims start` runs on.
const status = await run(process.argv);
if (status !== 0) process.exit(status);
