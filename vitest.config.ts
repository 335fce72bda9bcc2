import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const preloaded = (name: string): string[] => ['--import', fileURLToPath(new URL(`test/support/${name}.js`, import.meta.url))];

const shared = {
  // Threads that tests start load the TypeScript sources.
  execArgv: [...preloaded('typescript-in-threads'), ...preloaded('reserved-names')],
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['reflect-metadata', './test/support/time-of-files.ts'],
  testTimeout: 600_000,
  hookTimeout: 300_000,
};
// The laws and the e2e tests run the API, and look at each statement that it sends. One project: each project imports all sources again.
const looking = { ...shared, setupFiles: [...shared.setupFiles, './test/support/setup.ts'] };

/** They say to the letter what the product does, also where there are extensions. */
const OF_PRODUCT = ['test/{e2e,client}/**/*.test.ts'];
/** They hold for what extensions add. */
const OF_ALL = ['test/laws/**/*.test.ts', 'src/extensions/*/test/**/*.test.ts'];

const EXTENSIONS = fileURLToPath(new URL('src/extensions/', import.meta.url));
const hasExtensions = readdirSync(EXTENSIONS).some((name) => existsSync(`${EXTENSIONS}${name}/extension.ts`));

/** The list of extensions is empty: tests of the product neither load them nor have their tables. */
const withoutExtensions = (): Plugin => ({
  name: 'without-extensions',
  enforce: 'pre',
  load: (id) => (id === `${EXTENSIONS}index.ts` ? 'export const extensions = [];' : null),
});

/** They open every page of the console in a browser. */
const BROWSED = ['console', 'console-pictures'].map((name) => `test/laws/${name}.test.ts`);

/** What starts processes, browsers or other servers, or takes its seconds by the clock. */
const SYSTEM_TESTS = ['test/{system,examples}/**/*.test.ts', 'tools/embedded-postgres/**/*.spec.ts', ...BROWSED];

/** It asks which files are executed, so no other application may have run in its process. */
const ALONE = 'test/laws/files-of-a-post.test.ts';

/** It starts the build with the extensions. Without them, the tests of the system do. */
const STARTED = 'test/laws/extensions-start.test.ts';

/** They measure how long others wait, or let no call fail, so no other test may run meanwhile. */
const TIMED = ['event-loop', 'noisy-neighbour', 'rolling-restart', 'load-balancers', 'upgrade'];
const MEASURED = TIMED.map((name) => `test/faults/${name}.test.ts`);
const faults = { ...shared, isolate: false, testTimeout: 240_000 };

export default defineConfig({
  test: {
    reporters: ['default', './test/support/time-reporter.ts', './test/support/sum-reporter.ts'],
    // Many tests wait for a condition, so four workers keep two cores busy.
    maxWorkers: 4,
    // What was compiled is kept by its content, so a run of one file starts a third sooner.
    experimental: { fsModuleCache: true, fsModuleCachePath: fileURLToPath(new URL('.test-data/compiled', import.meta.url)) },
    projects: [
      {
        extends: true,
        plugins: [withoutExtensions()],
        test: {
          ...shared,
          name: 'unit',
          include: ['src/**/*.spec.ts', 'tools/!(embedded-postgres)/**/*.spec.ts', 'test/{statements,simulation}/**/*.test.ts'],
          isolate: false,
        },
      },
      // One project where both are the same: each project imports all sources again.
      ...(hasExtensions
        ? [
            {
              extends: true as const,
              plugins: [withoutExtensions()],
              test: { ...looking, name: 'product', include: OF_PRODUCT, isolate: false },
            },
          ]
        : []),
      {
        extends: true,
        test: {
          ...looking,
          name: 'api',
          include: hasExtensions ? OF_ALL : [...OF_PRODUCT, ...OF_ALL],
          exclude: [ALONE, ...BROWSED, ...(hasExtensions ? [] : [STARTED])],
          isolate: false,
        },
      },
      { extends: true, test: { ...looking, name: 'system', include: SYSTEM_TESTS, isolate: false } },
      // Each file has a process of its own: what extensions declare is known to all of it.
      {
        extends: true,
        plugins: [withoutExtensions()],
        test: { ...looking, name: 'extended', include: ['test/extended/**/*.test.ts', ALONE] },
      },
      { extends: true, test: { ...faults, name: 'faults', include: ['test/faults/**/*.test.ts'], exclude: MEASURED } },
      { extends: true, test: { ...faults, name: 'measured', include: MEASURED, maxWorkers: 1, sequence: { groupOrder: 1 } } },
      // They need a package of their own, so only `npm run compatibility` runs them.
      { extends: true, test: { ...looking, name: 'compatibility', include: ['test/compatibility/*.test.ts'] } },
      // Writes docs/console, so only `npm run screenshots` runs it.
      { extends: true, test: { ...shared, name: 'screenshots', include: ['test/screenshots/**/*.test.ts'] } },
      // Takes minutes, so only `npm run fuzz` runs it.
      { extends: true, test: { ...shared, name: 'fuzz', include: ['test/fuzz/**/*.test.ts'] } },
    ],
  },
});
