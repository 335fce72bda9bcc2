import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { FairShare, type GiveBack } from '../../kernel/fair-share.js';
import { isUuid } from '../../kernel/ids.js';
import { requireOpen } from '../../kernel/organization-status.js';
import { lackOf } from '../../kernel/permissions.js';
import { Problem } from '../../kernel/problems.js';
import { readForm } from '../http/pages/page.js';
import { isIdParameter, type RegisteredOperation } from '../operation/operation.js';
import { MIB, readFiles, type FileBounds, type SentForm } from '../validation/read-files.js';
import { Form, type PageContext, type ConsoleUser, PageRefusal, type PageDeclaration } from './page.js';
import { say, told } from './say.js';

/** A form may hold the rules of a category. */
const FORM_MAX_BYTES = 1024 * 1024;

@Injectable()
export class OwnForms {
  /** Forms are in memory until they are handled. However slow people without an account are, they take nothing from the staff. */
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
    { organizationId, is }: { readonly organizationId: string; readonly is: 'staff' | 'guest' },
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

/** Whether the form was shown to this browser, and by this service. */
export function isOwnForm({ isOfAnotherSite }: FastifyRequest, { csrf }: Pick<PageContext, 'csrf'>, fields: URLSearchParams): boolean {
  const [expected, given] = [csrf, fields.get('csrf') ?? ''].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(expected!, given!) && !isOfAnotherSite;
}

/** Parameters that are ids: what cannot be one names nothing. */
export function requireIds(params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) {
    if (isIdParameter(name) && !isUuid(value)) throw new Problem('not_found', { detail: 'There is nothing with this id.' });
  }
}

export function environmentOf(name = 'test'): Environment {
  const found = ENVIRONMENTS.find((environment) => environment === name);
  if (!found) throw new Problem('route_not_found');
  return found;
}

/** What can hold any field is refused to people from whom some are hidden. */
export const mayDo = (user: ConsoleUser, operation: RegisteredOperation, hidden: PageContext['hidden']): boolean =>
  !lackOf({ user }, operation) && !(hidden && (operation.returnsFile || operation.cannotBeCut));

export function requireAccess({ operation, organization, user }: PageContext, declaration: Pick<PageDeclaration, 'role'> = {}): void {
  requireOpen(organization.status);
  const role = declaration.role ?? operation?.role;
  if (lackOf({ user }, { role })) throw new PageRefusal('You may not do this', say('console.access.role', { role: told(role!) }));
  if (operation?.plan && !organization.includes(operation.plan))
    throw new Problem('plan_required', { detail: say('console.access.plan', { plan: operation.plan }) });
}
