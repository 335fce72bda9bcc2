// Builds the package: a file for each entry of `exports` in package.json, of each kind of module, with its types beside it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const KINDS = [
  { folder: 'esm', format: 'es', type: 'module' },
  { folder: 'cjs', format: 'cjs', type: 'commonjs' },
];

/** What `import` finds at ./dist/esm/x.js is made from src/x.ts. */
const { exports } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const built = Object.values(exports).flatMap((entry) => entry.import?.default ?? []);
const names = built.map((path) => path.replace(/^\.\/dist\/esm\/(.+)\.js$/, '$1'));
const entry = Object.fromEntries(names.map((name) => [name, at(`src/${name}.ts`)]));

rmSync(at('dist'), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', at('tsconfig.json'), '--outDir', at('dist/esm')], { stdio: 'inherit' });
cpSync(at('dist/esm'), at('dist/cjs'), { recursive: true });
for (const { folder, format, type } of KINDS) {
  mkdirSync(at(`dist/${folder}`), { recursive: true });
  await build({
    root: at('.'),
    configFile: false,
    logLevel: 'warn',
    build: {
      lib: { entry, formats: [format], fileName: (_format, name) => `${name}.js` },
      // Frameworks are those of whoever installs the package.
      rolldownOptions: { external: /^[@a-z]/ },
      outDir: at(`dist/${folder}`),
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
    },
  });
  // Types without an extension of their own take the kind of the folder.
  writeFileSync(at(`dist/${folder}/package.json`), `${JSON.stringify({ type, sideEffects: false })}\n`);
}
