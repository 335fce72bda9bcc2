import type { FastifyRequest } from 'fastify';
import { FairShare } from '../../kernel/fair-share.js';
import { readForm } from '../http/pages/read-form.js';
import { isOwnForm } from './checks.js';
import { Form } from './form.js';
import { PageRefusal } from './page.js';
import type { PageContext } from './page-context.js';
import { readFiles, type FileBounds, type SentForm } from './read-files.js';

/** A form may hold the rules of a category. */
const FORM_MAX_BYTES = 1024 * 1024;

/** Forms with files are in memory until they are handled: one for an organization at a time, and this many in a process. */
const FORMS_WITH_FILES = 3;
const formsWithFiles = new FairShare({
  what: 'Forms with files',
  capacity: FORMS_WITH_FILES,
  share: 1,
  maxWaiting: 20,
  maxWaitMs: 30_000,
});

/** Reads the form of an action, and works with it. One of another site is refused, before any of its files is read. */
export async function withOwnForm<Result>(
  request: FastifyRequest,
  ctx: PageContext,
  takesFiles: FileBounds | undefined,
  work: (form: Form) => Promise<Result>,
): Promise<Result> {
  if (!takesFiles) return work(ownForm(request, ctx, { fields: await readForm(request, FORM_MAX_BYTES), files: [] }));
  const mayRead = (fields: URLSearchParams): boolean => isOwnForm(request.headers, ctx, fields);
  return withFiles(ctx.organizationId, request, takesFiles, (sent) => work(ownForm(request, ctx, sent)), mayRead);
}

/** Reads a form with files for an organization once there is room for it, and works with it. */
export async function withFiles<Result>(
  organizationId: string,
  request: FastifyRequest,
  bounds: FileBounds,
  work: (form: SentForm) => Promise<Result>,
  mayRead: (fields: URLSearchParams) => boolean = () => true,
): Promise<Result> {
  const giveBack = await formsWithFiles.take(organizationId);
  try {
    return await work(await readFiles(request, bounds, mayRead));
  } finally {
    giveBack();
  }
}

function ownForm(request: FastifyRequest, ctx: PageContext, { fields, files }: SentForm): Form {
  if (isOwnForm(request.headers, ctx, fields)) return new Form(fields, files);
  throw new PageRefusal('This page has expired', 'Nothing was changed. Go back, load the page again, and repeat what you did.');
}
