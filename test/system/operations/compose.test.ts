import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbeddedDatabase, type EmbeddedDatabase } from '../../../tools/embedded-postgres/index.js';
import { composeFile, readEnvironment, type ComposeFile } from '../../support/compose.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { freePorts } from '../../support/free-port.js';
import { runClaims, startProcess } from '../../support/process.js';

const run = promisify(execFile);
const OF_THE_PROGRAM = ['migrate', 'api', 'worker'];
const ALL_STORES = ['postgres', 'redis'];
const VARIABLES = ['POSTGRES_PASSWORD', 'MIGRATOR_PASSWORD', 'SERVICE_PASSWORD', 'REDIS_PASSWORD', 'ENCRYPTION_KEY'];

let folder: string;
let env: Record<string, string>;
let compose: ComposeFile;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claims-compose-'));
  await copyFile('docker/first-start.sh', join(folder, 'first-start.sh'));
  await run('sh', [join(folder, 'first-start.sh')]);
  env = readEnvironment(join(folder, '.env'));
  compose = composeFile(env);
});
afterAll(() => rm(folder, { recursive: true }));

describe('the script of the first start', () => {
  it('writes a secret for each variable that Compose asks for, which only its owner can read', async () => {
    expect(Object.keys(env)).toEqual(VARIABLES);
    expect(new Set(Object.values(env)).size).toBe(VARIABLES.length);
    for (const name of VARIABLES.slice(0, -1)) expect(env[name]).toMatch(/^[\da-f]{48}$/);
    expect(Buffer.from(env.ENCRYPTION_KEY!, 'base64')).toHaveLength(32);
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
  });

  it('does not overwrite them', async () => {
    const { stdout } = await run('sh', [join(folder, 'first-start.sh')]);
    expect(stdout).toContain('stays as it is');
    expect(readEnvironment(join(folder, '.env'))).toEqual(env);
  });

  it.each(VARIABLES)('is what Compose names when %s is missing', (name) => {
    expect(() => composeFile({ ...env, [name]: '' })).toThrow(`${name} is missing a value: run docker/first-start.sh`);
  });
});

