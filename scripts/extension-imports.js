/** How a template that is written for src/modules becomes a file of an extension: what it imports comes from the published API. */
import { posix } from 'node:path';

const EXPORT = /^export \{([^}]*)\} from '(.+)';/gm;
const IMPORT = /^import (type )?\{([^}]*)\} from '(\.[^']+)';\n/gm;
const namesIn = (list) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

const bare = (entry) => entry.replace(/^type /, '');

/** What a file re-exports: by file and name, the name under which extensions know it. */
export function exportsOf(text, file) {
  const exported = new Map();
  for (const [, list, from] of text.matchAll(EXPORT))
    for (const entry of namesIn(list)) {
      const [name, alias = name] = bare(entry).split(' as ');
      exported.set(`${posix.join(posix.dirname(file), from)}#${name}`, alias);
    }
  return exported;
}

/**
 * The text with one import of the API in place of those that leave the folder. `from` is where the imports of the template lead from,
 * `to` is where the file will be, `api` is the path of the API.
 */
export function throughTheApi(text, { from, to, api, exported }) {
  const renamed = new Map();
  const names = [];
  const isOutside = (path) => !posix.join(posix.dirname(from), path).startsWith(`${folderOf(from)}/`);
  const kept = text.replace(IMPORT, (line, type, list, path) => {
    if (!isOutside(path)) return line;
    for (const entry of namesIn(list)) {
      const name = bare(entry);
      const alias = exported.get(`${posix.join(posix.dirname(from), path)}#${name}`);
      if (alias === undefined) throw new Error(`${api} does not export ${name} of ${path}, which the template ${from} needs.`);
      if (alias !== name) renamed.set(name, alias);
      names.push(type || entry !== name ? `type ${alias}` : alias);
    }
    return '';
  });
  if (names.length === 0) return text;
  names.sort((a, b) => bare(a).localeCompare(bare(b), 'en'));
  const path = posix.relative(posix.dirname(to), api).replace(/\.ts$/, '.js');
  const line = `import { ${names.join(', ')} } from '${path}';\n`;
  const body = kept.replaceAll(/\b\w+\b/g, (word) => renamed.get(word) ?? word);
  if (!/^import /m.test(body)) return `${line}${body}`;
  // After the packages, before the files of the folder.
  return /^import .* from '\./m.test(body)
    ? body.replace(/^(?=import .* from '\.)/m, line)
    : body.replace(/(?<=^import .*\n)(?!import)/m, line);
}

/** The folder of the resource: `src/modules/NAME`, or `test` of a test. */
const folderOf = (file) => /^src\/modules\/[^/]+|^test\/e2e/.exec(file)[0];
