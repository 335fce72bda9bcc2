import { Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, goTo, page, PageCtx, PageRefusal, pathOf } from '../../../api/console/page.js';
import type { Answer, FormState, PageContext } from '../../../api/console/page.js';
import { say } from '../../../api/console/say.js';
import { Registry } from '../../../api/operation/registry.js';
import { Problem } from '../../../kernel/problems.js';
import { Accounts, AskedAgain } from '../../users/index.js';
import type { Confirmation } from '../confirmation.entity.js';
import { Confirmations } from '../confirmations.service.js';
import { ConfirmationList, ConfirmationView } from './confirmations.views.js';

const SECTION = 'confirmations';

/** Where people agree to what models want to change by tools, or refuse it: those who may do it themselves. */
@ConsoleSection({ path: SECTION, label: 'Confirmations', group: 'Developers', order: 6 })
export class ConfirmationsConsole {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly registry: Registry,
    private readonly accounts: Accounts,
    private readonly askedAgain: AskedAgain,
  ) {}

  @Page({ route: 'GET /', role: 'member' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const rows = await this.confirmations.open(ctx);
    const summaryOf = ({ operation }: Confirmation): string => this.registry.operationCalled(operation).summary;
    return page(say('console.confirmations.title'), <ConfirmationList ctx={ctx} rows={rows} summaryOf={summaryOf} />);
  }

  @Page({ route: 'GET /:confirmation_id', role: 'member' })
  show(@PageCtx() ctx: PageContext, @Param('confirmation_id') id: string): Promise<Answer> {
    return this.showPage(ctx, id);
  }

  /** A browser that was left open does not agree to a delete: the person shows once more who they are. */
  @Action({ route: 'POST /:confirmation_id/agree', role: 'member', records: ['confirmation.agreed'], needsFreshSignIn: 'single_sign_on' })
  agree(@PageCtx() ctx: PageContext, @Param('confirmation_id') id: string, @Req() request: FastifyRequest): Promise<Answer> {
    const agree = async (): Promise<Answer> => {
      if (this.isProved(ctx, await this.allowed(ctx, id))) await this.prove(ctx, request);
      const needsAnother = await this.confirmations.agree(ctx, id);
      return goTo(pathOf(ctx, SECTION), say('console.confirmations.agreed', { needsAnother }));
    };
    return orAgain(ctx, agree, (state) => this.showPage(ctx, id, state));
  }

  @Action({ route: 'POST /:confirmation_id/refuse', role: 'member', records: ['confirmation.refused'] })
  async refuse(@PageCtx() ctx: PageContext, @Param('confirmation_id') id: string): Promise<Answer> {
    await this.allowed(ctx, id);
    await this.confirmations.refuse(ctx, id);
    return goTo(pathOf(ctx, SECTION), say('console.confirmations.refused'));
  }

  private async showPage(ctx: PageContext, id: string, state: FormState = formOf()): Promise<Answer> {
    const row = await this.allowed(ctx, id);
    const operation = this.registry.operationCalled(row.operation);
    const security = this.isProved(ctx, row) ? await this.accounts.readSecurity(ctx.user.id) : undefined;
    const [sent, isOpen] = [this.confirmations.shownOf(row), this.confirmations.isOpen(row)];
    const view = <ConfirmationView {...{ ctx, state, row, operation, sent, isOpen, security }} />;
    return page(say('console.confirmations.title'), view, state.problem?.status ?? 200);
  }

  /** The confirmation, for somebody who may do what it is about. */
  private async allowed(ctx: PageContext, id: string): Promise<Confirmation> {
    const row = await this.confirmations.get(ctx, id);
    const operation = this.registry.operationCalled(row.operation);
    if (!ctx.can(row.operation)) throw new PageRefusal(say('console.confirmations.notYours'), say('console.confirmations.notYoursAbout'));
    await operation.checkPolicies?.(ctx);
    return row;
  }

  /** Whose company vouches for them has signed in a moment ago: the action asks for that. */
  private isProved({ signedInBy }: PageContext, { operation }: Confirmation): boolean {
    return signedInBy !== 'single_sign_on' && this.registry.operationCalled(operation).method === 'DELETE';
  }

  private async prove(ctx: PageContext, request: FastifyRequest): Promise<void> {
    const { passkeys } = await this.accounts.readSecurity(ctx.user.id);
    if (passkeys.length > 0 && !ctx.form.given('passkey')) throw Problem.invalidField('passkey', 'required', 'is needed for this');
    await this.askedAgain.proveBy(ctx, request, 'password', 'code');
  }
}
