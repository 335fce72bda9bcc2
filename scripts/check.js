/** `npm run check`: as many tools at once as there are processors. Each prints what it finds when it ends. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

// The one that takes longest first.
const TOOLS = [
  'prettier --check --log-level warn .',
  'eslint .',
  // Types, and the rules that need them.
  'oxlint --quiet',
  'depcruise src migrations tools client/src --output-type err-long',
];

/** npm puts the tools on the PATH. */
function run(tool) {
  const child = spawn(tool, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ failed: code !== 0, output })));
}

async function runWaiting(waiting) {
  for (let tool = waiting.shift(); tool; tool = waiting.shift()) {
    const { failed, output } = await run(tool);
    process.stdout.write(output);
    if (!failed) continue;
    process.stdout.write(`failed: ${tool}\n`);
    process.exitCode = 1;
  }
}

const waiting = [...TOOLS];
await Promise.all(Array.from({ length: availableParallelism() }, () => runWaiting(waiting)));
