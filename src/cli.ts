import { run } from './cli/program.js';
import { loadDotEnv } from './kernel/settings/dot-env.js';
import { endOnSignal } from './program/stop.js';
import { setCollection } from './program/memory.js';

endOnSignal();
setCollection();
loadDotEnv();
// Zero is left to the end of the process: `claims start` runs on.
const status = await run(process.argv);
if (status !== 0) process.exit(status);