describe('the compose file', () => {
  it('lets only this machine reach the API, and nothing reach the stores', () => {
    const ports = Object.entries(compose.services).flatMap(([name, { ports: all = [] }]) => all.map((port) => `${name} ${port}`));
    expect(ports).toEqual(['api 127.0.0.1:3000:3000']);
    expect(compose.networks.stores).toEqual({ internal: true });
    for (const name of ALL_STORES) expect(compose.services[name]!.networks).toEqual(['stores']);
  });

  it('starts each service when what it needs is healthy or done', () => {
    const needs = Object.entries(compose.services).flatMap(([name, { depends_on: all = {} }]) =>
      Object.entries(all).map(([other, { condition }]) => `${name}: ${other} ${condition}`),
    );
    expect(needs).toEqual([
      'migrate: postgres service_healthy',
      ...['api', 'worker'].flatMap((name) => [`${name}: migrate service_completed_successfully`, `${name}: redis service_healthy`]),
      'next: api service_healthy',
      'next: worker service_healthy',
    ]);
    for (const name of ALL_STORES) expect(compose.services[name]!.healthcheck!.test!.length).toBeGreaterThan(1);
    // Those of the program have the check of their image.
    for (const name of ['api', 'worker']) expect(compose.services[name]!.healthcheck).toBeUndefined();
  });

  it('gives the containers of the program no privileges, and no image to write to', () => {
    for (const name of [...OF_THE_PROGRAM, 'next'])
      expect(compose.services[name], name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
  });

  it('gives the password of the owner of the tables to the migration, and that of the superuser to Postgres alone', () => {
    const having = (secret: string): string[] =>
      Object.entries(compose.services).flatMap(([name, service]) => (JSON.stringify(service).includes(secret) ? [name] : []));
    expect(having(env.MIGRATOR_PASSWORD!)).toEqual(['migrate', 'postgres']);
    expect(having(env.POSTGRES_PASSWORD!)).toEqual(['postgres']);
    expect(having(env.REDIS_PASSWORD!)).toEqual(['api', 'worker', 'redis']);
    expect(having(env.ENCRYPTION_KEY!)).toEqual(['api', 'worker']);
  });

  it('says last what to do next: the address, and commands that the program has', async () => {
    const { entrypoint, command, environment } = compose.services.next!;
    const [program, ...args] = [...entrypoint!, ...command!];
    const { stdout } = await run(program!, args, { env: { PATH: process.env.PATH, ...environment } });
    expect(stdout).toContain('http://localhost:3000/docs');
    const commands = [...stdout.matchAll(/exec api node bin\/claims\.js (.*)$/gm)].map(([, all]) => all!);
    expect(commands).toHaveLength(2);
    for (const all of commands) {
      const words = all.split(' ').slice(0, 2);
      const { stdout: help } = await runClaims([...words, '--help']);
      for (const [option] of all.matchAll(/--[\w-]+/g)) expect(help).toContain(option);
    }
  });

  it('has the statements of the guide for the two roles', async () => {
    const guide = /<!-- roles -->\n```sql\n([^`]+)```/.exec(await readFile('docs/operating.md', 'utf8'))![1]!;
    const script = /<<'SQL'\n([^]+)\nSQL\n/.exec(await readFile('docker/postgres-roles.sh', 'utf8'))![1]!;
    const statements = (text: string): string[] =>
      text.split(';').map((each) => each.trim().replaceAll(/PASSWORD '[^']+'|PASSWORD :'\w+'/g, ''));
    expect(statements(script)).toEqual(statements(guide));
  });
});

const hasPsql = await run('psql', ['--version']).then(
  () => true,
  () => false,
);

describe.runIf(hasPsql)('the services of the compose file, on an empty server', () => {
  let redis: ChildProcess;
  let postgres: EmbeddedDatabase;
  let data: string;
  /** The environment of a service, with addresses of this machine. */
  let environmentOf: (name: string) => Record<string, string>;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'claims-compose-data-'));
    postgres = await openEmbeddedDatabase({ dataDir: data, mode: 'own', settings: {} });
    const { hostname, port: server, username, password } = new URL(postgres.url);
    await rowsOf(postgres.url, 'CREATE DATABASE compose');
    const of = { PGHOST: hostname, PGPORT: server, PGPASSWORD: password, POSTGRES_USER: username, POSTGRES_DB: 'compose' };
    await run('sh', ['docker/postgres-roles.sh'], { env: { PATH: process.env.PATH, ...env, ...of } });
    const [redisPort, port, healthPort] = await freePorts(3);
    const [program, ...options] = compose.services.redis!.command!;
    redis = spawn(program!, ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', ...options], { stdio: 'ignore' });
    const ping = ['-p', String(redisPort), 'ping'];
    const { REDISCLI_AUTH } = compose.services.redis!.environment!;
    await eventually(async () => {
      const { stdout } = await run('redis-cli', ping, { env: { PATH: process.env.PATH, REDISCLI_AUTH } });
      expect(stdout).toBe('PONG\n');
    });
    const ports = { api: { PORT: String(port) }, worker: { HEALTH_PORT: String(healthPort) } };
    environmentOf = (name) => {
      const all = { NODE_ENV: 'production', ...compose.services[name]!.environment, ...ports[name as 'api'] };
      const moved = Object.entries(all).map(([variable, value]) => [
        variable,
        value.replace('@postgres:5432/claims', `@${hostname}:${server}/compose`).replace('@redis:6379', `@127.0.0.1:${redisPort}`),
      ]);
      return Object.fromEntries(moved) as Record<string, string>;
    };
  });
  afterAll(async () => {
    redis?.kill();
    await postgres?.stop();
    await rm(data, { recursive: true });
  });

  it('migrate with the role that owns the tables, and start with the one that only reads and writes rows', async () => {
    expect(await runClaims([...compose.services.migrate!.command!], environmentOf('migrate'))).toMatchObject({ code: 0 });
    for (const name of ['api', 'worker']) {
      const service = await startProcess(environmentOf(name));
      await service.stop();
    }
    const examined = await runClaims(['doctor'], environmentOf('api'));
    expect(examined, examined.stdout).toMatchObject({ code: 0 });
    expect(examined.stdout).not.toContain('can do what the owner');
    const { DATABASE_URL } = environmentOf('api');
    await expect(rowsOf(DATABASE_URL!, 'DROP TABLE audit_events')).rejects.toThrow(/must be owner/);
    await expect(rowsOf(DATABASE_URL!, 'CREATE ROLE another')).rejects.toThrow(/permission denied/);
  });

  it('are refused by Redis without its password', async () => {
    const { REDIS_URL, ...others } = environmentOf('api');
    const { stdout } = await runClaims(['doctor'], { ...others, REDIS_URL: REDIS_URL!.replace(env.REDIS_PASSWORD!, 'another') });
    expect(stdout).toMatch(/(WRONGPASS|password)/i);
  });
});
