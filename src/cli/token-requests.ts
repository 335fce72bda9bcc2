import { setTimeout as delay } from 'node:timers/promises';
import { userAgentOf } from '../kernel/product.js';
import { StartError } from '../kernel/start-error.js';
import { callForText, parsed, reasonOf } from './call.js';
import type { Login } from './logins.js';

const TIMEOUT_MS = 30_000;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Of RFC 8628, if the service names none. */
const INTERVAL_SECONDS = 5;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a user is shown, and what the program asks with. */
export interface Device {
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
    const answer = await post(`${service}/oauth/token`, {
      grant_type: DEVICE_GRANT,
      device_code: device.device_code,
      client_id: clientId,
    });
    if (answer.status === 200) return loginOf(clientId, answer);
    const { error } = answer.body;
    if (error === 'slow_down') seconds += INTERVAL_SECONDS;
    else if (error === 'access_denied') throw new StartError('The access was refused in the browser.');
    else if (error === 'expired_token') throw new StartError('The code has expired: run the command again.');
    else if (error !== 'authorization_pending' && answer.status < 500) throw refusal(service, answer);
  }
}

/** A new access token. Undefined if the login has ended, because it was revoked or not used for long. */
export async function renewed(service: string, { clientId, refreshToken }: Login): Promise<Login | undefined> {
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
