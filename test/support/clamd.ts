import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { aFreePort } from './free-port.js';

const CLAMD = process.env.TEST_CLAMD_PATH ?? '/usr/sbin/clamd';

export const hasClamd = (): boolean => existsSync(CLAMD);

/** The scanner itself, which knows one file as malware, under this name. */
export async function startClamd(file: Buffer, name: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'claims-clamd-'));
  const port = await aFreePort();
  const md5 = createHash('md5').update(file).digest('hex');
  await writeFile(join(folder, 'known.hdb'), `${md5}:${file.length}:${name}\n`);
  const lines = ['Foreground yes', 'TCPAddr 127.0.0.1', `TCPSocket ${port}`, `DatabaseDirectory ${folder}`, `TemporaryDirectory ${folder}`];
  await writeFile(join(folder, 'clamd.conf'), `${lines.join('\n')}\n`);
  await chmod(folder, 0o777);
  let said = '';
  const clamd = spawn(CLAMD, ['--config-file', join(folder, 'clamd.conf')]);
  for (const stream of [clamd.stdout, clamd.stderr]) stream.on('data', (text) => (said += text));
  await eventually(async () => {
    if (clamd.exitCode !== null) throw new Error(`clamd has ended: ${said}`);
    await reach(port);
  });
  const stop = async (): Promise<void> => {
    if (clamd.signalCode === null) {
      const hasEnded = new Promise((resolve) => clamd.once('exit', resolve));
      clamd.kill('SIGKILL');
      await hasEnded;
    }
    await rm(folder, { recursive: true, force: true });
  };
  return { url: `tcp://127.0.0.1:${port}`, stop };
}

function reach(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(void socket.destroy())).on('error', reject);
  });
}
