import type { FastifyReply, FastifyRequest } from 'fastify';

const COOKIE = 'claims_notice';
/** As long as a redirect may take. */
const SECONDS = 30;
const MAX_LENGTH = 500;

// After a form the browser is sent to another page, which says once what was done. The page shows it as text: a cookie that somebody
// else wrote does no harm.

export const setNotice = (reply: FastifyReply, notice: string): void =>
  set(reply, encodeURIComponent(notice.slice(0, MAX_LENGTH)), SECONDS);

export const clearNotice = (reply: FastifyReply): void => set(reply, '', 0);

export function noticeIn({ headers }: FastifyRequest): string | undefined {
  const value = new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(headers.cookie ?? '')?.[1];
  try {
    return value && decodeURIComponent(value).slice(0, MAX_LENGTH);
  } catch {
    return undefined;
  }
}

function set(reply: FastifyReply, value: string, seconds: number): void {
  const secure = reply.request.isSecure ? '; Secure' : '';
  void reply.header('Set-Cookie', `${COOKIE}=${value}; Path=/console; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
}
