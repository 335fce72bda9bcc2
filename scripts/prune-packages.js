/**
 * Removes from node_modules all packages that the built program does not load: those that are in the bundle. Of the others it removes
 * what is for browsers and for development. For images: docker/Dockerfile runs it.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Of these it reads files: the Swagger UI, and the fonts of PDFs. */
const READ = ['swagger-ui-dist', 'dejavu-fonts-ttf'];
/** Of these packages the program reads only these files: the rest draws PDFs in browsers, or has other fonts. */
const ONLY = {
  unpdf: ['package.json', 'LICENSE', 'dist/pdfjs.mjs'],
  'dejavu-fonts-ttf': ['package.json', 'LICENSE', 'ttf/DejaVuSans.ttf', 'ttf/DejaVuSans-Bold.ttf'],
};
const UNREAD = ['pdfkit/.yarn', 'pdfkit/js/pdfkit.standalone.js'];

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** Where a package finds another one: beside itself, or in a folder above. */
function placeOf(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const place = `${folder}${folder && '/'}node_modules/${name}`;
    if (place in packages) return place;
    if (folder === '') return undefined;
  }
}

const kept = new Set();
function keep(place) {
  if (place === undefined || kept.has(place)) return;
  kept.add(place);
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = packages[place];
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional);
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) keep(placeOf(name, place));
}
const external = JSON.parse(readFileSync('dist/bundle/external-packages.json', 'utf8'));
for (const name of [...external, ...READ]) keep(placeOf(name, ''));

const remove = (path) => rmSync(`node_modules/${path}`, { recursive: true, force: true });
for (const place of Object.keys(packages).filter((path) => path.startsWith('node_modules/') && !kept.has(path)))
  remove(place.slice('node_modules/'.length));
for (const path of UNREAD) remove(path);
for (const [name, only] of Object.entries(ONLY)) for (const file of filesOf(name)) if (!only.includes(file)) remove(`${name}/${file}`);

function filesOf(name) {
  const root = `node_modules/${name}`;
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
