/**
 * The parts of the product, in CycloneDX 1.6 and SPDX 2.3. `npm sbom` reads them from the lock file; what it leaves to chance (times,
 * serial numbers, the name of the folder) is set here, so that a second run writes the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { read, sha256, versionOf } from './files.js';

const NAME = 'claims-api';

/**
 * With `--omit dev`, npm 11 leaves out packages that something for development needs as well, such as `pg-protocol` and `ajv`. So it is
 * shown a lock file that has nothing for development.
 */
function fromNpm(root, format) {
  const folder = mkdtempSync(join(tmpdir(), 'claims-sbom-'));
  try {
    const [manifest, lock] = ['package.json', 'package-lock.json'].map((file) => JSON.parse(read(root, file)));
    const kept = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
    for (const [path, entry] of kept.filter(([name]) => !name.includes('node_modules/')))
      writeManifest(folder, path, path === '' ? manifest : entry);
    const packages = Object.fromEntries(kept.map(([path, entry]) => [path, withoutDev(entry)]));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
    const args = ['sbom', '--sbom-format', format, '--package-lock-only', '--loglevel', 'error'];
    return JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const withoutDev = ({ devDependencies: _left, ...rest }) => rest;

/** Of the product, and of its workspaces. */
function writeManifest(folder, path, manifest) {
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, path, 'package.json'), JSON.stringify(withoutDev(manifest)));
}

/** A UUID that follows from a text: the same for the same parts. */
function uuidOf(text) {
  const hex = sha256(text);
  const variant = ((Number.parseInt(hex[16], 16) & 0x3) | 0x8).toString(16);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}

/** Of packages whose lock entry says none that SPDX knows: what a person has read in them. */
function licencesRead(root) {
  const rows = read(root, 'docs/dependencies.md').matchAll(/^\| `([^`]+)` \| [^|`]+ \| `([^`]+)`/gm);
  return new Map([...rows].map(([, name, licence]) => [name, licence]));
}

/** The scope of a name is its group in CycloneDX. Its package URL has both. */
function named(component) {
  const [, group, name] = /^pkg:npm\/(?:%40([^/]+)\/)?([^@]+)@/.exec(component.purl);
  return { ...component, name: decodeURIComponent(name), ...(group && { group: `@${group}` }) };
}

/** npm writes 1.5. All of it that is used here is in 1.6 as well, but for the list of tools, which has another form there. */
export function cycloneDx(root, time) {
  const { metadata, components, dependencies } = fromNpm(root, 'cyclonedx');
  const tools = { components: metadata.tools.map(({ name, version }) => ({ type: 'application', name: `npm-${name}`, version })) };
  const component = { ...named(metadata.component), type: 'application' };
  const known = licencesRead(root);
  const licensed = (part) => (known.has(part.name) ? { ...part, licenses: [{ license: { id: known.get(part.name) } }] } : part);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([component, components]))}`,
    version: 1,
    metadata: { ...metadata, timestamp: time, tools, component },
    components: components.map(named).map(licensed),
    dependencies,
  };
}

export function spdx(root, time) {
  const document = fromNpm(root, 'spdx');
  const { creators } = document.creationInfo;
  const known = licencesRead(root);
  const packages = document.packages.map((part) => (known.has(part.name) ? { ...part, licenseDeclared: known.get(part.name) } : part));
  return {
    ...document,
    documentNamespace: `https://spdx.org/spdxdocs/${NAME}-${versionOf(root)}-${uuidOf(JSON.stringify(packages))}`,
    packages,
    creationInfo: { created: time.replace(/\.\d+Z$/, 'Z'), creators },
  };
}

/** `name@version` of each package that the lock installs in production, with its integrity; of links, that to which they lead. */
export function productionPackages(lock) {
  const found = Object.entries(lock.packages).filter(([path, entry]) => path !== '' && !entry.dev && !entry.link);
  return new Map(
    found.map(([path, { name, version, integrity }]) => [`${name ?? path.split('node_modules/').at(-1)}@${version}`, integrity]),
  );
}
