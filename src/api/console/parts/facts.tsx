import type { ComponentChildren, JSX } from 'preact';
import { Problem } from '../../../kernel/problems.js';
import type { ScopeGroup } from '../../access/scopes.js';
import type { Tone } from '../../validation/field.js';
import { Filled, Naming } from '../../wording/page-wording.js';
import { type KnownOfPage, type Form, formOf, type FormState, type PageContext } from '../page.js';
import { instant, say } from '../say.js';
import { FormFields, CheckGroups, type Choice, SelectField } from './fields.js';

export type { Tone } from '../../validation/field.js';

/** What a record has, by name. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }): JSX.Element => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>{value ?? <span class="hint">{say('console.parts.none')}</span>}</dd>
      </div>
    ))}
  </dl>
);

export type Fact = Parameters<typeof Facts>[0]['facts'][number];

/** A figure may have a hint or a link below it. */
export type Figure = readonly [label: string, figure: ComponentChildren, below?: ComponentChildren];

/** The figures of a record, the one that matters most first. */
export const Band = ({ figures }: { figures: readonly Figure[] }): JSX.Element => (
  <dl class="band">
    {figures.map(([label, figure, below]) => (
      <div>
        <dt>{label}</dt>
        <dd class="figure">{figure}</dd>
        {below === undefined ? null : <dd class="hint">{below}</dd>}
      </div>
    ))}
  </dl>
);

/** A link that looks like a button; one of those beside a title is filled. */
export const LinkButton = ({ to, plain, children }: { to: string; plain?: boolean; children: ComponentChildren }): JSX.Element => (
  <a class={plain ? 'button plain' : 'button'} href={to}>
    {children}
  </a>
);

/** One for a step that is not what the page is for. */
export const PlainLink = ({ to, label }: { to: string; label: string }): JSX.Element => (
  <LinkButton plain to={to}>
    {label}
  </LinkButton>
);

export type LinksOfTabs = readonly (readonly [to: string, label: string, isHere: boolean])[];

/** Pages or lists beside one another, of which one is shown. */
export const TabLinks = ({ label, links }: { label: string; links: LinksOfTabs }): JSX.Element => (
  <nav class="tabs" aria-label={label}>
    {links.map(([to, text, isHere]) => (
      <a href={to} aria-current={isHere ? 'page' : undefined}>
        {text}
      </a>
    ))}
  </nav>
);

/** The way to another page, by itself. */
export const Way = ({ to, label }: { to: string; label: string }): JSX.Element => (
  <p>
    <a href={to}>{label}</a>
  </p>
);

type SentenceProps = { text: string } & ({ names: readonly string[] } | { parts: readonly ComponentChildren[] });

/** A paragraph of a text with names or links in it. */
export const Sentence = (props: SentenceProps): JSX.Element => <p>{'names' in props ? <Naming {...props} /> : <Filled {...props} />}</p>;

/** What went wrong, what somebody should know before they go on, or what was done. It is read out at once. */
export const Note = ({ tone, children }: { tone: 'error' | 'warning' | 'notice'; children: ComponentChildren }): JSX.Element => (
  <p class={tone} role={tone === 'error' ? 'alert' : 'status'}>
    {children}
  </p>
);

interface PartProps {
  readonly title: string;
  readonly action?: readonly [to: string, label: string] | undefined;
  readonly children: ComponentChildren;
}

export const Part = ({ title, action, children }: PartProps): JSX.Element => (
  <section>
    <div class="title">
      <h2>{title}</h2>
      {action ? (
        <p class="buttons">
          <PlainLink to={action[0]} label={action[1]} />
        </p>
      ) : null}
    </div>
    {children}
  </section>
);

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }): JSX.Element => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** A time in the zone of the organization; its title is in UTC. */
export function Time({
  ctx,
  at,
  seconds = false,
}: {
  ctx: Pick<KnownOfPage, 'organization'>;
  at: string | null | undefined;
  seconds?: boolean;
}): JSX.Element {
  if (!at) return <span class="hint">{say('console.parts.never')}</span>;
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {instant(at, ctx.organization.timeZone, seconds)}
    </time>
  );
}

