import type { FastifyRequest } from 'fastify';
import { API_PATH } from '../../kernel/product.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { isSecure } from './other-site.js';

/** The headers that every answer has. A handler may replace `Cache-Control`, and a page says what it loads. */
export const headersOf = (requestId: string, settings: Pick<Settings, 'baseUrl'>): Readonly<Record<string, string>> => ({
  'X-Request-Id': requestId,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  // Browsers then ask for this host by https only, for a year.
  ...(isSecure(settings) && { 'Strict-Transport-Security': 'max-age=31536000' }),
});

/** Of a page that loads and leads to nothing but what is listed, and that no other site shows in a frame. */
export const headersOfPage = (allowed: Readonly<Record<string, string>>) => ({
  'Content-Security-Policy': Object.entries({ 'default-src': "'none'", ...allowed, 'base-uri': "'none'", 'frame-ancestors': "'none'" })
    .map(([kind, sources]) => `${kind} ${sources}`)
    .join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
});

/** What a page of any origin may read of an answer, besides its body. */
export const EXPOSED_HEADERS = [
  ...['X-Request-Id', 'Location', 'ETag', 'Idempotent-Replayed', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Allow'],
  ...['WWW-Authenticate', 'Deprecation', 'Sunset'],
];

/** Any origin may call: keys and tokens are sent in a header, never by cookie, so a page can only use a credential that it has. */
export const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' };
const ASKED_BY_PAGE = { ...ANY_ORIGIN, 'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', ') };

/** The CORS headers of an answer. Most callers are no browsers; for them there are none. */
export function corsHeaders({ headers, routeOptions, url }: FastifyRequest): Record<string, string> | undefined {
  if (headers.origin === undefined) return undefined;
  return routeOptions.config?.anyOrigin === true || isBelowApi(url) ? ASKED_BY_PAGE : undefined;
}

/** Below the API's path, pages may also read why there is no such route. */
const isBelowApi = (url: string): boolean => url.startsWith(API_PATH) && /^[/?]?$/.test(url.charAt(API_PATH.length));
