/**
 * `npm run check`: as many tools at once as there are processors. Each prints what it finds when it ends. `-- --changed` checks the
 * format and the rules of the files that differ from main, types included; imports are checked whole. What has passed is not checked
 * again until a file changes.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { changedFiles } from './changed-files.js';
import { hasPassed, rememberPassed, stateOfFiles } from './state-of-files.js';

const files = process.argv.includes('--changed') ? changedFiles() : ['.'];
const sources = files.filter((file) => file === '.' || /\.[cm]?[jt]sx?$/.test(file));

// The one that takes longest first.
const TOOLS = [
  // Types, the rules that need them, and those of this house (scripts/lint-rules.js).
  ...(sources.length > 0 ? [['oxlint', '--quiet', '--no-error-on-unmatched-pattern', ...sources]] : []),
  ['oxfmt', '--list-different', '--no-error-on-unmatched-pattern', ...files],
  ['depcruise', 'src', 'migrations', 'tools', 'client/src', '--output-type', 'err-long', '--cache', 'node_modules/.cache/depcruise'],
];

/** npm puts the tools on the PATH. */
function run([tool, ...args]) {
  const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ failed: code !== 0, output })));
}

async function runWaiting(waiting) {
  for (let tool = waiting.shift(); tool; tool = waiting.shift()) {
    const { failed, output } = await run(tool);
    process.stdout.write(output);
    if (!failed) continue;
    process.stdout.write(`failed: ${tool.slice(0, 3).join(' ')}\n`);
    process.exitCode = 1;
  }
}

const state = stateOfFiles();
if (hasPassed('checked', state)) {
  console.log('Nothing has changed since the last check, which found nothing.');
  process.exit();
}
const waiting = [...TOOLS];
await Promise.all(Array.from({ length: availableParallelism() }, () => runWaiting(waiting)));
if (files[0] === '.' && process.exitCode === undefined) rememberPassed('checked', state);
