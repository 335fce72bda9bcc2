/**
 * What extensions are compiled against, as a package: the declarations of src/extension-api.ts and src/extension-computations.ts, in the
 * folders of the source, so that an extension below src/extensions imports them as it does in the product.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { read, versionOf } from './files.js';

const ENTRIES = ['src/extension-api', 'src/extension-computations'];
/** Classes that a function makes, with private members, and those that extend them. */
const UNDECLARABLE = /error TS(?:4094|4020)/;
const IMPORTED = /(?:\bfrom|\bimport) ?\(?['"]([^'"]+)['"]/g;

const README = (version) => `# The extension API of the Claims API ${version}

Declarations of all that an extension of the Claims API ${version} may import. Unpack the archive, put the extension into
\`src/extensions/NAME\`, run \`npm install\` and \`npx tsc -p .\`: it is compiled as within the product, without its source. A package
of its own imports \`@claims-api/extension-api\` and \`@claims-api/extension-api/computations\`, and has this one as a development
dependency. Both run only within the product; docs/extending.md there is the guide.
`;

const TSCONFIG = (options) => ({
  compilerOptions: { ...options, rootDir: '.', noEmit: true, incremental: false },
  include: ['src/extensions'],
});

/** Compiles into the folder. What TypeScript cannot declare is packed as source. */
function declare(root, folder) {
  const config = join(folder, 'tsconfig.json');
  const own = { rootDir: root, outDir: folder, declaration: true, emitDeclarationOnly: true, incremental: false, sourceMap: false };
  const compilerOptions = { ...own, tsBuildInfoFile: null, typeRoots: [join(root, 'node_modules/@types')] };
  const files = ENTRIES.map((entry) => join(root, `${entry}.ts`));
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }));
  const { stdout, error } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config, '--noCheck'], {
    encoding: 'utf8',
  });
  const unexpected = (stdout ?? '').split('\n').filter((line) => line.includes('error TS') && !UNDECLARABLE.test(line));
  if (error || unexpected.length > 0) throw error ?? new Error(unexpected.join('\n'));
}

function fileOf(root, folder, module) {
  if (existsSync(join(folder, `${module}.d.ts`))) return { name: `${module}.d.ts`, content: readFileSync(join(folder, `${module}.d.ts`)) };
  const name = [`${module}.ts`, `${module}.tsx`, module].find((path) => existsSync(join(root, path)));
  return name && { name, content: readFileSync(join(root, name)) };
}

/** All files that the entries reach, and the packages that these name. */
function reached(root, folder) {
  const [files, packages, waiting] = [new Map(), new Set(), [...ENTRIES]];
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    if (files.has(module)) continue;
    const file = fileOf(root, folder, module);
    if (file === undefined) throw new Error(`${module} is imported, and there is no such file.`);
    files.set(module, file);
    for (const [, target] of file.content.toString().matchAll(IMPORTED))
      if (target.startsWith('.')) waiting.push(posix.join(dirname(module), target).replace(/\.js$/, ''));
      else if (!target.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(target)[0]);
  }
  return { files: [...files.values()], packages: [...packages].sort() };
}

/** The package as files: `{ name, content }`. */
export function extensionApiFiles(root) {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'extension-api-'));
  try {
    declare(root, folder);
    const { files, packages } = reached(root, folder);
    const { dependencies, devDependencies, engines } = JSON.parse(read(root, 'package.json'));
    const { repository } = JSON.parse(read(root, 'client/package.json'));
    const known = { ...devDependencies, ...dependencies };
    const named = packages.filter((name) => name in known);
    const manifest = {
      name: '@claims-api/extension-api',
      version: versionOf(root),
      description: 'Declarations for extensions of the Claims API',
      license: 'Apache-2.0',
      // A publisher names it there, for the provenance of npm.
      ...(repository && { repository }),
      type: 'module',
      // There is only something to run within the product, which gives packages what they import under this name.
      exports: {
        '.': { types: './src/extension-api.d.ts' },
        './computations': { types: './src/extension-computations.d.ts' },
        './src/*': './src/*',
        './package.json': './package.json',
      },
      engines,
      files: ['src', 'tools', 'codes', 'wording', 'docs', 'tsconfig.json'],
      publishConfig: { access: 'public', provenance: true },
      peerDependencies: Object.fromEntries(named.map((name) => [name, known[name]])),
      devDependencies: { '@types/node': known['@types/node'], typescript: known.typescript },
    };
    const { compilerOptions } = JSON.parse(read(root, 'tsconfig.json'));
    delete compilerOptions.outDir;
    delete compilerOptions.tsBuildInfoFile;
    const asJson = (value) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
    return [
      ...files,
      { name: 'package.json', content: asJson(manifest) },
      { name: 'tsconfig.json', content: asJson(TSCONFIG(compilerOptions)) },
      { name: 'README.md', content: Buffer.from(README(manifest.version)) },
      { name: 'LICENSE', content: readFileSync(join(root, 'LICENSE')) },
      { name: 'docs/extension-api.md', content: readFileSync(join(root, 'docs/extension-api.md')) },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
