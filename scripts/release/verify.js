/** What of a folder of a release is not as it was made. It needs no network, and no package. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHART, MANIFESTS, sha256 } from './files.js';
import { LOCK, PREDICATE, STATEMENT } from './provenance.js';
import { productionPackages } from './sbom.js';
import { unpacked } from './tar.js';

export const SUMS = 'SHA256SUMS';
/** What cosign adds, beside each file that it signs. */
const SIGNATURE = /\.(?:sigstore\.json|sig|pem)$/;

/** Every file of the folder is in the list with its hash, and no other. */
function sumProblems(files) {
  const lines = (files.get(SUMS)?.toString() ?? '').split('\n').filter(Boolean);
  const listed = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  if (listed.size === 0) return [`${SUMS} is missing or empty.`];
  const others = [...files.keys()].filter((name) => name !== SUMS && !SIGNATURE.test(name) && !listed.has(name));
  const changed = [...listed].flatMap(([name, hash]) => {
    if (!files.has(name)) return [`${name} is missing.`];
    return sha256(files.get(name)) === hash ? [] : [`${name} is not what ${SUMS} says.`];
  });
  return [...changed, ...others.map((name) => `${name} is not in ${SUMS}.`)];
}

/** The statement names every other file with its hash, and the lock file of the source. */
function provenanceProblems(files, names, sources) {
  const statement = JSON.parse(files.get(names.provenance));
  if (statement._type !== STATEMENT || statement.predicateType !== PREDICATE) return [`${names.provenance} is no statement that we know.`];
  const subjects = new Map(statement.subject.map(({ name, digest }) => [name, digest.sha256]));
  const { resolvedDependencies } = statement.predicate.buildDefinition;
  const commit = resolvedDependencies.find(({ digest }) => digest.gitCommit)?.digest.gitCommit ?? '';
  const lock = resolvedDependencies.find(({ name }) => name === LOCK)?.digest.sha256;
  const made = [...files.keys()].filter((name) => ![SUMS, names.provenance].includes(name) && !SIGNATURE.test(name));
  return [
    ...made.filter((name) => subjects.get(name) !== sha256(files.get(name))).map((name) => `${name} is not what ${names.provenance} says.`),
    ...[...subjects.keys()].filter((name) => !files.has(name)).map((name) => `${names.provenance} names ${name}, which is missing.`),
    ...(/^[\da-f]{40}$/.test(commit) ? [] : [`${names.provenance} names no commit.`]),
    ...(lock === sha256(sources.get(LOCK)) ? [] : [`${names.provenance} was made with another ${LOCK} than that of the source.`]),
  ];
}

/** `name@version → SHA-512 in hex` of each part that a list names; how often tells whether one is there twice. */
const READERS = {
  cycloneDx: ({ components }) =>
    components.map(({ group, name, version, hashes }) => [[group, name].filter(Boolean).join('/') + `@${version}`, hashes?.[0]?.content]),
  spdx: ({ packages, documentDescribes }) =>
    packages
      .filter(({ SPDXID }) => !documentDescribes.includes(SPDXID))
      .map(({ name, versionInfo, checksums }) => [`${name}@${versionInfo}`, checksums?.[0]?.checksumValue]),
};

const inHex = (integrity) => integrity && Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');

/** Each package that the lock installs in production is in the list of parts once, with the hash of the lock, and no other. */
export function partProblems(file, kind, list, lock) {
  const found = READERS[kind](list);
  const [names, hashes] = [found.map(([name]) => name), new Map(found)];
  const wanted = productionPackages(lock);
  return [
    ...names.filter((name, at) => names.indexOf(name) < at).map((name) => `${file} has ${name} twice.`),
    ...names.filter((name) => !wanted.has(name)).map((name) => `${file} has ${name}, which ${LOCK} does not install.`),
    ...[...wanted].flatMap(([name, integrity]) => {
      if (!hashes.has(name)) return [`${file} lacks ${name}.`];
      return hashes.get(name) === inHex(integrity) ? [] : [`${file} has another hash of ${name} than ${LOCK}.`];
    }),
  ];
}

/** The files of an archive are those of the source: of a folder of it, under another name. */
function copyProblems(archive, found, sources, [from, to]) {
  const wanted = [...sources]
    .filter(([name]) => name.startsWith(`${from}/`))
    .map(([name, content]) => [to + name.slice(from.length), content]);
  const extra = [...found.keys()].filter((name) => !wanted.some(([path]) => path === name));
  const other = wanted.filter(([name, content]) => !found.get(name)?.equals(content)).map(([name]) => name);
  return [...extra, ...other].map((name) => `${archive}: ${name} is not as in the source.`);
}

