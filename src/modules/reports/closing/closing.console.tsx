import { Param } from '@nestjs/common';
import { ConsoleDoor, orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState, type PageContext, PageCtx, pathOf, type Answer, goTo, page } from '../../../api/console/page.js';
import { AreaField, ConsoleForm } from '../../../api/console/parts/fields.js';
import { say } from '../../../api/console/say.js';
import { ReportsService } from '../reports.service.js';
import type { ClaimClosingDto } from './closings.dto.js';
import { ClosingsService } from './closings.service.js';
import { nextStep } from './closing.views.js';

@ConsoleSection({ path: 'reports/:report_id/close', label: 'Close a claim' })
export class ClosingConsole {
  constructor(
    private readonly reports: ReportsService,
    private readonly closings: ClosingsService,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /', operation: 'claim_closings.create' })
  show(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    return this.form(ctx, id, formOf({}));
  }

  @Action({ route: 'POST /', operation: 'claim_closings.create' })
  take(@PageCtx() ctx: PageContext, @Param('report_id') reportId: string): Promise<Answer> {
    const take = async (): Promise<Answer> => {
      const [state, corrects] = [ctx.form.text('state'), ctx.form.given('corrects') ?? null];
      const reason = ctx.form.text('reason').replaceAll('\r\n', '\n').trim() || null;
      const taken = await this.door.call<ClaimClosingDto>(ctx, { body: { reportId, state, reason, corrects } });
      return goTo(pathOf(ctx, 'reports', reportId), `${say(`console.closing.states.${taken.state}`)}.`);
    };
    return orAgain(ctx, take, (state) => this.form(ctx, reportId, state));
  }

  private async form(ctx: PageContext, id: string, state: FormState): Promise<Answer> {
    const run = await this.reports.get(ctx, id);
    const steps = await this.closings.findSteps(ctx, id);
    const step = nextStep({ run, steps });
    if (step === undefined) return page(say('console.reports.title'), <p>{say('console.closing.none')}</p>, state.problem?.status);
    const corrected = step === 'final' ? await this.closings.findCorrected(ctx, run) : undefined;
    const needsReason = corrected !== undefined || (step === 'reopened' && steps.at(-1)?.state === 'final');
    const title = say(`console.closing.steps.${step}`);
    return page(
      title,
      <>
        <p>{say(`console.closing.about.${step}`)}</p>
        {corrected ? <p>{say('console.closing.corrects', { version: corrected.version! })}</p> : null}
        <ConsoleForm
          ctx={ctx}
          state={state}
          action={pathOf(ctx, 'reports', id, 'close')}
          submit={title}
          cancel={pathOf(ctx, 'reports', id)}
        >
          <input type="hidden" name="state" value={step} />
          <input type="hidden" name="corrects" value={corrected?.id ?? ''} />
          <AreaField state={state} name="reason" label={say('console.closing.reason')} rows={3} required={needsReason} />
        </ConsoleForm>
      </>,
      state.problem?.status,
    );
  }
}
