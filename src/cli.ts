import { run } from './cli/program.js';
import { loadDotEnv } from './platform/config/dot-env.js';

loadDotEnv();
await run(process.argv);
