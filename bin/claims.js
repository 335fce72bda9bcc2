#!/usr/bin/env node
// The `claims` command. In a checkout it builds first if a source is newer than the last build. The image has no sources.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['src', 'migrations', 'tools', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'vite.config.ts'];
const BUILT = join(root, 'dist', 'bundle', 'cli.js');

function newest(path) {
  const found = statSync(path);
  if (found.isDirectory()) return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
  return path.endsWith('.spec.ts') ? 0 : found.mtimeMs;
}

function isStale() {
  return !existsSync(BUILT) || Math.max(...SOURCES.map((name) => newest(join(root, name)))) > statSync(BUILT).mtimeMs;
}

if (existsSync(join(root, 'src')) && isStale()) {
  console.error(`${process.uptime().toFixed(1).padStart(6)} s  Building the program`);
  const build = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (build.status !== 0) process.exit(1);
  utimesSync(BUILT, new Date(), new Date());
}
// What V8 has compiled is read there, not compiled again (Node 22 and later), if the folder can be written to.
module.enableCompileCache?.(join(root, 'dist', 'compile-cache'));
await import('../dist/bundle/cli.js');
