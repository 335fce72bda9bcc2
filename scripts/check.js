/**
 * `npm run check`: as many tools at once as there are processors. Each prints what it finds when it ends. `-- --changed` checks the
 * format and the rules of the files that differ from main, types included; imports are checked whole. `-- --extension NAME` checks
 * all of one extension and nothing else. What has passed is not checked again until a file changes.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { changedFiles } from './changed-files.js';
import { chosenExtension } from './chosen-extension.js';
import { hasPassed, rememberPassed, stateOfFiles } from './state-of-files.js';

const extension = chosenExtension();
const files = extension ? [extension.folder] : process.argv.includes('--changed') ? changedFiles() : ['.'];
const sources = files.filter((file) => extension || file === '.' || /\.[cm]?[jt]sx?$/.test(file));

/** What is imported by what an extension imports is no matter of the extension. */
const imports = extension
  ? [extension.folder, '--do-not-follow', '^(node_modules|src/(?!extensions/))']
  : ['src', 'migrations', 'tools', 'client/src', '--cache', 'node_modules/.cache/depcruise'];

// The one that takes longest first.
const TOOLS = [
  // Types, the rules that need them, and those of this house (scripts/lint-rules.js).
  ...(sources.length > 0 ? [['oxlint', '--quiet', '--no-error-on-unmatched-pattern', ...sources]] : []),
  ['oxfmt', '--list-different', '--no-error-on-unmatched-pattern', ...files],
  ['depcruise', ...imports, '--output-type', 'err-long'],
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
const what = extension ? `checked-${extension.name}` : 'checked';
if (hasPassed(what, state)) {
  console.log('Nothing has changed since the last check, which found nothing.');
  process.exit();
}
const waiting = [...TOOLS];
await Promise.all(Array.from({ length: availableParallelism() }, () => runWaiting(waiting)));
if ((extension || files[0] === '.') && process.exitCode === undefined) rememberPassed(what, state);
