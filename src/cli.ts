import { run } from './cli/program.js';
import { loadDotEnv } from './kernel/settings/dot-env.js';

loadDotEnv();
await run(process.argv);
