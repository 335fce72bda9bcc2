/** Every place that says which version this is. A release has one number for all. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHART, read } from './files.js';

const PLACES = [
  { file: 'package.json', pattern: /^ {2}"version": "([^"]+)"/gm },
  { file: 'client/package.json', pattern: /^ {2}"version": "([^"]+)"/gm },
  // Of the lock, only the packages of this repository; npm writes theirs first.
  { file: 'package-lock.json', pattern: /^ {2}"version": "([^"]+)"/gm },
  { file: 'package-lock.json', pattern: /"name": "(?:claims-api|@claims-api\/client)",\n\s+"version": "([^"]+)"/g },
  { file: 'src/kernel/product.ts', pattern: /API_VERSION = '([^']+)'/g },
  // Of its packages, too.
  { file: 'server.json', pattern: /^ {2,6}"version": "([^"]+)"/gm },
  { file: 'tools/mcp-bridge/package.json', pattern: /^ {2}"version": "([^"]+)"/gm },
  { file: 'tools/mcp-bridge/manifest.json', pattern: /^ {2}"version": "([^"]+)"/gm },
  { file: 'docker/kubernetes/overlays/production/kustomization.yaml', pattern: /newTag: (\S+)/g },
  { file: 'docker/kubernetes/overlays/staging/kustomization.yaml', pattern: /newTag: (\S+)/g },
  // What an extension is compiled against, and made for. The template has a version of its own, the example has that of the product.
  { file: 'scripts/templates/extension/package.json', pattern: /claims-api-extension-api-([\d.]+)\.tgz/g },
  { file: 'scripts/templates/extension/package.json', pattern: /"(?:@claims-api\/extension-api|madeFor)": "\^([\d.]+)"/g },
  { file: 'scripts/templates/extension/src/extension.ts', pattern: /madeFor: '\^([\d.]+)'/g },
  { file: 'scripts/templates/extension/README.md', pattern: /claims-api-extension-api-([\d.]+)\.tgz/g },
  { file: 'docs/extending.md', pattern: /claims-(?:api-extension-api|extension-purchasing)-([\d.]+)\.tgz/g },
  { file: 'docs/extending.md', pattern: /FROM claims-api:(\S+)/g },
];
/** `npm run contracts` writes them. */
const GENERATED = [
  { file: 'docs/openapi.json', pattern: /^ {4}"version": "([^"]+)"/gm },
  { file: 'docs/asyncapi.json', pattern: /^ {4}"version": "([^"]+)"/gm },
  { file: 'docs/extension-api.md', pattern: /surface of version (\S+):/g },
];

/** Those that a folder of the repository brings along: the chart, and the examples, which install the archive of the client. */
function foundPlaces(root) {
  const chart = existsSync(join(root, CHART)) ? [{ file: `${CHART}/Chart.yaml`, pattern: /^(?:version|appVersion): "?([^"\s]+)"?/gm }] : [];
  const examples = readdirSync(join(root, 'examples')).map((name) => `examples/${name}/package.json`);
  const found = examples.filter((file) => existsSync(join(root, file)));
  return [...chart, ...found.map((file) => ({ file, pattern: /claims-api-client-([\d.]+)\.tgz/g, isOptional: true }))];
}

/** Of each place that says another version, or none, a sentence. */
export function versionProblems(root, version) {
  return [...PLACES, ...GENERATED, ...foundPlaces(root)].flatMap(({ file, pattern, isOptional }) => {
    const found = [...read(root, file).matchAll(pattern)].map(([, said]) => said);
    if (found.length === 0 && !isOptional) return [`${file} says no version.`];
    const hint = GENERATED.some((place) => place.file === file) ? ' Run npm run contracts.' : '';
    return found.filter((said) => said !== version).map((said) => `${file} says ${said}, and package.json ${version}.${hint}`);
  });
}

/** Writes the version to each place that is not generated. */
export function setVersion(root, version) {
  for (const { file, pattern } of [...PLACES, ...foundPlaces(root)]) {
    const text = read(root, file);
    const changed = text.replace(
      pattern,
      (match, said) => match.slice(0, match.lastIndexOf(said)) + version + match.slice(match.lastIndexOf(said) + said.length),
    );
    if (changed !== text) writeFileSync(join(root, file), changed);
  }
}
