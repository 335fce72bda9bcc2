import { exitWithOneLine } from './platform/config/exit.js';
import { loadDotEnv } from './platform/config/dot-env.js';
import { start } from './start.js';

loadDotEnv();
await start(process.env).catch(exitWithOneLine);
