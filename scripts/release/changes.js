/** The changelog: each change is a small file of `changes/` until a release joins them into a section of CHANGELOG.md. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { read } from './files.js';

const FOLDER = 'changes';
const AUDIENCES = { integrators: 'For integrators', operators: 'For operators', extenders: 'For extenders' };
const KINDS = {
  new: 'New',
  changed: 'Changed',
  deprecated: 'Deprecated',
  fixed: 'Fixed',
  security: 'Security',
  do: 'What to do',
};
const NAME = /^\d{3,}-[a-z\d-]+\.md$/;
const HEADING = /^## (\S+) \((\d{4}-\d{2}-\d{2}|unreleased)\)$/gm;

const oneOf = (values) => Object.keys(values).join(', ');

/** `for: …` and `kind: …` between two lines of dashes, then what a reader of the changelog is told. */
function entryOf(file, text) {
  const [, head = '', body = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
  const fields = Object.fromEntries(head.split('\n').map((line) => line.split(/:\s*/, 2)));
  const problems = [
    ...(NAME.test(file) ? [] : ['its name is not like 012-what-changes.md']),
    ...(Object.hasOwn(AUDIENCES, fields.for ?? '') ? [] : [`for: must be one of ${oneOf(AUDIENCES)}`]),
    ...(Object.hasOwn(KINDS, fields.kind ?? '') ? [] : [`kind: must be one of ${oneOf(KINDS)}`]),
    ...(body.trim() === '' ? ['it says nothing'] : []),
    ...(/^(?:#|- )/m.test(body) ? ['it has a heading or a list: make a file for each change'] : []),
  ];
  return { file, audience: fields.for, kind: fields.kind, text: body.trim(), problems };
}

/** The changes since the last release, by the names of their files. */
export function pendingChanges(root) {
  if (!existsSync(join(root, FOLDER))) return [];
  const files = readdirSync(join(root, FOLDER)).filter((file) => file !== 'README.md');
  return files.sort().map((file) => entryOf(file, read(root, `${FOLDER}/${file}`)));
}

export const changeProblems = (root) =>
  pendingChanges(root).flatMap(({ file, problems }) => problems.map((problem) => `${FOLDER}/${file}: ${problem}.`));

/** The sections of the changelog, the newest first. */
export function sectionsOf(changelog) {
  const headings = [...changelog.matchAll(HEADING)];
  return headings.map(({ 0: heading, 1: version, 2: date, index }, at) => ({
    version,
    date,
    text: changelog.slice(index + heading.length, headings[at + 1]?.index).trim(),
  }));
}

/** The changelog must have the version on top, with a day, and something to say. */
export function changelogProblems(root, version) {
  const [latest] = sectionsOf(read(root, 'CHANGELOG.md'));
  if (latest?.version !== version)
    return [`CHANGELOG.md has no section for ${version} on top: node scripts/release.js prepare ${version} makes it of ${FOLDER}/.`];
  const waiting = pendingChanges(root).map(({ file }) => `${FOLDER}/${file}`);
  return [
    ...(latest.date === 'unreleased' ? [`CHANGELOG.md says no day for ${version}.`] : []),
    ...(latest.text === '' ? [`CHANGELOG.md says nothing about ${version}.`] : []),
    ...(waiting.length > 0 ? [`These changes are not in CHANGELOG.md yet: ${waiting.join(', ')}.`] : []),
  ];
}

const asItem = (text) => `- ${text.replaceAll('\n', '\n  ').replaceAll(/\n +\n/g, '\n\n')}`;

function sectionOf(version, date, entries) {
  const parts = Object.entries(AUDIENCES).flatMap(([audience, title]) => {
    const ofAudience = entries.filter((entry) => entry.audience === audience);
    const lists = Object.entries(KINDS).flatMap(([kind, named]) => {
      const items = ofAudience.filter((entry) => entry.kind === kind).map(({ text }) => asItem(text));
      return items.length > 0 ? [`**${named}**\n\n${items.join('\n')}`] : [];
    });
    return lists.length > 0 ? [`### ${title}\n\n${lists.join('\n\n')}`] : [`### ${title}\n\nNothing changes.`];
  });
  return `## ${version} (${date})\n\n${parts.join('\n\n')}\n`;
}

/** Joins the changes into a section on top of the changelog, and removes their files. */
export function joinChanges(root, version, date) {
  const entries = pendingChanges(root);
  const problems = [...changeProblems(root), ...(entries.length === 0 ? [`There is nothing in ${FOLDER}/.`] : [])];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const changelog = read(root, 'CHANGELOG.md');
  if (sectionsOf(changelog).some((section) => section.version === version)) throw new Error(`CHANGELOG.md has ${version} already.`);
  const at = changelog.search(/^## /m);
  const end = at < 0 ? changelog.length : at;
  writeFileSync(join(root, 'CHANGELOG.md'), `${changelog.slice(0, end)}${sectionOf(version, date, entries)}\n${changelog.slice(end)}`);
  for (const { file } of entries) rmSync(join(root, FOLDER, file));
}
