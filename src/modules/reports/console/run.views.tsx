import { type PageContext, pathOf, CONTENT_ID } from '../../../api/console/page.js';
import { Confirm, Facts, LinkButton, Time } from '../../../api/console/parts/facts.js';
import { ConsoleForm } from '../../../api/console/parts/fields.js';
import { count, period, say, told } from '../../../api/console/say.js';
import type { KeyList } from '../../statements/index.js';
import type { ClaimReportProgressDto } from '../progress.dto.js';
import type { ClaimReport } from '../report.entity.js';
import { Status } from './reports.views.js';
import { ResultView } from './result.views.js';
import type { NamesOfRuns } from './run-names.js';

export function KeyListView({ ctx, run, list: { entries, isCut } }: { ctx: PageContext; run: ClaimReport; list: KeyList }) {
  const named = entries.filter(({ name }) => name !== null).length;
  const people = isCut ? say('console.reports.keys.moreThan', { count: entries.length }) : count(entries.length);
  return (
    <>
      <p>{say('console.reports.keys.about')}</p>
      <Facts
        facts={[
          [say('console.reports.keys.people'), people],
          [say('console.reports.keys.kept'), count(named)],
        ]}
      />
      {named < entries.length ? <p class="hint">{say('console.reports.keys.others')}</p> : null}
      <p>{say('console.reports.keys.audited')}</p>
      <ConsoleForm ctx={ctx} submit={say('console.reports.keys.save')} cancel={pathOf(ctx, 'reports', run.id)} />
    </>
  );
}

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
          {say('console.reports.failure', { message: told(run.failure.message) })}
        </p>
      ) : null}
      {run.result ? (
        <ResultView ctx={ctx} id={run.id} result={run.result} files={files}>
          <h2>{say('console.reports.details')}</h2>
          {details}
        </ResultView>
      ) : (
        details
      )}
    </div>
  );
}

interface ActionsProps extends Pick<Shown, 'ctx' | 'run'> {
  readonly hasKeyList: boolean;
  /** The run whose lines stand for those of this one. */
  readonly linesOf: string | undefined;
}

export const RunActions = ({ ctx, run, hasKeyList, linesOf }: ActionsProps) => (
  <>
    {hasKeyList && run.result ? (
      <LinkButton plain to={pathOf(ctx, 'reports', run.id, 'names')}>
        {say('console.reports.keys.title')}
      </LinkButton>
    ) : null}
    {linesOf === undefined ? null : (
      <LinkButton plain to={pathOf(ctx, 'reports', linesOf, 'lines')}>
        {linesOf === run.id ? say('console.lines.title') : say('console.lines.newest')}
      </LinkButton>
    )}
    <LinkButton plain to={pathOf(ctx, 'reports', run.id, 'compare')}>
      {say('console.reports.whatChanged')}
    </LinkButton>
  </>
);

/** Beside the part that is asked for again: a question that is open stays open until the run has ended. */
export const CancelRun = ({ ctx, run }: Pick<Shown, 'ctx' | 'run'>) =>
  run.status === 'queued' || run.status === 'running' ? (
    <Confirm
      ctx={ctx}
      action={pathOf(ctx, 'reports', run.id, 'cancel')}
      label={say('console.reports.cancel')}
      question={say('console.reports.cancelAbout')}
      submit={say('console.reports.cancel')}
    />
  ) : null;

const progressOf = ({ statementsRead: read, statements: all, linesRead: lines, filesWritten: files }: ClaimReportProgressDto): string =>
  say('console.reports.progressOf', { read, all, lines, files });

function RunFacts({ ctx, run, names }: Shown) {
  const { id, projectId, reportConfigurationId: configurationId, status, queuedAt, startedAt, finishedAt } = run;
  const linkTo = (of: keyof NamesOfRuns, its: string | null) => its && <a href={pathOf(ctx, of, its)}>{names[of].get(its) ?? its}</a>;
  const progress = status === 'running' ? run.progress : null;
  return (
    <Facts
      facts={[
        ...(status === 'succeeded' ? [] : ([[say('console.reports.statusOf'), <Status of={status} />]] as const)),
        ...(progress ? ([[say('console.reports.progress'), progressOf(progress)]] as const) : []),
        [say('report.fields.project'), linkTo('projects', projectId)],
        [say('console.reports.configuration'), linkTo('configurations', configurationId)],
        ...(run.result?.period ? ([[say('report.fields.period'), period(run.result.period.start, run.result.period.end)]] as const) : []),
        [say('console.reports.created'), <Time ctx={ctx} at={queuedAt} />],
        ...(startedAt === null ? [] : ([[say('console.reports.started'), <Time ctx={ctx} at={startedAt} />]] as const)),
        ...(finishedAt === null ? [] : ([[say('console.reports.ended'), <Time ctx={ctx} at={finishedAt} />]] as const)),
        [say('console.reports.id'), <code>{id}</code>],
      ]}
    />
  );
}
