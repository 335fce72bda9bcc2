// Loaded by a process of its own before anything else: says at the end which libraries it has loaded from node_modules.
import { createRequire } from 'node:module';
import { sep } from 'node:path';

process.once('exit', () => {
  const folder = `${sep}node_modules${sep}`;
  const names = new Set();
  for (const file of Object.keys(createRequire(import.meta.url).cache)) {
    const [, path, ...inner] = file.split(folder);
    // What stands in a library's own node_modules is another version, which only that library loads.
    if (path === undefined || inner.length > 0) continue;
    const [first, second] = path.split(sep);
    names.add(first.startsWith('@') ? `${first}/${second}` : first);
  }
  process.stderr.write(`loaded: ${[...names].join(' ')}\n`);
});
