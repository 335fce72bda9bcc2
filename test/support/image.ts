import { execFile, spawn } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isLeftOut, parseDockerfile, textsOf, type Instruction } from './dockerfile.js';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 60_000;
/** Where it is in the image of Node. */
const NODE = '/usr/local/bin/node';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Container {
  readonly pid: number;
  /** The log lines so far, one object each. */
  readonly lines: readonly Record<string, unknown>[];
  stop(): Promise<Ran>;
}

/** What the Dockerfile builds, without a container engine: folders for its last stage, and its commands in them. */
export interface Image {
  /** The folder for `/`. It has no more than what the last stage puts on the base image. */
  readonly folder: string;
  /** Starts the entry point with arguments, as the user of the image, who can write only to /data. `wrap` is a command around it. */
  start(args: readonly string[], env: Readonly<Record<string, string>>, wrap?: readonly string[]): Container;
  /** The same until it ends by itself. */
  run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran>;
  /** The command of the health check. Resolves if it ends with 0. */
  checkHealth(env: Readonly<Record<string, string>>): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Runs the instructions of docker/Dockerfile in a new folder, outside the repository: inside it, Node would find the packages that the
 * image lacks. Instead of downloading and building again, it takes the packages and the build of the repository.
 */
export async function buildImage(): Promise<Image> {
  const { stages } = parseDockerfile(await readFile(join(ROOT, 'docker/Dockerfile'), 'utf8'));
  const base = await mkdtemp(join(tmpdir(), 'claims-image-'));
  const [built, folder] = [join(base, 'build'), join(base, 'image')];
  await execute('chmod', ['755', base]);
  await Promise.all([mkdir(join(built, 'app'), { recursive: true }), mkdir(join(folder, 'app'), { recursive: true })]);
  await mkdir(join(built, dirname(NODE)), { recursive: true });
  await copyFile(process.execPath, join(built, NODE));
  for (const instruction of stages[0]!.instructions) await carryOut(instruction, built);
  const last = stages.at(-1)!;
  for (const instruction of last.instructions) await carryOut(instruction, folder, built);
  const environment = textsOf(last, 'ENV').flatMap((text) => text.split(' ').map((pair) => pair.split('=') as [string, string]));
  const user = textsOf(last, 'USER').at(-1)!;
  const health = /CMD (\[.*\])$/.exec(textsOf(last, 'HEALTHCHECK')[0]!)![1]!;
  const path = `${join(folder, dirname(NODE))}:${process.env.PATH}`;
  const place: Place = { folder, user, env: { ...Object.fromEntries(environment), PATH: path, DATA_DIR: join(folder, 'data') } };
  const command = JSON.parse(textsOf(last, 'ENTRYPOINT')[0]!) as string[];
  const start: Image['start'] = (args, env, wrap = []) => startIn(place, [...wrap, ...asUser(user), ...command, ...args], env).container;
  return {
    folder,
    start,
    run: (args, env) => startIn(place, [...asUser(user), ...command, ...args], env).ended,
    checkHealth: (env) => {
      const [program, ...args] = [...asUser(user), ...(JSON.parse(health) as string[])] as [string, ...string[]];
      return execute(program, args, { cwd: join(folder, 'app'), env: { ...place.env, ...env } });
    },
    close: () => rm(base, { recursive: true, force: true }),
  };
}

interface Place {
  readonly folder: string;
  readonly user: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Only root can become somebody else; to anybody else the image belongs, and it is not read-only. */
function asUser(user: string): string[] {
  const [uid, gid] = user.split(':');
  return process.getuid?.() === 0 ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs', '--'] : [];
}

async function carryOut({ name, text }: Instruction, folder: string, from?: string): Promise<void> {
  const inFolder = (command: string): Promise<unknown> =>
    execute('sh', ['-c', command], { cwd: join(folder, 'app'), env: { PATH: process.env.PATH, HOME: folder } });
  if (name === 'RUN')
    await inFolder(text === 'npm ci' ? TAKE_PACKAGES : text.replace('npm run build', TAKE_BUILD).replaceAll(' /', ` ${folder}/`));
  if (name !== 'COPY') return;
  const stage = /^--from=\w+ /.exec(text)?.[0] ?? '';
  const places = text.slice(stage.length).split(' ');
  const given = places.pop()!;
  const target = given.startsWith('/') ? join(folder, given) : join(folder, 'app', given);
  for (const place of places) {
    if (stage === '')
      await copyFromContext(place, places.length > 1 || text.endsWith('/') ? join(target, place.split('/').at(-1)!) : target);
    // Into a folder if it ends with a slash.
    else await inFolder(`mkdir -p "${dirname(`${target}.`)}" && cp -al "${join(from!, place)}" "${target}"`);
  }
}

// Hard links, unless the folder is on another disk. npm writes to the list of what is installed, so that is copied.
const LIST = 'node_modules/.package-lock.json';
const TAKE_PACKAGES =
  `cp -al "${ROOT}node_modules" . 2>/dev/null || cp -a "${ROOT}node_modules" .; ` + `cp --remove-destination "${ROOT}${LIST}" ${LIST}`;
const TAKE_BUILD = `cp -a "${ROOT}dist" .`;

async function copyFromContext(place: string, target: string): Promise<void> {
  const ignored = await readFile(join(ROOT, 'docker/Dockerfile.dockerignore'), 'utf8');
  const filter = (source: string): boolean => !isLeftOut(relative(ROOT, source), ignored);
  await cp(join(ROOT, place), target, { recursive: true, filter });
}

function startIn({ folder, env: own }: Place, [program, ...args]: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(program!, args, {
    cwd: join(folder, 'app'),
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ code, ...output })));
  const container: Container = {
    pid: child.pid!,
    get lines() {
      const whole = output.stdout.split('\n').slice(0, -1);
      return whole.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
  return { container, ended };
}
