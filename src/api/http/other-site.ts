import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '../../kernel/settings/settings.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** A page of another site has sent it. It signs no user in: they would be in an account that is not theirs. */
    isOfAnotherSite: boolean;
    /** The service has an https address, so its cookies are for https only. */
    isSecure: boolean;
  }
}

export const isSecure = ({ baseUrl }: Pick<Settings, 'baseUrl'>): boolean => baseUrl?.startsWith('https:') ?? false;

/** Browsers say it in `Sec-Fetch-Site`, or else in `Origin`. A program that is none says neither, and has no cookies of somebody else. */
export function isOfAnotherSite(headers: IncomingHttpHeaders, { publicUrl }: Pick<Settings, 'publicUrl'>): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site !== 'same-origin';
  if (origin === undefined) return false;
  return !URL.canParse(origin) || ![host, new URL(publicUrl).host].includes(new URL(origin).host);
}
