/** The archives of a release, as `[name, bytes]`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { extensionApiFiles } from './extension-api-archive.js';
import { below, CHART, MANIFESTS, trackedFiles, versionOf } from './files.js';
import { packed } from './tar.js';

/** Runs with a folder that is removed afterwards. */
function inFolder(run) {
  const folder = mkdtempSync(join(tmpdir(), 'claims-release-'));
  try {
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const onlyFileOf = (folder) => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  if (names.length !== 1) throw new Error(`npm pack made ${names.length} archives.`);
  return [names[0], readFileSync(join(folder, names[0]))];
};

const client = (root) =>
  inFolder((folder) => {
    execFileSync(process.execPath, [join(root, 'scripts/pack-client.js'), folder], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    return onlyFileOf(folder);
  });

/** The program for MCP over stdio, as package and as bundle, and what registries list. */
const mcp = (root) =>
  inFolder((folder) => {
    execFileSync(process.execPath, [join(root, 'scripts/pack-mcp.js'), folder], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]);
  });

const extensionApi = (root) =>
  inFolder((folder) => {
    for (const { name, content } of extensionApiFiles(root)) {
      mkdirSync(join(folder, 'package', dirname(name)), { recursive: true });
      writeFileSync(join(folder, 'package', name), content);
    }
    const args = ['pack', '--silent', '--pack-destination', folder];
    execFileSync('npm', args, { cwd: join(folder, 'package'), stdio: ['ignore', 'ignore', 'inherit'] });
    return onlyFileOf(folder);
  });

/** The whole repository as it was committed: what the image is built from (docker/Dockerfile). */
const source = (root) => {
  const name = `claims-api-${versionOf(root)}`;
  return [`${name}.tar.gz`, packed(below(name, trackedFiles(root)))];
};

const kubernetes = (root) => {
  const name = `claims-api-kubernetes-${versionOf(root)}`;
  return [`${name}.tar.gz`, packed(below(name, trackedFiles(root, MANIFESTS)))];
};

/** As `helm package` lays it out. */
const chart = (root) => {
  const files = trackedFiles(root, CHART).map((file) => ({ ...file, name: file.name.slice(dirname(CHART).length + 1) }));
  return [`claims-api-chart-${versionOf(root)}.tgz`, packed(files)];
};

export const archivesOf = (root) => [
  client(root),
  ...mcp(root),
  extensionApi(root),
  source(root),
  kubernetes(root),
  ...(existsSync(join(root, CHART)) ? [chart(root)] : []),
];
