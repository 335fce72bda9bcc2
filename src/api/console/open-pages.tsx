import { page, type Page } from '../http/pages/page.js';
import { CONSOLE_HEADERS } from './console-headers.js';

/** The address of an open page may be a secret: no other page learns it. */
export const OPEN_PAGE_HEADERS = { ...CONSOLE_HEADERS, 'Referrer-Policy': 'no-referrer' };

/** A page of the console for people who are not signed in. Send it with `OPEN_PAGE_HEADERS`. */
export const openPage = (shown: Page): string => page({ ...shown, isWide: true });
