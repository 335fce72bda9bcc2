import { headersOfPage } from '../http/answer-headers.js';
import { page, type Page } from '../http/pages/page.js';

const SELF = "'self'";
/** Pages load what the service itself serves, and nothing else: no inline script or style, no other host, no frame. */
export const CONSOLE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  ...headersOfPage({ 'style-src': SELF, 'script-src': SELF, 'img-src': SELF, 'connect-src': SELF, 'form-action': SELF }),
};

/** The address of an open page may be a secret: no other page learns it. */
export const OPEN_PAGE_HEADERS = { ...CONSOLE_HEADERS, 'Referrer-Policy': 'no-referrer' };

/** Of an answer that signs out: the browser forgets what it kept. Its cookies stay, as another sign-in may have begun. */
export const SIGNED_OUT_HEADERS = { 'Clear-Site-Data': '"cache", "storage"' };

/** A page of the console for people who are not signed in. Send it with `OPEN_PAGE_HEADERS`. */
export const openPage = (shown: Page): string => page({ ...shown, isWide: true });
