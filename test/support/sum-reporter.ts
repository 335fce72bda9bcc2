import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import type { Reporter, TestModule } from 'vitest/node';

/** How much of an error is repeated at the end: where it is, and what was wrong. The rest is above. */
const REPEATED_LINES = 12;

/** With extensions, the projects of vitest.config.ts run with them or without. */
const KINDS: Readonly<Record<string, string>> = {
  unit: 'tests of the product, without extensions',
  product: 'tests of the product, without extensions',
  api: 'laws and tests of extensions',
};

/** Prints what failed, once more, and the totals of all suites as the last line. With extensions, the line before says which are theirs. */
export default class SumReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Unhandled[]): void {
    const outside = unhandled.map((error) => shown('outside of a test', [error.message, ...whereItWas(error)].join('\n')));
    const sums = new Map<string, Sum>();
    for (const module of modules) {
      const kind = KINDS[module.project.name] ?? 'other tests';
      sums.set(kind, added(sums.get(kind), sumOf(module)));
    }
    const all = [...sums.values()].reduce(added, { passed: 0, skipped: 0, failures: outside });
    // After the other reporters have printed theirs.
    process.once('exit', () => {
      for (const failure of all.failures) console.log(failure);
      if (modules.some(({ project }) => project.name === 'product'))
        for (const [kind, sum] of sums) console.log(`${kind}: ${textOfSum(sum)}`);
      console.log(textOfSum(all));
    });
  }
}

interface Sum {
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly string[];
}

function sumOf(module: TestModule): Sum {
  const tests = [...module.children.allTests()].map((test) => ({ name: test.fullName, ...test.result() }));
  const count = (state: string): number => tests.filter((test) => test.state === state).length;
  const failed = tests.filter(({ state }) => state !== 'passed' && state !== 'skipped');
  return {
    passed: count('passed'),
    skipped: count('skipped'),
    failures: [
      ...module.errors().map(({ message }) => shown(module.relativeModuleId, message)),
      ...failed.map(({ name, state, errors }) => shown(`${module.relativeModuleId} > ${name}`, errors?.map(textOf).join('\n') ?? state)),
    ],
  };
}

const added = (one: Sum | undefined, other: Sum): Sum => ({
  passed: (one?.passed ?? 0) + other.passed,
  skipped: (one?.skipped ?? 0) + other.skipped,
  failures: [...(one?.failures ?? []), ...other.failures],
});

const textOfSum = ({ passed, skipped, failures }: Sum): string =>
  `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

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
