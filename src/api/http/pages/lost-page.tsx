import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { inWords } from '../../../kernel/durations.js';
import { type Problem, PROBLEMS } from '../../../kernel/problems.js';
import { API_NAME, API_PATH } from '../../../kernel/product.js';
import { wordingFor } from '../../wording/page-wording.js';
import { inWording, say } from '../../wording/spoken.js';
import { page, PAGE_HEADERS } from './page.js';

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

export const lostTitle = (): string => say('lost.title');

/** What every such page says. `back` leads to where people can go on. */
export const Lost = ({ back }: { back: ComponentChildren }) => (
  <>
    <p>{say('lost.about')}</p>
    <p>{back}</p>
  </>
);

export const isBelow = (url: string, path: string): boolean => [path, `${path}/`, `${path}?`].some((start) => `${url}?`.startsWith(start));

/** Whether a browser opens the address: it asks for HTML. Below the path of the API every answer is a document, whatever is accepted. */
export const isOpenedByBrowser = ({ headers, url }: FastifyRequest): boolean =>
  (headers.accept ?? '').includes('text/html') && !isBelow(url, API_PATH);

function anywhere(request: FastifyRequest): SentPage {
  const wording = wordingFor(request);
  const body = () => <Lost back={<a href="/">{say('lost.toStart', { product: API_NAME })}</a>} />;
  const html = inWording(wording, () => page({ title: lostTitle(), language: wording.language, body: body() }));
  return { html, headers: PAGE_HEADERS };
}

export const sendLostPage = (reply: FastifyReply, { status, headers }: Problem, shown = anywhere(reply.request)): FastifyReply =>
  reply
    .status(status)
    .headers({ ...headers, ...shown.headers, 'Cache-Control': 'no-store' })
    .send(shown.html);

/** Answers a person in a browser, to whom a problem document would say little. */
export function sendProblemPage(reply: FastifyReply, problem: Problem, requestId: string): FastifyReply {
  const seconds = Number(problem.headers['Retry-After']);
  const body = (
    <>
      <p class="error" role="alert">
        {problem.detail}
      </p>
      {seconds > 0 ? <p>Wait {inWords(seconds * 1000)}, then try again.</p> : null}
      <p class="hint">Request {requestId}</p>
    </>
  );
  return reply
    .status(problem.status)
    .headers({ ...problem.headers, ...PAGE_HEADERS, 'Cache-Control': 'no-store' })
    .send(page({ title: PROBLEMS[problem.code].title, body }));
}
