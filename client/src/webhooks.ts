import { ClaimsError } from './errors.js';
import type { ClaimsEvent } from './generated-types.js';

const TOLERANCE_SECONDS = 300;
/** A header has two while a secret is being changed. More than these are not tried. */
const SIGNATURES_MAX = 20;
/** The names of Standard Webhooks, and those that repeat their values. */
const NAMES = {
  id: ['webhook-id'],
  timestamp: ['webhook-timestamp', 'x-service-timestamp'],
  signature: ['webhook-signature', 'x-service-signature'],
} as const;

export type WebhookMistake =
  | 'parsed_body'
  | 'header_missing'
  | 'clock'
  | 'secret_invalid'
  | 'signature_wrong'
  | 'body_invalid'
  /** Only of the receivers for frameworks, which read the body themselves. Answer with 413. */
  | 'body_too_large';

/** The delivery is not to be trusted, or the receiver makes a mistake: `mistake` says which. Answer with 401. */
export class WebhookError extends ClaimsError<'webhook'> {
  constructor(
    readonly mistake: WebhookMistake,
    message: string,
  ) {
    super('webhook', message);
  }
}

/** What is needed of the `Headers` of Fetch. */
export interface FetchHeaders {
  get(name: string): string | null;
}

/** Headers as any framework has them. */
export type IncomingHeaders = FetchHeaders | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the clock of the sender may be from yours; 300 by default. */
  toleranceSeconds?: number | undefined;
  /** The time; for tests. */
  now?: Date | undefined;
}

export interface SignOptions {
  /** By default the id of the event. */
  id?: string | undefined;
  timestamp?: Date | undefined;
}

type Bytes = Uint8Array<ArrayBuffer>;
interface Key {
  /** `v1` of secrets (`whsec_…`), `v1a` of public keys (`whpk_…`). */
  readonly version: string;
  readonly algorithm: string;
  readonly key: CryptoKey;
}

const utf8 = new TextEncoder();

function bytesOf(base64: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function base64Of(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

async function importKey(text: string, usage: 'sign' | 'verify'): Promise<Key> {
  const isPublic = text.startsWith('whpk_');
  const bytes = bytesOf(text.trim().replace(/^wh(?:sec|pk)_/, ''));
  // The secret itself is in no message.
  if (!bytes?.length) throw new WebhookError('secret_invalid', 'The secret is not whsec_… or whpk_… as POST /v1/webhooks returned it.');
  const algorithm = isPublic ? 'Ed25519' : 'HMAC';
  try {
    const key = await crypto.subtle.importKey('raw', bytes, isPublic ? algorithm : { name: algorithm, hash: 'SHA-256' }, false, [usage]);
    return { version: isPublic ? 'v1a' : 'v1', algorithm, key };
  } catch (cause) {
    throw Object.assign(new WebhookError('secret_invalid', `This is no key for ${algorithm}, or the platform does not know it.`), {
      cause,
    });
  }
}

function bodyBytes(body: unknown): Bytes {
  if (typeof body === 'string') return utf8.encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength);
  throw new WebhookError(
    'parsed_body',
    'Pass the raw body, byte for byte. This one was parsed by a framework; written as JSON again, it would have other bytes.',
  );
}

/** Not `instanceof`: a framework may bring a class of its own. */
const isFetched = (headers: IncomingHeaders): headers is FetchHeaders => typeof headers.get === 'function';

function headerOf(headers: IncomingHeaders, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = isFetched(headers) ? headers.get(name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
    if (value?.length) return [value].flat().join(' ');
  }
  return undefined;
}

function concatenated(start: string, body: Bytes): Bytes {
  const head = utf8.encode(start);
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

/** The id of the event, for deliveries whose headers lack it: an intermediary may keep only those of ours. */
function idOf(body: Bytes): string | undefined {
  return (parsedEvent(body) as { id?: string } | undefined)?.id;
}

function parsedEvent(body: Bytes): ClaimsEvent | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as ClaimsEvent;
  } catch {
    return undefined;
  }
}

