import type { Reporter, TestModule } from 'vitest/node';

/** As many files as the table names. */
const SHOWN = 25;

interface Row {
  readonly name: string;
  readonly elapsed: number;
  readonly imported: number;
  readonly processor: number;
  readonly tests: number;
}

/** Prints where the time of the tests goes: by kind of file, and of the files that took longest. In seconds. */
export default class TimeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.map(rowOf).sort((a, b) => b.elapsed - a.elapsed);
    const kinds = new Map<string, Row>();
    for (const row of rows) kinds.set(kindOf(row), sumOf(kinds.get(kindOf(row)), row));
    const shown = [...kinds.values()].sort((a, b) => b.elapsed - a.elapsed);
    print('kind of tests', shown);
    print('longest files', rows.slice(0, SHOWN));
  }
}

function rowOf(module: TestModule): Row {
  const { duration, collectDuration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
  return {
    name: module.relativeModuleId,
    elapsed: (duration + collectDuration + environmentSetupDuration + prepareDuration + setupDuration) / 1000,
    imported: collectDuration / 1000,
    processor: module.meta().processor ?? 0,
    tests: [...module.children.allTests()].length,
  };
}

const kindOf = ({ name }: Row): string =>
  name.startsWith('test/') ? name.split('/').slice(0, 2).join('/') : `${name.split('/')[0]} (unit)`;

function sumOf(sum: Row | undefined, row: Row): Row {
  if (!sum) return { ...row, name: kindOf(row) };
  return {
    name: sum.name,
    elapsed: sum.elapsed + row.elapsed,
    imported: sum.imported + row.imported,
    processor: sum.processor + row.processor,
    tests: sum.tests + row.tests,
  };
}

function print(title: string, rows: readonly Row[]): void {
  const width = Math.max(title.length, ...rows.map(({ name }) => name.length));
  console.log(`\n${title.padEnd(width)}  elapsed  import  processor  tests`);
  for (const { name, elapsed, imported, processor, tests } of rows) {
    const figures = [
      elapsed.toFixed(1).padStart(9),
      imported.toFixed(1).padStart(8),
      processor.toFixed(1).padStart(11),
      String(tests).padStart(7),
    ];
    console.log(name.padEnd(width) + figures.join(''));
  }
}
