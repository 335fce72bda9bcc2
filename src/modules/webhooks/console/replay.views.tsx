import type { ComponentChildren } from 'preact';
import type { FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { ActionButton, Confirm, Copyable, Facts, Time } from '../../../api/console/parts/facts.js';
import { TextField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { count } from '../../../api/console/say.js';
import { inWords } from '../../../kernel/durations.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { MissedKind } from '../operator/replay.service.js';
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
  /** Times to choose from. */
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
      <p>
        A replay sends what the endpoint has missed: events that it refused, and those from while it was paused or disabled. What it has
        accepted is not sent again. Events are kept for {inWords(keptMs)}.
      </p>
      <form method="get" action={action} class="filters">
        <TextField state={state} name="since" label="Since" hint="A time with its offset, such as 2026-01-31T08:00:00Z." required />
        <button class="plain">Show what was missed</button>
      </form>
      <p>
        {choices.map(([label, time]) => (
          <>
            <a href={`${action}?since=${encodeURIComponent(time)}`}>{label}</a>{' '}
          </>
        ))}
      </p>
      {since === undefined ? null : <Missed ctx={ctx} endpoint={endpoint} since={since} missed={missed} action={action} />}
      <h2>Stop replays</h2>
      <Confirm
        ctx={ctx}
        action={`${action}/stop`}
        label="Stop replays"
        question="What replays of this endpoint have not sent yet is taken back. What is on its way already arrives."
        submit="Stop them"
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
        Missed since <Time ctx={ctx} at={since} />
      </h2>
      <Table
        caption="What the endpoint has missed"
        rows={missed}
        empty={<p>The endpoint has missed nothing since then.</p>}
        columns={[
          ['Event', ({ kind }) => <code>{kind}</code>],
          ['Deliveries', ({ deliveries }) => count(deliveries), 'number'],
          ['First', ({ firstAt }) => <Time ctx={ctx} at={firstAt} />],
          ['Last', ({ lastAt }) => <Time ctx={ctx} at={lastAt} />],
        ]}
      />
      {endpoint.status === 'disabled' ? <p class="hint">To replay them, resume the endpoint first.</p> : null}
      {endpoint.status === 'active' && total > 0 ? (
        <div class="steps">
          <ActionButton ctx={ctx} action={action} label={`Send ${count(total)} again`}>
            <input type="hidden" name="since" value={since} />
          </ActionButton>
        </div>
      ) : null}
    </>
  );
}

/** How a test ended. */
interface SentProps {
  readonly ctx: PageContext;
  readonly endpoint: WebhookEndpoint;
  readonly outcome: Outcome;
  /** What was sent. */
  readonly about: string;
  readonly children?: ComponentChildren;
}

/** What an endpoint answered to something that is not in the delivery log. */
export function SentView({ ctx, endpoint, outcome, about, children }: SentProps) {
  const { status: responseStatus, errorCode, durationMs, start, isLonger = false } = outcome;
  const answer = start && excerptOf(start, isLonger, []);
  return (
    <>
      <p class={errorCode === null ? 'notice' : 'error'} role="status">
        {errorCode === null ? `The endpoint accepted ${about}.` : `The endpoint did not accept ${about}.`}
      </p>
      <Facts
        facts={[
          ['URL', <code>{endpoint.targetUrl}</code>],
          ['Result', resultInWords({ responseStatus, errorCode })],
          ['Took', inMilliseconds(durationMs)],
        ]}
      />
      {answer?.body ? <Copyable label="The beginning of the answer" text={answer.body} /> : null}
      {children}
      <p>
        <a class="button plain" href={pathOf(ctx, 'webhooks', endpoint.id)}>
          Go to the endpoint
        </a>
      </p>
    </>
  );
}

export const PingView = (props: Omit<SentProps, 'about' | 'children'>) => (
  <SentView {...props} about="the test">
    <p class="hint">A test is an event of the kind webhook.test. It has no signature, and is not in the delivery log.</p>
    <div class="steps">
      <ActionButton ctx={props.ctx} action={props.ctx.path} label="Send it again" />
    </div>
  </SentView>
);
