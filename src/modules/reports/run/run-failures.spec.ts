import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RUN_FAILURES } from './run-failures.js';

const FOLDERS = ['src/modules/reports', 'src/store/jobs', 'src/store/threads'];
/** They are of a pack that is verified, which is no run. */
const OTHERS = 'outputs/evidence/verify-pack.ts';
/** The places that make failures: themselves, by a limit, by a grammar, or as what a consumer writes. */
const CODES = [
  /JobFailure\(\s*'(\w+)'/g,
  /requireWithin\((?:[^;']|\n)*?'(\w+)'/g,
  /\bcode: '([a-z_]+)',\s*name/g,
  /: Failure = \{\s*code: '(\w+)'/g,
];

it('every code that a run can fail with is listed, and no other', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) =>
      name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.endsWith(OTHERS) ? [readFileSync(`${folder}/${name}`, 'utf8')] : [],
    ),
  );
  const made = files.flatMap((text) => CODES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, code]) => code!)));
  expect([...new Set(made)].sort()).toEqual([...RUN_FAILURES]);
});
