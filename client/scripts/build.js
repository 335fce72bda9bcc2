// Builds the package: one file of each kind of module, each with its types beside it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const KINDS = [
  { folder: 'esm', format: 'es', type: 'module' },
  { folder: 'cjs', format: 'cjs', type: 'commonjs' },
];

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
      lib: { entry: at('src/index.ts'), formats: [format], fileName: () => 'index.js' },
      outDir: at(`dist/${folder}`),
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
    },
  });
  // Types without an extension of their own take the kind of the folder.
  writeFileSync(at(`dist/${folder}/package.json`), `${JSON.stringify({ type, sideEffects: false })}\n`);
}
