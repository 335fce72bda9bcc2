// Strapi with a record like a claim project, with its defaults, in production, on the same Postgres: what others would begin with.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { warmUp } from './load.js';
import { memoryOf } from './processes.js';

const PACKAGES = ['@strapi/strapi@5.54.0', '@strapi/plugin-users-permissions@5.54.0', 'react@18', 'react-dom@18', 'react-router-dom@6'];
const NAME = 'claim-project';
const PATH = '/api/claim-projects';
const PROJECTS = 1000;

/** Installs it, which takes minutes and 700 MB, unless STRAPI names a folder that has it. The caller removes the folder. */
export async function openStrapi(stage, port) {
  const folder = mkdtempSync(join(tmpdir(), 'claims-strapi-'));
  const installed = process.env.STRAPI ?? folder;
  writeApplication(folder);
  if (installed === folder)
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES, 'styled-components@6', 'pg@8'], {
      cwd: folder,
    });
  else symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
  await stage.seedWith(({ sql }) => sql('CREATE DATABASE strapi'));
  const url = new URL(stage.databaseUrl);
  url.pathname = '/strapi';
  const env = { NODE_ENV: 'production', STRAPI: folder, DATABASE_URL: url.href };
  const server = await stage.openServer('test/bench/strapi-server.js', port, env);
  const tokenFile = join(folder, 'token');
  while (!existsSync(tokenFile)) await new Promise((resolve) => setTimeout(resolve, 50));
  const atRest = memoryOf(server.pid).now;
  const headers = { authorization: `Bearer ${readFileSync(tokenFile, 'utf8')}` };
  const post = posting(headers);
  await warmUp(server.url, post, PROJECTS);
  const list = { path: `${PATH}?pagination[pageSize]=50&sort=id:desc`, headers };
  const { data } = await (await fetch(`${server.url}${list.path}`, list)).json();
  const calls = { get: { path: `${PATH}/${data[0].documentId}`, headers }, list, post };
  return { server, atRest, calls, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function posting(headers) {
  let count = 0;
  const setupRequest = (request) => {
    const data = { name: `Benchmark ${(count += 1)}`, clientReference: 'CLIENT-1042', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
    const body = JSON.stringify({ data: { ...data, state: 'active', metadata: { officeCode: 'BER-1' } } });
    return { ...request, headers: { ...headers, 'content-type': 'application/json' }, body };
  };
  return { requests: [{ method: 'POST', path: PATH, setupRequest }] };
}

function writeApplication(folder) {
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const exported = (path, value) => write(path, `module.exports = ${value};`);
  const text = { type: 'string' };
  const day = { type: 'date', required: true };
  const attributes = {
    name: { ...text, required: true },
    clientReference: text,
    periodStart: day,
    periodEnd: day,
    state: { type: 'enumeration', enum: ['draft', 'active', 'archived'] },
    metadata: { type: 'json' },
  };
  const info = { singularName: NAME, pluralName: `${NAME}s`, displayName: 'Claim project' };
  const schema = { kind: 'collectionType', collectionName: 'claim_projects', info, options: { draftAndPublish: false }, attributes };
  write('package.json', JSON.stringify({ name: 'peer', version: '1.0.0', strapi: { uuid: 'peer' } }));
  write('public/uploads/.keep', '');
  write(`src/api/${NAME}/content-types/${NAME}/schema.json`, JSON.stringify(schema));
  for (const [place, kind] of [
    ['routes', 'Router'],
    ['controllers', 'Controller'],
    ['services', 'Service'],
  ])
    exported(`src/api/${NAME}/${place}/${NAME}.js`, `require('@strapi/strapi').factories.createCore${kind}('api::${NAME}.${NAME}')`);
  exported('config/server.js', "{ host: '127.0.0.1', port: Number(process.env.PORT), app: { keys: ['bench'] } }");
  const secrets = "auth: { secret: 'bench' }, apiToken: { salt: 'bench' }, secrets: { encryptionKey: 'bench' }";
  exported('config/admin.js', `{ serveAdminPanel: false, ${secrets} }`);
  const connection = '{ connectionString: process.env.DATABASE_URL }';
  exported('config/database.js', `{ connection: { client: 'postgres', connection: ${connection}, pool: { min: 2, max: 10 } } }`);
  exported('config/plugins.js', "{ 'users-permissions': { config: { jwtSecret: 'bench' } } }");
}