interface ConfirmProps extends Omit<ActionButtonProps, 'isFilled'> {
  /** What will happen. */
  readonly question: ComponentChildren;
  /** The button that does it; `label` is on the one that opens the question. */
  readonly submit: string;
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

/** Steps that are taken seldom, behind one button. */
export const More = ({ children }: { children: ComponentChildren }): JSX.Element => (
  <details class="more">
    <summary class="button plain">{say('console.parts.more')}</summary>
    <div>{children}</div>
  </details>
);

interface ActionButtonProps {
  readonly ctx: Pick<KnownOfPage, 'csrf'>;
  readonly action: string;
  readonly label: string;
  readonly isFilled?: boolean;
  readonly children?: ComponentChildren;
}

export const ActionButton = (props: ActionButtonProps): JSX.Element => (
  <form method="post" action={props.action} class="inline">
    <FormFields ctx={props.ctx} />
    {props.children}
    <button class={props.isFilled ? undefined : 'plain'}>{props.label}</button>
  </form>
);

/** Something to be copied. The button appears where scripts run. */
export const Copyable = ({ text, label }: { text: string; label: string }): JSX.Element => (
  <div class="copyable">
    <pre tabIndex={0} aria-label={label}>
      {text}
    </pre>
    <button type="button" class="plain copy" hidden data-copied={say('console.parts.copied')}>
      {say('console.parts.copy')}
    </button>
  </div>
);

// What pages of keys and of applications have.

export const Scopes = ({ scopes }: { scopes: ScopeGroup['scopes'] }) => (
  <ul>
    {scopes.map(({ sentence, scope }) => (
      <li>
        {sentence} <code>{scope}</code>
      </li>
    ))}
  </ul>
);

export const ScopeList = ({ groups }: { groups: readonly ScopeGroup[] }) => (
  <>
    {groups.map(({ title, scopes }) => (
      <section>
        <h3>{title}</h3>
        <Scopes scopes={scopes} />
      </section>
    ))}
  </>
);

interface ScopeChoicesProps {
  readonly state: FormState;
  readonly groups: readonly ScopeGroup[];
  /** The box that stands for all of them. */
  readonly all: { readonly label: string; readonly hint: string };
}

export function ScopeChoices({ state, groups, all }: ScopeChoicesProps) {
  const choices = groups.map(({ title, scopes }) => ({ title, choices: scopes.map(({ scope, sentence }): Choice => [scope, sentence]) }));
  return <CheckGroups state={state} name="scopes" all={{ name: 'allScopes', ...all }} groups={choices} />;
}

/** One that may do nothing is a slip: `none` says what is wrong then. */
export function scopesIn(form: Form, none: string): string[] | 'all' {
  const scopes = form.isChecked('allScopes') ? 'all' : form.list('scopes');
  if (scopes.length === 0) throw Problem.invalidField('scopes', 'required', none);
  return scopes;
}

/** For how long the old credential of a rotation stays valid, in milliseconds. */
const OVERLAPS = ['0', '3600000', '86400000', '604800000'] as const;
const A_DAY = '86400000';

export function OverlapField({ label }: { label: string }) {
  const choices = OVERLAPS.map((ms): Choice => [ms, say(`console.overlap.${ms}`)]);
  return <SelectField state={formOf({ overlap: A_DAY })} name="overlap" label={label} choices={choices} />;
}

/** The overlap that was chosen, in milliseconds. */
export function overlapIn({ form }: PageContext): number {
  const overlap = form.text('overlap');
  if (!OVERLAPS.some((value) => value === overlap)) throw Problem.invalidField('overlap', 'not_allowed', 'must be one of the choices');
  return Number(overlap);
}
