// Preloaded in the processes of the tests, which pass it on to the threads that they start: Vitest compiles what it imports
// itself, but a thread is started by Node. So that tests never run an old build, threads load the TypeScript sources, too.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread, threadId } from 'node:worker_threads';

const CACHE = new URL('../../node_modules/.cache/typescript-in-threads/', import.meta.url);
const require = createRequire(import.meta.url);

/** Sources import `./x.js` and mean `./x.ts`. */
export function resolve(specifier, context, next) {
  if (/^(?:\.|file:).*\.js$/.test(specifier)) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
}

/** Compiled once for each content of a file, because loading the compiler takes longer than everything else in a thread. */
function compiled(path) {
  const source = readFileSync(path, 'utf8');
  const cached = new URL(`${createHash('sha256').update(path).update(source).digest('hex')}.js`, CACHE);
  if (existsSync(cached)) return readFileSync(cached, 'utf8');
  // Not swc: its native code ends the process when a thread is terminated while it is loaded.
  const { transpileModule, ModuleKind, ScriptTarget } = require('typescript');
  const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022, inlineSourceMap: true, experimentalDecorators: true };
  const { outputText } = transpileModule(source, { fileName: path, compilerOptions });
  // Two threads may write it at the same time.
  const partial = new URL(`${cached.href}.${process.pid}.${threadId}`);
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(partial, outputText);
  renameSync(partial, cached);
  return outputText;
}

if (!isMainThread) register(import.meta.url);
