import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { FairShare, type GiveBack } from '../../kernel/fair-share.js';
import { readForm } from '../http/pages/read-form.js';
import { isOwnForm } from './checks.js';
import { Form } from './form.js';
import { PageRefusal } from './page.js';
import type { PageContext } from './page-context.js';
import { MIB, readFiles, type FileBounds, type SentForm } from '../validation/read-files.js';

/** A form may hold the rules of a category. */
const FORM_MAX_BYTES = 1024 * 1024;

interface Sender {
  readonly organizationId: string;
  readonly is: 'staff' | 'guest';
}

@Injectable()
export class OwnForms {
  /**
   * Forms with files are in memory until they are handled, so their MiB are shared. Those of people without an account have a share
   * apart: however slow they are, they take nothing from those of the staff.
   */
  private readonly mib = {
    staff: new FairShare({ what: 'MiB of forms with files', capacity: 100, share: 50, maxWaiting: 20, maxWaitMs: 30_000 }),
    guest: new FairShare({ what: 'MiB of forms with files', capacity: 50, share: 25, maxWaiting: 20, maxWaitMs: 30_000 }),
  };
  /** Once it has arrived, one of an organization after the other: a form that is sent twice finds what its first has stored. */
  private readonly handled = new FairShare({ what: 'Forms with files', capacity: Infinity, share: 1, maxWaiting: 100, maxWaitMs: 30_000 });

  /** Reads the form of an action, and works with it. One of another site is refused, before any of its files is read. */
  async withOwn<Result>(
    request: FastifyRequest,
    ctx: PageContext,
    takesFiles: FileBounds | undefined,
    work: (form: Form) => Promise<Result>,
  ): Promise<Result> {
    if (!takesFiles) return work(ownForm(request, ctx, { fields: await readForm(request, FORM_MAX_BYTES), files: [] }));
    const mayRead = (fields: URLSearchParams): boolean => isOwnForm(request, ctx, fields);
    const sender = { organizationId: ctx.organizationId, is: 'staff' } as const;
    return this.withFiles(sender, request, takesFiles, (sent) => work(ownForm(request, ctx, sent)), mayRead);
  }

  /** Reads a form with files for an organization once there is room for it, and works with it. */
  async withFiles<Result>(
    { organizationId, is }: Sender,
    request: FastifyRequest,
    bounds: FileBounds,
    work: (form: SentForm) => Promise<Result>,
    mayRead: (fields: URLSearchParams) => boolean = () => true,
  ): Promise<Result> {
    const bytes = Number(request.headers['content-length'] ?? bounds.formBytes);
    const giveBack = await this.mib[is].take(organizationId, Math.ceil(bytes / MIB));
    let end: GiveBack | undefined;
    try {
      const form = await readFiles(request, bounds, mayRead);
      end = await this.handled.take(organizationId);
      return await work(form);
    } finally {
      end?.();
      giveBack();
    }
  }
}

function ownForm(request: FastifyRequest, ctx: PageContext, { fields, files }: SentForm): Form {
  if (isOwnForm(request, ctx, fields)) return new Form(fields, files);
  throw new PageRefusal('This page has expired', 'Nothing was changed. Go back, load the page again, and repeat what you did.');
}
