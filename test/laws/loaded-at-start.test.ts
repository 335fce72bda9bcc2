import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ASSETS = 'dist/bundle/assets';
const IMPORTED = /^import (?:[^'"]*? from )?"(.+?)";$/gm;
/** Each takes time and memory in all processes, and is for requests that many installations never get, or for threads. */
const LATER = ['oidc-provider', 'openid-client', 'pdfkit', 'fontkit', 'unpdf', '@modelcontextprotocol/server', '@simplewebauthn/server'];

/** The packages that are loaded with a file of the bundle, and where. */
function packagesWith(file: string, found = new Map<string, string>(), seen = new Set<string>()): Map<string, string> {
  if (seen.has(file)) return found;
  seen.add(file);
  const text = readFileSync(join(ASSETS, file), 'utf8');
  for (const [, name] of text.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)) found.set(name!, file);
  for (const [, name] of text.matchAll(IMPORTED))
    if (name!.startsWith('./')) packagesWith(name!.slice(2), found, seen);
    else found.set(name!, file);
  return found;
}

it('no process loads at its start what only some requests need', () => {
  const application = readdirSync(ASSETS).find((name) => /^app-.*\.js$/.test(name));
  const packages = packagesWith(application!);
  expect([...packages.keys()]).toContain('typeorm');
  expect([...packages].filter(([name]) => LATER.includes(name))).toEqual([]);
});
