import type { FastifyRequest } from 'fastify';
import type { Scheme } from '../../../api/access/credential-resolver.js';

/** All of them name this machine, so a service at one may be called by any. No foreign web page has one of these hosts. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Whether Host and Origin name this service. Otherwise a foreign web page could call it through DNS rebinding. */
export function namesThisService({ headers: { host = '', origin } }: FastifyRequest, publicUrl: string): boolean {
  const own = new URL(publicUrl);
  const isOwn = (name: string): boolean => {
    const hostname = name.replace(/:\d+$/, '');
    return name === own.host || hostname === own.hostname || (LOOPBACK.test(own.hostname) && LOOPBACK.test(hostname));
  };
  return isOwn(host) && (origin === undefined || (URL.canParse(origin) && isOwn(new URL(origin).host)));
}

export interface SentCredential {
  readonly value: string;
  readonly scheme: Scheme;
  /** False if the request has two. The API refuses such calls. */
  readonly isOnly: boolean;
}

export function credentialOf({ headers: { 'x-api-key': apiKey, authorization } }: FastifyRequest): SentCredential | undefined {
  if (typeof apiKey === 'string') return { value: apiKey, scheme: 'api-key', isOnly: !authorization };
  const [, token] = /^bearer (.+)$/i.exec(authorization ?? '') ?? [];
  return token === undefined ? undefined : { value: token, scheme: 'bearer', isOnly: true };
}
