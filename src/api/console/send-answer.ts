import { StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CONSOLE_HEADERS } from './console-headers.js';
import type { Frame } from './frame.js';
import { clearNotice, setNotice } from './notices.js';
import type { PageContext } from './page-context.js';
import type { Answer } from './page.js';

/** Sends what a handler answers: another address, a file, or a page within the frame. Returns the body. */
export function sendAnswer(reply: FastifyReply, answer: Answer, ctx: PageContext, frame: Frame): unknown {
  if ('location' in answer) {
    if (answer.notice !== undefined) setNotice(reply, answer.notice);
    reply.status(303).header('Location', answer.location);
    return '';
  }
  if ('content' in answer) {
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(answer.fileName)}`;
    // From a form, too: Nest would answer it with 201.
    reply.status(200).headers({ 'Content-Type': answer.mediaType, 'Content-Disposition': disposition });
    return answer.content instanceof Uint8Array ? Buffer.from(answer.content) : new StreamableFile(answer.content as never);
  }
  if (ctx.notice !== undefined) clearNotice(reply);
  reply.status(answer.status).headers(CONSOLE_HEADERS);
  // Written once as bytes: a text is gone through for its length, and again to be sent.
  return Buffer.from(frame.render(ctx, answer));
}