function checkClock(timestamp: string, { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions): void {
  const difference = Number(timestamp) - now.getTime() / 1000;
  if (/^\d{1,15}$/.test(timestamp) && Math.abs(difference) <= toleranceSeconds) return;
  const seconds = `${Math.round(Math.abs(difference))} seconds ${difference > 0 ? 'ahead of' : 'behind'} this clock`;
  const said = Number.isFinite(difference) ? seconds : 'not in Unix seconds';
  throw new WebhookError('clock', `The timestamp is ${said}. Keep the clock right (NTP); an old delivery is not accepted.`);
}

/** Whether one of the signatures is of one of the keys. The platform compares in constant time. */
async function matches(signatures: string, signed: Bytes, keys: readonly Key[]): Promise<boolean> {
  for (const one of signatures.split(' ').slice(0, SIGNATURES_MAX)) {
    const comma = one.indexOf(',');
    const signature = bytesOf(one.slice(comma + 1));
    for (const { version, algorithm, key } of keys)
      if (signature && one.slice(0, comma) === version && (await crypto.subtle.verify(algorithm, key, signature, signed))) return true;
  }
  return false;
}

/** Deliveries of webhooks, signed as Standard Webhooks says. */
export const Webhooks = {
  /**
   * The event of a delivery, if it is ours. `secrets`: one or several of `whsec_…`, or of `whpk_…` for an endpoint with
   * `"signature": "ed25519"`. Throws a `WebhookError` otherwise.
   */
  async verify(
    rawBody: string | Uint8Array | ArrayBuffer,
    headers: IncomingHeaders,
    secrets: string | readonly string[],
    options: VerifyOptions = {},
  ): Promise<ClaimsEvent> {
    const body = bodyBytes(rawBody);
    const keys = await Promise.all([secrets].flat().map((secret) => importKey(secret, 'verify')));
    if (keys.length === 0) throw new WebhookError('secret_invalid', 'Pass the secret of the endpoint.');
    const [timestamp, signatures] = [headerOf(headers, NAMES.timestamp), headerOf(headers, NAMES.signature)];
    const id = headerOf(headers, NAMES.id) ?? idOf(body);
    if (!id || !timestamp || !signatures)
      throw new WebhookError(
        'header_missing',
        `The request lacks ${!timestamp ? NAMES.timestamp[0] : !signatures ? NAMES.signature[0] : NAMES.id[0]}.`,
      );
    checkClock(timestamp, options);
    if (!(await matches(signatures, concatenated(`${id}.${timestamp}.`, body), keys)))
      throw new WebhookError(
        'signature_wrong',
        'No signature fits. Either the secret is that of another endpoint or environment, or the body is not the one that was sent: ' +
          'pass it raw, before any framework has parsed it.',
      );
    const event = parsedEvent(body);
    if (!event) throw new WebhookError('body_invalid', 'The body is not JSON in UTF-8.');
    return event;
  },

  /** The headers of a delivery, for the tests of a receiver. `body`: the text that the test sends. */
  async sign(body: string, secret: string, { id, timestamp = new Date() }: SignOptions = {}): Promise<Record<string, string>> {
    const event = parsedEvent(utf8.encode(body)) as Partial<ClaimsEvent> | undefined;
    const [messageId, seconds] = [id ?? event?.id ?? crypto.randomUUID(), String(Math.floor(timestamp.getTime() / 1000))];
    const { key, version } = await importKey(secret, 'sign');
    const signature = await crypto.subtle.sign('HMAC', key, utf8.encode(`${messageId}.${seconds}.${body}`));
    const value = `${version},${base64Of(signature)}`;
    return {
      'content-type': 'application/json',
      'webhook-id': messageId,
      'webhook-timestamp': seconds,
      'webhook-signature': value,
      'x-service-timestamp': seconds,
      'x-service-signature': value,
      ...(event?.type && { 'x-service-event': event.type }),
    };
  },
};