function packageProblems(archive, found, { name, version, entries }) {
  const manifest = JSON.parse(found.get('package/package.json') ?? '{}');
  const strange = [...found.keys()].filter((path) => !path.startsWith('package/'));
  const scripts = ['preinstall', 'install', 'postinstall'].filter((script) => script in (manifest.scripts ?? {}));
  return [
    ...(manifest.name === name && manifest.version === version ? [] : [`${archive} is ${manifest.name} ${manifest.version}.`]),
    ...strange.map((path) => `${archive}: ${path} is outside of the package.`),
    ...scripts.map((script) => `${archive} runs a script when it is installed (${script}).`),
    ...entries(manifest)
      .filter((path) => !found.has(posixIn(path)))
      .map((path) => `${archive} lacks ${path}.`),
  ];
}

const posixIn = (path) => `package/${path.replace(/^\.\//, '')}`;

/** Every file that `exports` names, at any depth. */
const leaves = (value) => (typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(leaves));

function archiveProblems(files, names, { version, sources }) {
  const at = (name) => unpacked(files.get(name));
  const client = { name: '@claims-api/client', version, entries: ({ exports }) => leaves(exports) };
  const mcp = { name: '@claims-api/mcp', version, entries: ({ bin }) => leaves(bin) };
  const { packages } = JSON.parse(files.get(names.listing));
  const api = { name: '@claims-api/extension-api', version, entries: () => ['src/extension-api.d.ts', 'src/extension-computations.d.ts'] };
  const manifest = JSON.parse(sources.get('package.json'));
  return [
    ...(manifest.version === version ? [] : [`${names.source} is version ${manifest.version}.`]),
    ...packageProblems(names.client, at(names.client), client),
    ...packageProblems(names.mcp, at(names.mcp), mcp),
    ...(packages.some(({ fileSha256 }) => fileSha256 === sha256(files.get(names.bundle)))
      ? []
      : [`${names.listing} has another hash of the bundle.`]),
    ...packageProblems(names.extensionApi, at(names.extensionApi), api),
    ...copyProblems(names.kubernetes, at(names.kubernetes), sources, [MANIFESTS, `claims-api-kubernetes-${version}/${MANIFESTS}`]),
    ...(sources.has(`${CHART}/Chart.yaml`) && !files.has(names.chart) ? [`${names.chart} is missing.`] : []),
    ...(files.has(names.chart) ? copyProblems(names.chart, at(names.chart), sources, [CHART, 'claims-api']) : []),
  ];
}

const namesFor = (version) => ({
  source: `claims-api-${version}.tar.gz`,
  client: `claims-api-client-${version}.tgz`,
  mcp: `claims-api-mcp-${version}.tgz`,
  bundle: `claims-api-mcp-${version}.mcpb`,
  listing: `claims-api-mcp-${version}.server.json`,
  extensionApi: `claims-api-extension-api-${version}.tgz`,
  kubernetes: `claims-api-kubernetes-${version}.tar.gz`,
  chart: `claims-api-chart-${version}.tgz`,
  cycloneDx: `claims-api-${version}.cdx.json`,
  spdx: `claims-api-${version}.spdx.json`,
  provenance: `claims-api-${version}.provenance.json`,
});

/** The source as `path → content`, without the folder that all of it is in. */
const sourcesIn = (archive) => new Map([...unpacked(archive)].map(([name, content]) => [name.replace(/^[^/]+\//, ''), content]));

export function releaseProblems(folder) {
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  const version = [...files.keys()].flatMap((name) => /^claims-api-(\d.*)\.tar\.gz$/.exec(name)?.[1] ?? [])[0];
  if (version === undefined) return ['There is no archive of the source (claims-api-VERSION.tar.gz).'];
  const names = namesFor(version);
  const missing = Object.entries(names).filter(([kind, name]) => kind !== 'chart' && !files.has(name));
  if (missing.length > 0) return missing.map(([, name]) => `${name} is missing.`);
  // A file that was changed may not be readable any more: what it has is looked at only if its hash is right.
  const changed = sumProblems(files);
  if (changed.length > 0) return changed;
  const sources = sourcesIn(files.get(names.source));
  const lock = JSON.parse(sources.get(LOCK));
  return [
    ...provenanceProblems(files, names, sources),
    ...['cycloneDx', 'spdx'].flatMap((kind) => partProblems(names[kind], kind, JSON.parse(files.get(names[kind])), lock)),
    ...archiveProblems(files, names, { version, sources }),
  ];
}
