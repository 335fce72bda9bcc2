import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { userAgentOf } from '../kernel/product.js';
import { StartError } from '../kernel/settings/settings.js';
import { callForText, parsed, reasonOf } from './call.js';
import { writeWholeFile } from './write-whole-file.js';

interface Login {
  readonly clientId: string;
  readonly accessToken: string;
  /** Some applications get none. */
  readonly refreshToken: string | null;
  readonly expiresAt: string;
  readonly scope: string;
}

type Kept = Readonly<Record<string, Login>>;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Credentials are sent to any path below this address: in the clear only within this machine. */
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

const TIMEOUT_MS = 30_000;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Of RFC 8628, if the service names none. */
const INTERVAL_SECONDS = 5;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Device {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete?: string;
  readonly expires_in: number;
  readonly interval?: number;
}

/** Asks for a code that the user enters in a browser (RFC 8628). */
export async function askForDevice(service: string, clientId: string, scope: string | undefined): Promise<Device> {
  const answer = await post(`${service}/oauth/device_authorization`, { client_id: clientId, ...(scope !== undefined && { scope }) });
  if (answer.status !== 200) throw refusal(service, answer);
  return answer.body as unknown as Device;
}

export async function tokensOfDevice(service: string, clientId: string, device: Device): Promise<Login> {
  let seconds = device.interval ?? INTERVAL_SECONDS;
  for (;;) {
    await delay(seconds * 1000);
    const answer = await post(`${service}/oauth/token`, { grant_type: DEVICE_GRANT, device_code: device.device_code, client_id: clientId });
    if (answer.status === 200) return loginOf(clientId, answer);
    const { error } = answer.body;
    if (error === 'slow_down') seconds += INTERVAL_SECONDS;
    else if (error === 'access_denied') throw new StartError('The access was refused in the browser.');
    else if (error === 'expired_token') throw new StartError('The code has expired: run the command again.');
    else if (error !== 'authorization_pending' && answer.status < 500) throw refusal(service, answer);
  }
}

/** A new access token. Undefined if the login has ended, because it was revoked or not used for long. */
async function renewed(service: string, { clientId, refreshToken }: Login): Promise<Login | undefined> {
  if (refreshToken === null) return undefined;
  const answer = await post(`${service}/oauth/token`, { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId });
  if (answer.status === 200) return loginOf(clientId, answer);
  if (answer.status < 500 && answer.status !== 429) return undefined;
  throw refusal(service, answer);
}

export async function revoke(service: string, { clientId, refreshToken, accessToken }: Login): Promise<void> {
  const answer = await post(`${service}/oauth/revoke`, { token: refreshToken ?? accessToken, client_id: clientId });
  if (answer.status !== 200) throw refusal(service, answer);
}

function loginOf(clientId: string, { body }: Answer): Login {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = body;
  return {
    clientId,
    accessToken: String(accessToken),
    refreshToken: typeof refreshToken === 'string' ? refreshToken : null,
    expiresAt: new Date(Date.now() + Number(seconds) * 1000).toISOString(),
    scope: String(scope),
  };
}

function refusal(service: string, { status, body }: Answer): StartError {
  const { error, error_description: description } = body;
  if (typeof error !== 'string') return new StartError(`There is no Claims API at ${service}: it answered with ${status}.`);
  return new StartError(`${service} refused: ${typeof description === 'string' ? description : error} (${error}).`);
}

async function post(url: string, form: Record<string, string>): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': userAgentOf('cli') };
  const body = new URLSearchParams(form).toString();
  try {
    const stop = new AbortController().signal;
    const { status, text } = await callForText(url, { method: 'POST', headers, body, timeoutMs: TIMEOUT_MS, stop });
    return { status, body: parsed(text) as Answer['body'] };
  } catch (error) {
    throw new StartError(`${new URL(url).origin} cannot be reached (${reasonOf(error)}).`);
  }
}

/** A token that ends within this time is renewed. */
const MARGIN_MS = 60_000;

const isGood = ({ expiresAt }: Pick<Login, 'expiresAt'>): boolean => Date.parse(expiresAt) > Date.now() + MARGIN_MS;

export async function loginToken(service: string): Promise<Pick<Login, 'accessToken' | 'expiresAt'>> {
  const login = loginAt(service);
  if (!login) throw new StartError(`There is no login at ${service}: run \`claims login\`.`);
  if (isGood(login)) return login;
  const next = await renewed(service, login);
  if (!next) throw new StartError(`The login at ${service} has ended: run \`claims login\` again.`);
  await keepLogin(service, next);
  return next;
}

/** For the tool server, which stores no credential: `claims token`, a process of its own, renews the login. Remembered until it ends. */
export function tokenFromOtherProcess(service: string): () => Promise<string> {
  let known: Pick<Login, 'accessToken' | 'expiresAt'> | undefined;
  return async () => {
    if (!known || !isGood(known)) known = await tokenByCommand(service);
    return known.accessToken;
  };
}

async function tokenByCommand(service: string): Promise<Pick<Login, 'accessToken' | 'expiresAt'>> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [process.argv[1]!, 'token', '--api', service, '--json']);
    return JSON.parse(stdout) as Login;
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new StartError(stderr.replace(/^claims: /, '').trim() || 'The token of the login cannot be read.');
  }
}
