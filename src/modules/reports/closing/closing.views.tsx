import { pathOf, type PageContext } from '../../../api/console/page.js';
import { Badge, Band, LinkButton, Time, type Tone } from '../../../api/console/parts/facts.js';
import { say } from '../../../api/console/say.js';
import type { ClaimReport } from '../report.entity.js';
import type { ClaimClosing, ClosingState, Step } from './closing.entity.js';

const TONES: Record<ClosingState, Tone> = { reviewed: 'busy', approved: 'busy', final: 'good', reopening: 'busy', reopened: 'plain' };

const nameOf = ({ state, version }: Pick<ClaimClosing, 'state' | 'version'>): string => {
  const name = say(`console.closing.states.${state}`);
  return version === null ? name : say('console.closing.version', { state: name, version });
};

const NEXT: Record<ClosingState, Step | undefined> = {
  reviewed: 'approved',
  approved: 'final',
  final: 'reopened',
  reopening: 'reopened',
  reopened: undefined,
};

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
