/** `npm run dev`: compiles what changes, and then starts the service again. Ctrl-C, or the end of one of them, ends both. */
import { spawn } from 'node:child_process';

const start = (command, ...args) => spawn(command, args, { stdio: 'inherit' });
const children = [
  start('tsc', '-p', 'tsconfig.build.json', '--noCheck', '--watch', '--preserveWatchOutput'),
  start(process.execPath, '--watch', '--watch-preserve-output', 'dist/src/main.js'),
];
const end = () => children.forEach((child) => child.kill());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
for (const child of children) child.once('exit', end);
