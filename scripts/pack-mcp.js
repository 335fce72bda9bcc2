/**
 * `npm run pack:mcp` packs the program that passes MCP over stdio on to a service, for those without a checkout: as npm package, as bundle
 * for hosts that install with one click (.mcpb), and `server.json` for registries, which names both. `node scripts/pack-mcp.js FOLDER`
 * leaves them in another folder than the repository.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = join(ROOT, 'tools/mcp-bridge');
const COPY = mkdtempSync(join(tmpdir(), 'claims-mcp-'));
const PROGRAM = ['bridge.js', 'claims-mcp.js'];
/** Archives know no earlier day. Its hours are those of the machine, so it says the same in every time zone. */
const NO_TIME = new Date(1980, 0, 1);

const [target = ROOT] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8'));
const name = `claims-api-mcp-${version}`;

function compile() {
  for (const file of ['package.json', 'README.md', 'manifest.json']) cpSync(join(SOURCE, file), join(COPY, file));
  cpSync(join(ROOT, 'LICENSE'), join(COPY, 'LICENSE'));
  const flags = ['--target', 'es2022', '--module', 'nodenext', '--types', 'node', '--strict', '--skipLibCheck', '--ignoreConfig'];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, join(SOURCE, 'claims-mcp.ts'), '--outDir', COPY, ...flags], { cwd: ROOT, stdio: 'inherit' });
}

/** What the host unpacks: the manifest, the program, and the package.json that says of which kind its modules are. */
function bundle() {
  const files = ['manifest.json', 'package.json', 'LICENSE', ...PROGRAM].map((file) => [file, readFileSync(join(COPY, file))]);
  return zipSync(Object.fromEntries(files), { mtime: NO_TIME, level: 9 });
}

/** Where a release can be downloaded, which only its publisher knows. */
const DOWNLOADS = process.env.RELEASE_DOWNLOADS || `https://github.com/OWNER/REPOSITORY/releases/download/v${version}`;

function listing(mcpb) {
  const server = JSON.parse(readFileSync(join(ROOT, 'server.json'), 'utf8'));
  const fileSha256 = createHash('sha256').update(mcpb).digest('hex');
  const identifier = `${DOWNLOADS}/${name}.mcpb`;
  const ofBundle = { registryType: 'mcpb', identifier, version, fileSha256, transport: { type: 'stdio' } };
  return `${JSON.stringify({ ...server, packages: [...server.packages, ofBundle] }, null, 2)}\n`;
}

compile();
const options = [...(process.argv[2] ? ['--silent'] : []), '--pack-destination', target];
execFileSync('npm', ['pack', ...options], { cwd: COPY, stdio: 'inherit' });
const mcpb = bundle();
writeFileSync(join(target, `${name}.mcpb`), mcpb);
writeFileSync(join(target, `${name}.server.json`), listing(mcpb));
rmSync(COPY, { recursive: true });
