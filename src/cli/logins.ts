import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { StartError } from '../kernel/start-error.js';
import { writeWholeFile } from './write-whole-file.js';

export interface Login {
  readonly clientId: string;
  readonly accessToken: string;
  /** Some applications get none. */
  readonly refreshToken: string | null;
  readonly expiresAt: string;
  readonly scope: string;
}

type Kept = Readonly<Record<string, Login>>;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address of a service, as its login is kept under it. Credentials are sent to any path below it: in the clear only within this
 * machine.
 */
export function serviceNamed(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new StartError('The address of the service must be a URL such as https://api.example.com.');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new StartError(`Credentials are not sent to ${url.origin}, since everyone on the way could read them: use https.`);
  return address.replace(/\/+$/, '');
}

/** In the user's folder for configuration, in a file that only its owner can read. */
function fileOfLogins(): string {
  const folder = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
  return join(folder, 'claims', 'logins.json');
}

function kept(file: string): Kept {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return {};
    throw new StartError(`${file} cannot be read (${(error as { code?: string }).code}).`);
  }
  try {
    return JSON.parse(text) as Kept;
  } catch {
    throw new StartError(`${file} does not hold JSON: delete it, and run \`claims login\`.`);
  }
}

export const loginAt = (service: string): Login | undefined => kept(fileOfLogins())[service];

/** Returns the file. Without a login, that of the service is removed. */
export async function keepLogin(service: string, login: Login | undefined): Promise<string> {
  const file = fileOfLogins();
  const { [service]: _replaced, ...others } = kept(file);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(`${dirname(file)} cannot be made (${(error as { code?: string }).code}).`);
  }
  await writeWholeFile(file, [JSON.stringify({ ...others, ...(login && { [service]: login }) }, undefined, 2)]);
  return file;
}
