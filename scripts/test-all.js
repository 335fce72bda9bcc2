/**
 * `npm run test:all` runs all tests: those of `npm test`, then those that start processes, browsers and other servers, that need packages
 * of others or a copy of the repository, and the faults. All run, also after one has failed; the last lines are what failed, and their
 * sum. If all have passed, `npm run release` knows it until a file changes.
 */
import { spawn } from 'node:child_process';
import { rememberPassed, stateOfFiles } from './state-of-files.js';

const TIERS = [
  ['npm', 'test'],
  ['node', 'scripts/compatibility.js', '--project', 'extended', '--project', 'system'],
  // With the build that the tests have just made.
  ['node', 'scripts/faults.js'],
];

const before = stateOfFiles();
let [passed, failed] = [0, 0];
const failures = [];
for (const [command, ...args] of TIERS) {
  const { code, printed } = await run(command, args);
  const sum = [...printed.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1);
  passed += Number(sum?.[1] ?? 0);
  failures.push(...printed.matchAll(/^FAILED .*(?:\n {4}.*)*/gm));
  const told = Number(sum?.[2] ?? 0);
  if (told === 0 && code !== 0) failures.push([`FAILED ${command} ${args.join(' ')}: it ended with ${code}, and no test of it had failed`]);
  failed += told || (code === 0 ? 0 : 1);
}
for (const [failure] of failures) console.log(failure);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
if (failed === 0 && before === stateOfFiles()) rememberPassed('tested', before);

function run(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text);
    printed += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, printed })));
}
