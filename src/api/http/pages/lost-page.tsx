import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import type { Problem } from '../../../kernel/problems.js';
import { API_NAME, API_PATH } from '../../../kernel/product.js';
import { page, PAGE_HEADERS } from './page.js';

/** A complete page with its headers. */
export interface SentPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A port: the page of a part of the service for addresses at which there is nothing. It has the look of the part, and the way back. */
export abstract class LostPage {
  /** The part: all addresses that are this one or begin with it and a slash. */
  abstract readonly path: string;
  abstract show(request: FastifyRequest): Promise<SentPage>;
}

export const LOST_TITLE = 'There is no such page';

/** What every such page says. `back` leads to where people can go on. */
export const Lost = ({ back }: { back: ComponentChildren }) => (
  <>
    <p>Nothing is at this address. It may be incomplete or misspelled, or what was there may have been removed.</p>
    <p>{back}</p>
  </>
);

export const isBelow = (url: string, path: string): boolean => [path, `${path}/`, `${path}?`].some((start) => `${url}?`.startsWith(start));

/** Whether a browser opens the address: it asks for HTML. Below the path of the API every answer is a document, whatever is accepted. */
export const isOpenedByBrowser = ({ headers, url }: FastifyRequest): boolean =>
  (headers.accept ?? '').includes('text/html') && !isBelow(url, API_PATH);

const back = <a href="/">Go to the first page of the {API_NAME}</a>;
/** Where no part has a page of its own. */
const ANYWHERE: SentPage = { html: page({ title: LOST_TITLE, body: <Lost back={back} /> }), headers: PAGE_HEADERS };

export const sendLostPage = (reply: FastifyReply, { status, headers }: Problem, shown: SentPage = ANYWHERE): FastifyReply =>
  reply
    .status(status)
    .headers({ ...headers, ...shown.headers, 'Cache-Control': 'no-store' })
    .send(shown.html);
