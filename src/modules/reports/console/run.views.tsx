import { CONTENT_ID } from '../../../api/console/page.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Confirm, Facts, Time } from '../../../api/console/parts/facts.js';
import type { ClaimReport } from '../report.entity.js';
import { ResultView } from './result.views.js';
import { Status } from './reports.views.js';
import type { NamesOfRuns } from './run-names.js';

const NEWS_SECONDS = 2;

interface Shown {
  readonly ctx: PageContext;
  readonly run: ClaimReport;
  readonly names: NamesOfRuns;
}

/** It is asked for again until the run ends. */
export function RunView({ ctx, run, names }: Shown) {
  const isBusy = run.status === 'queued' || run.status === 'running';
  return (
    <div id="run" data-news={isBusy ? NEWS_SECONDS : 0} data-at-end={CONTENT_ID}>
      <RunFacts ctx={ctx} run={run} names={names} />
      {run.failure ? (
        <p class="error" role="alert">
          {run.failure.message}
        </p>
      ) : null}
      <p>
        <a class="button plain" href={pathOf(ctx, 'reports', run.id, 'compare')}>
          Compare with the run before
        </a>
      </p>
      {run.result ? <ResultView ctx={ctx} id={run.id} result={run.result} /> : null}
    </div>
  );
}

/** Beside the part that is asked for again: a question that is open stays open until the run has ended. */
export const CancelRun = ({ ctx, run }: Pick<Shown, 'ctx' | 'run'>) =>
  run.status === 'queued' || run.status === 'running' ? (
    <Confirm
      ctx={ctx}
      action={pathOf(ctx, 'reports', run.id, 'cancel')}
      label="Cancel the run"
      question="What it has computed so far is dropped. You can start another run at any time."
      submit="Cancel the run"
    />
  ) : null;

function RunFacts({ ctx, run, names }: Shown) {
  const { id, projectId, reportConfigurationId: configurationId, status, queuedAt, startedAt, finishedAt } = run;
  const progress = status === 'running' ? run.progress : null;
  return (
    <Facts
      facts={[
        ['Status', <Status of={status} />],
        ...(progress
          ? ([
              [
                'Progress',
                `${progress.statementsRead} of ${progress.statements} statements, ${progress.linesRead.toLocaleString('en')} lines, ` +
                  `${progress.filesWritten} files`,
              ],
            ] as const)
          : []),
        ['Project', projectId && <a href={pathOf(ctx, 'projects', projectId)}>{names.projects.get(projectId) ?? projectId}</a>],
        [
          'Configuration',
          configurationId && (
            <a href={pathOf(ctx, 'configurations', configurationId)}>{names.configurations.get(configurationId) ?? configurationId}</a>
          ),
        ],
        ['Queued', <Time ctx={ctx} at={queuedAt} />],
        ['Started', <Time ctx={ctx} at={startedAt} />],
        ['Ended', <Time ctx={ctx} at={finishedAt} />],
        ['Id', <code>{id}</code>],
      ]}
    />
  );
}
