import type { ComponentChildren, JSX } from 'preact';
import type { Tone } from '../../validation/field.js';
import type { PageContext } from '../page-context.js';
import { FormFields } from './fields.js';

export type { Tone } from '../../validation/field.js';

/** What a record has, by name. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }): JSX.Element => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>{value ?? <span class="hint">None</span>}</dd>
      </div>
    ))}
  </dl>
);

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }): JSX.Element => (
  <span class={`badge ${tone}`}>{children}</span>
);

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  formats.set(timeZone, made);
  return made;
}

/** A time in the zone of the organization; its title is in UTC. */
export function Time({
  ctx,
  at,
}: {
  ctx: { readonly organization: { readonly timeZone: string } };
  at: string | null | undefined;
}): JSX.Element {
  if (!at) return <span class="hint">Never</span>;
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {formatFor(ctx.organization.timeZone).format(new Date(at))}
    </time>
  );
}

interface ConfirmProps {
  readonly ctx: PageContext;
  readonly action: string;
  /** The button that opens the question. */
  readonly label: string;
  /** What will happen. */
  readonly question: ComponentChildren;
  /** The button that does it. */
  readonly submit: string;
  readonly children?: ComponentChildren;
}

/** A step that cannot be taken back asks once, without a script. */
export const Confirm = ({ ctx, action, label, question, submit, children }: ConfirmProps): JSX.Element => (
  <details class="confirm">
    <summary class="button danger">{label}</summary>
    <form method="post" action={action}>
      <FormFields ctx={ctx} />
      <p>{question}</p>
      {children}
      <button class="danger">{submit}</button>
    </form>
  </details>
);

/** A button of its own that does something at once. */
export const ActionButton = (props: { ctx: PageContext; action: string; label: string; children?: ComponentChildren }): JSX.Element => (
  <form method="post" action={props.action} class="inline">
    <FormFields ctx={props.ctx} />
    {props.children}
    <button class="plain">{props.label}</button>
  </form>
);

/** Something to be copied. The button appears where scripts run. */
export const Copyable = ({ text, label }: { text: string; label: string }): JSX.Element => (
  <div class="copyable">
    <pre tabIndex={0} aria-label={label}>
      {text}
    </pre>
    <button type="button" class="plain copy" hidden data-copied="Copied">
      Copy
    </button>
  </div>
);
