import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import type { Reporter, TestModule } from 'vitest/node';

/** How much of an error is repeated at the end: where it is, and what was wrong. The rest is above. */
const REPEATED_LINES = 12;

/** Prints what failed, once more, and the totals of all suites as the last line. */
export default class SumReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Unhandled[]): void {
    let passed = 0;
    let skipped = 0;
    const failures: string[] = unhandled.map((error) => shown('outside of a test', [error.message, ...whereItWas(error)].join('\n')));
    for (const module of modules) {
      failures.push(...module.errors().map(({ message }) => shown(module.relativeModuleId, message)));
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'skipped') skipped += 1;
        else failures.push(shown(`${module.relativeModuleId} > ${test.fullName}`, errors?.map(textOf).join('\n') ?? state));
      }
    }
    // After the other reporters have printed theirs.
    process.once('exit', () => {
      for (const failure of failures) console.log(failure);
      console.log(`${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
    });
  }
}

/** An error that nothing waited for. Vitest names the file, and the test, that ran when it came. */
interface Unhandled {
  readonly message: string;
  readonly stack?: string;
  readonly VITEST_TEST_PATH?: string;
  readonly VITEST_TEST_NAME?: string;
}

const whereItWas = ({ stack = '', VITEST_TEST_PATH: file, VITEST_TEST_NAME: test }: Unhandled): string[] => [
  ...(file === undefined ? [] : [`while ${relative('.', file)} ran${test === undefined ? '' : `, in "${test}"`}`]),
  ...stack.split('\n').filter((line) => /^\s+at /.test(line)),
];

const textOf = ({ message, diff = '' }: { message: string; diff?: string }) => stripVTControlCharacters(`${message}\n${diff}`).trimEnd();

/** A line that begins with FAILED, and lines that are indented: `npm run test:all` repeats them below all of its tiers. */
function shown(place: string, message: string): string {
  const lines = message.split('\n');
  const cut = lines.length > REPEATED_LINES ? ['…'] : [];
  return [`FAILED ${place}`, ...[...lines.slice(0, REPEATED_LINES), ...cut].map((line) => `    ${line.slice(0, 300)}`)].join('\n');
}
