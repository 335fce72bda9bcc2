import type { ComponentChildren } from 'preact';
import { type FormState, pathOf, type PageContext } from '../../../api/console/page.js';
import { ActionButton, Confirm, Copyable, Facts, Time } from '../../../api/console/parts/facts.js';
import { TextField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { count, duration, say } from '../../../api/console/say.js';
import { Filled, FIRST } from '../../../api/wording/page-wording.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { MissedKind } from '../operator/endpoint-operations.js';
import { excerptOf } from '../sending/answer-excerpt.js';
import type { Outcome } from '../sending/sender.js';
import { inMilliseconds, resultInWords } from './deliveries.views.js';

interface ReplayProps {
  readonly ctx: PageContext;
  readonly endpoint: WebhookEndpoint;
  readonly state: FormState;
  /** The time that was asked for, if it is one. */
  readonly since: string | undefined;
  readonly missed: readonly MissedKind[];
  readonly choices: readonly (readonly [label: string, since: string])[];
  readonly keptMs: number;
}

export function ReplayView({ ctx, endpoint, state, since, missed, choices, keptMs }: ReplayProps) {
  const action = pathOf(ctx, 'webhooks', endpoint.id, 'replay');
  return (
    <>
      <p>
        <a href={pathOf(ctx, 'webhooks', endpoint.id)}>{endpoint.name}</a>
      </p>
      <p>{say('console.webhooks.replay.about', { duration: duration(keptMs) })}</p>
      <form method="get" action={action} class="filters">
        <TextField state={state} name="since" label={say('console.webhooks.since')} hint={say('console.webhooks.sinceHint')} required />
        <button class="plain">{say('console.webhooks.replay.show')}</button>
      </form>
      <p>
        {choices.map(([label, time]) => (
          <>
            <a href={`${action}?since=${encodeURIComponent(time)}`}>{label}</a>{' '}
          </>
        ))}
      </p>
      {since === undefined ? null : <Missed ctx={ctx} endpoint={endpoint} since={since} missed={missed} action={action} />}
      <h2>{say('console.webhooks.replay.stop')}</h2>
      <Confirm
        ctx={ctx}
        action={`${action}/stop`}
        label={say('console.webhooks.replay.stop')}
        question={say('console.webhooks.replay.stopAbout')}
        submit={say('console.webhooks.replay.stopNow')}
      />
    </>
  );
}

interface MissedProps extends Pick<ReplayProps, 'ctx' | 'endpoint' | 'missed'> {
  readonly since: string;
  readonly action: string;
}

function Missed({ ctx, endpoint, since, missed, action }: MissedProps) {
  const total = missed.reduce((sum, { deliveries }) => sum + deliveries, 0);
  return (
    <>
      <h2>
        <Filled text={say('console.webhooks.replay.missedSince', { time: FIRST })} parts={[<Time ctx={ctx} at={since} />]} />
      </h2>
      <Table
        caption={say('console.webhooks.replay.missed')}
        rows={missed}
        empty={<p>{say('console.webhooks.replay.missedNothing')}</p>}
        columns={[
          [say('console.webhooks.event'), ({ kind }) => <code>{kind}</code>],
          [say('console.webhooks.deliveries'), ({ deliveries }) => count(deliveries), 'number'],
          [say('console.webhooks.replay.first'), ({ firstAt }) => <Time ctx={ctx} at={firstAt} />],
          [say('console.webhooks.replay.last'), ({ lastAt }) => <Time ctx={ctx} at={lastAt} />],
        ]}
      />
      {endpoint.status === 'disabled' ? <p class="hint">{say('console.webhooks.replay.resumeFirst')}</p> : null}
      {endpoint.status === 'active' && total > 0 ? (
        <div class="steps">
          <ActionButton ctx={ctx} action={action} label={say('console.webhooks.replay.send', { count: total })}>
            <input type="hidden" name="since" value={since} />
          </ActionButton>
        </div>
      ) : null}
    </>
  );
}

interface SentProps {
  readonly ctx: PageContext;
  readonly endpoint: WebhookEndpoint;
  readonly outcome: Outcome;
  /** Whose example was sent; `none`: a test was. */
  readonly kind: string;
  readonly children?: ComponentChildren;
}

/** What an endpoint answered to something that is not in the delivery log. */
export function SentView({ ctx, endpoint, outcome, kind, children }: SentProps) {
  const { status: responseStatus, errorCode, durationMs, start, isLonger = false } = outcome;
  const answer = start && excerptOf(start, isLonger, []);
  return (
    <>
      <p class={errorCode === null ? 'notice' : 'error'} role="status">
        {errorCode === null ? say('console.webhooks.test.accepted', { kind }) : say('console.webhooks.test.refused', { kind })}
      </p>
      <Facts
        facts={[
          ['URL', <code>{endpoint.targetUrl}</code>],
          [say('console.webhooks.result'), resultInWords({ responseStatus, errorCode })],
          [say('console.webhooks.took'), inMilliseconds(durationMs)],
        ]}
      />
      {answer?.body ? <Copyable label={say('console.webhooks.answerStart')} text={answer.body} /> : null}
      {children}
      <p>
        <a class="button plain" href={pathOf(ctx, 'webhooks', endpoint.id)}>
          {say('console.webhooks.toEndpoint')}
        </a>
      </p>
    </>
  );
}

export const PingView = (props: Omit<SentProps, 'kind' | 'children'>) => (
  <SentView {...props} kind="none">
    <p class="hint">{say('console.webhooks.test.about')}</p>
    <div class="steps">
      <ActionButton ctx={props.ctx} action={props.ctx.path} label={say('console.webhooks.test.again')} />
    </div>
  </SentView>
);
