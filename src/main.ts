import { printError } from './print-error.js';
import { loadDotEnv } from './kernel/settings/dot-env.js';
import { start } from './start.js';
import { makeObjectsYoung } from './young-objects.js';

makeObjectsYoung();
loadDotEnv();
await start(process.env).catch((error: unknown) => {
  printError(error);
  process.exit(1);
});
