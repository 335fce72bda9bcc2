import { exitWithOneLine } from './exit.js';
import { loadDotEnv } from './kernel/settings/dot-env.js';
import { start } from './start.js';

loadDotEnv();
await start(process.env).catch(exitWithOneLine);
