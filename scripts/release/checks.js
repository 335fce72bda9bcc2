/** What stops a release. */
import { changelogProblems, changeProblems } from './changes.js';
import { git, versionOf } from './files.js';
import { versionProblems } from './versions.js';

const VERSION = /^\d+\.\d+\.\d+(?:-[\da-z.]+)?$/;

export const isVersion = (text) => VERSION.test(text);

/** A tag may be there if it is of this commit: then it is what starts the release. Without one, `--tag` sets it. */
function tagProblems(root, version, { isTagged }) {
  const tag = `v${version}`;
  if (git(root, 'tag', '--list', tag) === '') return [];
  const isHere = git(root, 'rev-parse', `${tag}^{commit}`) === git(root, 'rev-parse', 'HEAD');
  if (isHere && !isTagged) return [];
  return [`${version} has been released: the tag ${tag} is there${isHere ? '' : ', at another commit'}.`];
}

export function releaseFaults(root, { isTagged = false } = {}) {
  const version = versionOf(root);
  const changed = git(root, 'status', '--porcelain');
  return [
    ...(isVersion(version) ? [] : [`${version} is no version (package.json).`]),
    ...(changed === '' ? [] : [`There are changes that are not committed:\n${changed}`]),
    ...tagProblems(root, version, { isTagged }),
    ...changeProblems(root),
    ...changelogProblems(root, version),
    ...versionProblems(root, version),
  ];
}
