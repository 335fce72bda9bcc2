import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from '../kernel/start-error.js';
import { keepLogin, loginAt, type Login } from './logins.js';
import { renewed } from './token-requests.js';

/** A token that ends within this time is renewed. */
const MARGIN_MS = 60_000;

const isGood = ({ expiresAt }: Pick<Login, 'expiresAt'>): boolean => Date.parse(expiresAt) > Date.now() + MARGIN_MS;

/** The access token of the login at a service. It is renewed if it ends soon. */
export async function loginToken(service: string): Promise<Pick<Login, 'accessToken' | 'expiresAt'>> {
  const login = loginAt(service);
  if (!login) throw new StartError(`There is no login at ${service}: run \`claims login\`.`);
  if (isGood(login)) return login;
  const next = await renewed(service, login);
  if (!next) throw new StartError(`The login at ${service} has ended: run \`claims login\` again.`);
  await keepLogin(service, next);
  return next;
}

/**
 * The same for the tool server, which stores no credential: `claims token`, a process of its own, renews the login. The token is
 * remembered until it ends.
 */
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
