/**
 * `npm run release` checks that the version of package.json can be released, and writes its files into `release/`: docs/releasing.md.
 *
 *   npm run release -- prepare 1.1.0    changelog of changes/, and the version everywhere; then `npm run contracts`, and commit
 *   npm run release                     runs the tests, unless they have passed with these files, and writes the files
 *   npm run release -- --tests-passed   takes your word for the tests
 *   npm run release -- notes            prints what the changelog says of the newest version
 *   npm run release -- --tag            sets the tag when all is well; nothing is pushed
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { archivesOf } from './release/archives.js';
import { joinChanges, sectionsOf } from './release/changes.js';
import { isVersion, releaseFaults } from './release/checks.js';
import { commitTime, git, read, sha256, versionOf } from './release/files.js';
import { provenanceOf } from './release/provenance.js';
import { cycloneDx, spdx } from './release/sbom.js';
import { releaseProblems, SUMS } from './release/verify.js';
import { setVersion } from './release/versions.js';
import { hasPassed, rememberPassed, stateOfFiles } from './state-of-files.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONTRACTS = ['vitest', 'run', '--project', 'api', 'test/laws/documents.test.ts', 'test/laws/extension-api.test.ts'];
const OPTIONS = {
  'tests-passed': { type: 'boolean', default: false },
  tag: { type: 'boolean', default: false },
  output: { type: 'string', default: 'release' },
  date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
};

function stop(reasons) {
  for (const reason of reasons) console.error(reason);
  console.error('There is no release.');
  process.exit(1);
}

function prepare(version, date) {
  if (!isVersion(version ?? '')) stop(['Say which version: npm run release -- prepare 1.1.0']);
  try {
    joinChanges(ROOT, version, date);
  } catch (error) {
    stop([error.message]);
  }
  setVersion(ROOT, version);
  console.log(`This is ${version} now. Read CHANGELOG.md, run npm run contracts, commit all of it, and run npm run release.`);
}

const runs = (command, ...args) => spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' }).status === 0;

/** How it is known that the tests pass: that they have, with these very files; that somebody says so; or that they do now. */
function testsPass(isSaid) {
  const state = stateOfFiles();
  if (hasPassed('tested', state)) return 'passed before, with the same files';
  if (!isSaid) {
    if (!runs('npm', 'run', '--silent', 'test:all')) stop(['The tests do not pass.']);
    return 'passed';
  }
  if (!hasPassed('documented', state) && !runs('npx', ...CONTRACTS)) stop(['The documents are not those of the code: npm run contracts.']);
  rememberPassed('documented', state);
  return 'said to have passed';
}

/** Writes all files, and returns how many there are. */
function write(folder, tests) {
  const [version, time] = [versionOf(ROOT), commitTime(ROOT)];
  const asJson = (value) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  const name = `claims-api-${version}`;
  const parts = [
    [`${name}.cdx.json`, asJson(cycloneDx(ROOT, time))],
    [`${name}.spdx.json`, asJson(spdx(ROOT, time))],
  ];
  const made = [...archivesOf(ROOT), ...parts].sort(([a], [b]) => (a < b ? -1 : 1));
  const files = [...made, [`${name}.provenance.json`, asJson(provenanceOf(ROOT, made, { tests }))]];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of files) writeFileSync(join(folder, file), content);
  writeFileSync(join(folder, SUMS), files.map(([file, content]) => `${sha256(content)}  ${file}\n`).join(''));
  return files.length + 1;
}

const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
const [verb, version] = positionals;
if (verb === 'prepare') prepare(version, values.date);
else if (verb === 'notes') console.log(sectionsOf(read(ROOT, 'CHANGELOG.md'))[0].text);
else if (verb !== undefined)
  stop([`There is no ${verb}: npm run release, npm run release -- prepare VERSION, or npm run release -- notes.`]);
else {
  const faults = releaseFaults(ROOT, { isTagged: values.tag });
  if (faults.length > 0) stop(faults);
  const count = write(values.output, testsPass(values['tests-passed']));
  const problems = releaseProblems(values.output);
  if (problems.length > 0) stop(problems);
  const tag = `v${versionOf(ROOT)}`;
  if (values.tag) git(ROOT, 'tag', '--annotate', tag, '--message', `Release ${versionOf(ROOT)}`);
  console.log(`${values.output} has ${count} files of ${versionOf(ROOT)}${values.tag ? `; the tag ${tag} is set, and not pushed` : ''}.`);
}
