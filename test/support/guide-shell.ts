import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const CLAIMS = fileURLToPath(new URL('../../bin/claims.js', import.meta.url));
const PATIENCE_MS = 120_000;

/** `npx claims` is the program of this checkout. An answer of curl ends with a line break, so that each is a line. */
const PRELUDE = `
set -euo pipefail
npx() { [ "$1" = claims ] || { echo "npx $1?" >&2; return 1; }; shift; command node "$CLAIMS" "$@"; }
curl() { command curl -sS "$@"; echo; }
`;

const REMEMBER = `
compgen -e | while read -r name; do printf '%s=%s\\0' "$name" "\${!name}"; done > .variables
`;

/** A terminal of a reader, who pastes the blocks of a guide one after the other. */
export class GuideShell {
  private constructor(
    readonly folder: string,
    readonly variables: Record<string, string>,
  ) {}

  static async open(variables: Record<string, string>): Promise<GuideShell> {
    const folder = await mkdtemp(join(tmpdir(), 'claims-guide-'));
    return new GuideShell(folder, { HOME: folder, DATA_DIR: '/dev/null/none', ...variables });
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A file that the reader has. */
  file(name: string, text: string): Promise<void> {
    return writeFile(join(this.folder, name), text);
  }

  /**
   * Runs a block, and returns what it prints. Later blocks have its variables. `until` is for commands that do not end: when they have
   * printed it, they are interrupted.
   */
  async paste(block: string, until?: RegExp): Promise<string> {
    const env = { PATH: process.env.PATH, CLAIMS, ...this.variables };
    const script = `${PRELUDE}set -a\n${block}\nset +a\n${REMEMBER}`;
    const child = spawn('bash', ['-c', script], { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), PATIENCE_MS);
    let [output, interrupted] = ['', false];
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (interrupted || !until?.test(output)) return;
        interrupted = true;
        process.kill(-child.pid!, 'SIGINT');
      });
    const code = await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    if (until) expect(interrupted, output).toBe(true);
    else {
      expect(code, `${block}\n${output}`).toBe(0);
      await this.remember();
    }
    return output;
  }

  private async remember(): Promise<void> {
    const lines = (await readFile(join(this.folder, '.variables'), 'utf8')).split('\0').filter(Boolean);
    for (const line of lines) {
      const [name = '', value = ''] = line.split(/=(.*)/s);
      if (!['PATH', 'CLAIMS', 'PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)) this.variables[name] = value;
    }
  }
}
