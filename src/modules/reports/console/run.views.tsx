import { CONTENT_ID } from '../../../api/console/page.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Confirm, Facts, LinkButton, Time } from '../../../api/console/parts/facts.js';
import { count, period } from '../../../api/console/say.js';
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

/** It is asked for again until the report is made. */
export function RunView({ ctx, run, names, files }: Shown & { readonly files: ReadonlyMap<string, string> }) {
  const isBusy = run.status === 'queued' || run.status === 'running';
  const details = <RunFacts ctx={ctx} run={run} names={names} />;
  return (
    <div id="run" data-news={isBusy ? NEWS_SECONDS : 0} data-at-end={CONTENT_ID}>
      {run.failure ? (
        <p class="error" role="alert">
          {run.failure.message}
        </p>
      ) : null}
      {run.result ? (
        <ResultView ctx={ctx} id={run.id} result={run.result} files={files}>
          <h2>Details</h2>
          {details}
        </ResultView>
      ) : (
        details
      )}
    </div>
  );
}

/** Beside the title. */
export const RunActions = ({ ctx, run, hasKeyList }: Pick<Shown, 'ctx' | 'run'> & { readonly hasKeyList: boolean }) => (
  <>
    {hasKeyList && run.result ? (
      <LinkButton plain to={pathOf(ctx, 'reports', run.id, 'names')}>
        Key list
      </LinkButton>
    ) : null}
    <LinkButton plain to={pathOf(ctx, 'reports', run.id, 'compare')}>
      What changed
    </LinkButton>
  </>
);

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
        ...(status === 'succeeded' ? [] : ([['Status', <Status of={status} />]] as const)),
        ...(progress
          ? ([
              [
                'Progress',
                `${progress.statementsRead} of ${progress.statements} statements, ${count(progress.linesRead)} lines, ` +
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
        ...(run.result?.period ? ([['Period', period(run.result.period.start, run.result.period.end)]] as const) : []),
        ['Created', <Time ctx={ctx} at={queuedAt} />],
        ...(startedAt === null ? [] : ([['Started', <Time ctx={ctx} at={startedAt} />]] as const)),
        ...(finishedAt === null ? [] : ([['Ended', <Time ctx={ctx} at={finishedAt} />]] as const)),
        ['Id', <code>{id}</code>],
      ]}
    />
  );
}
