import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/**
 * Loaded from node_modules: native code, libraries that read files of their own, and libraries that few processes load.
 * reflect-metadata too: decorators need it, and in the bundle it would run after the other modules of its file.
 */
const EXTERNAL = [
  '@node-rs/argon2',
  'pino',
  'pdfkit',
  'fontkit',
  'unpdf',
  'oidc-provider',
  'openid-client',
  'bull',
  'ioredis',
  'undici',
  '@fastify/static',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  'reflect-metadata',
  ...externalsOfExtensions(),
];
const PROGRAMS = { cli: 'dist/src/cli.js', main: 'dist/src/main.js' };

/**
 * The last step of `npm run build`: bundles the program with the libraries that it loads at start. Node loads modules one by
 * one, and without the bundle there are about 1,500: that took more time than all else a command does.
 */
export default defineConfig({
  build: {
    ssr: true,
    outDir: 'dist/bundle',
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: { ...PROGRAMS, ...filesOfThreads() },
      // Schemas and tables are named after their classes. Threads find their files beside the code that starts them.
      // Comments, and strings of two bytes a character where one character needs them, would be kept in memory.
      output: {
        keepNames: true,
        comments: { annotation: false, jsdoc: false },
        charset: 'ascii',
        entryFileNames: ({ name }) => (name in PROGRAMS ? '[name].js' : 'assets/[name].js'),
      },
      // Decorators work by side effects.
      treeshake: false,
    },
  },
  ssr: {
    target: 'node',
    noExternal: true,
    external: EXTERNAL,
  },
  plugins: [oneTypeorm(), listedExternals(), withoutOldCache()],
});

/** What the `package.json` of an extension names as `claims.external`. */
function externalsOfExtensions(): string[] {
  const folders = readdirSync('src/extensions', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = folders.map(({ name }) => `src/extensions/${name}/package.json`).filter((file) => existsSync(file));
  return files.flatMap((file) => {
    const { type, claims } = JSON.parse(readFileSync(file, 'utf8')) as { type?: string; claims?: { external?: string[] } };
    if (type !== 'module') throw new Error(`${file} needs "type": "module", or its files are compiled as CommonJS.`);
    return claims?.external ?? [];
  });
}

/** The program of a thread and the computations that it loads, by their names. */
function filesOfThreads(): Record<string, string> {
  const files = readdirSync('dist/src', { recursive: true, encoding: 'utf8' });
  const ofThreads = files.filter((file) => file.endsWith('.computation.js') || file === 'store/threads/thread.js');
  const names = ofThreads.map((file) => basename(file, '.js'));
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new Error(`Two files are called ${twice}.ts, and in the bundle they would be one: rename one of them.`);
  return Object.fromEntries(ofThreads.map((file) => [basename(file, '.js'), `dist/src/${file}`]));
}

/** @nestjs/typeorm loads a second copy of TypeORM to look for two classes, which TypeORM 1 no longer has. */
function oneTypeorm(): Plugin {
  let isReplaced = false;
  return {
    name: 'one-typeorm',
    enforce: 'pre',
    load: (id) => {
      if (!id.endsWith('/typeorm-compat.js')) return null;
      isReplaced = true;
      return 'export const Connection = undefined, AbstractRepository = undefined;';
    },
    buildEnd: (error) => {
      if (!error && !isReplaced) throw new Error('@nestjs/typeorm no longer has typeorm-compat.js: see docs/dependencies.md.');
    },
  };
}

/** Of the build before. */
function withoutOldCache(): Plugin {
  return { name: 'without-old-cache', writeBundle: () => rmSync('dist/compile-cache', { recursive: true, force: true }) };
}

/** What an image needs of node_modules is this list: scripts/prune-packages.js reads it. */
function listedExternals(): Plugin {
  return {
    name: 'listed-externals',
    writeBundle: () => writeFileSync('dist/bundle/external-packages.json', JSON.stringify(EXTERNAL)),
  };
}
