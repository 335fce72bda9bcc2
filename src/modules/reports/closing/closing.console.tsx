import { Param } from '@nestjs/common';
import { ConsoleDoor, orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { pathOf, type PageContext, formOf, type FormState, PageCtx, type Answer, goTo, page } from '../../../api/console/page.js';
import { Badge, Band, LinkButton, Time, type Tone } from '../../../api/console/parts/facts.js';
import { AreaField, ConsoleForm } from '../../../api/console/parts/fields.js';
import { say } from '../../../api/console/say.js';
import type { ClaimReport } from '../report.entity.js';
import { ReportsService } from '../reports.service.js';
import type { ClaimClosing, ClosingState, Step } from './closing.entity.js';
import { ClaimClosingDto } from './closings.dto.js';
import { ClosingsService } from './closings.service.js';

const TONES: Record<ClosingState, Tone> = { reviewed: 'busy', approved: 'busy', final: 'good', reopening: 'busy', reopened: 'plain' };

const nameOf = ({ state, version }: Pick<ClaimClosing, 'state' | 'version'>): string => {
  const name = say(`console.closing.states.${state}`);
  return version === null ? name : say('console.closing.version', { state: name, version });
};

const NEXT: Partial<Record<ClosingState, Step>> = { reviewed: 'approved', approved: 'final', final: 'reopened', reopening: 'reopened' };

interface Shown {
  readonly ctx: PageContext;
  readonly run: ClaimReport;
  readonly steps: readonly ClaimClosing[];
}

export const nextStep = ({ run, steps }: Pick<Shown, 'run' | 'steps'>): Step | undefined => {
  const last = steps.at(-1);
  if (last) return NEXT[last.state];
  return run.status === 'succeeded' && run.projectId !== null ? 'reviewed' : undefined;
};

export function ClosingBadge({ steps }: Pick<Shown, 'steps'>) {
  const last = steps.at(-1);
  return last ? <Badge tone={TONES[last.state]}>{nameOf(last)}</Badge> : null;
}

/** The next step, on a page of its own. What opens a claim again is not what the page is for. */
export function NextStep({ ctx, run, steps }: Shown) {
  const step = nextStep({ run, steps });
  if (step === undefined || !ctx.can('claim_closings.create')) return null;
  return (
    <LinkButton plain={step === 'reopened'} to={pathOf(ctx, 'reports', run.id, 'close')}>
      {say(`console.closing.steps.${step}`)}
    </LinkButton>
  );
}

export const ClosingBand = ({ ctx, steps }: Omit<Shown, 'run'>) =>
  steps.length === 0 ? null : (
    <Band figures={steps.map((step) => [nameOf(step), step.actorName, <ClosedAt ctx={ctx} step={step} />] as const)} />
  );

const ClosedAt = ({ ctx, step: { createdAt, reason } }: { readonly ctx: PageContext; readonly step: ClaimClosing }) => (
  <>
    <Time ctx={ctx} at={createdAt} />
    {reason === null ? null : ` · ${reason}`}
  </>
);

@ConsoleSection({ path: 'reports/:report_id/close', label: 'Close a claim', shows: [ClaimClosingDto] })
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
    const [title, report] = [say(`console.closing.steps.${step}`), pathOf(ctx, 'reports', id)];
    return page(
      title,
      <>
        <p>{say(`console.closing.about.${step}`)}</p>
        {corrected ? <p>{say('console.closing.corrects', { version: corrected.version! })}</p> : null}
        <ConsoleForm ctx={ctx} state={state} action={`${report}/close`} submit={title} cancel={report}>
          <input type="hidden" name="state" value={step} />
          <input type="hidden" name="corrects" value={corrected?.id ?? ''} />
          <AreaField state={state} name="reason" label={say('console.closing.reason')} rows={3} required={needsReason} />
        </ConsoleForm>
      </>,
      state.problem?.status,
    );
  }
}
