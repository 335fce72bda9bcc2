import type { ComponentChildren } from 'preact';
import type { ScopeGroup } from '../../../api/access/scopes.js';
import { formOf, type FormState, type PageContext, pathOf } from '../../../api/console/page.js';
import { AreaField, CheckField, CheckGroup, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { ActionButton, Confirm, LinkButton, Badge, Copyable, Facts, Time, Note, PlainLink } from '../../../api/console/parts/facts.js';
import { type Tone, OverlapField, ScopeChoices, ScopeList, scopesIn } from '../../../api/console/parts/facts.js';
import { Pager, Table } from '../../../api/console/parts/list.js';
import { RuleFields, rulesIn, ruleValues } from '../../../api/console/parts/confirmation-rules.js';
import { OwnLimitFields, ownLimitFacts, ownLimitsIn, ownLimitValues } from '../../../api/console/parts/own-limits.js';
import { say, told } from '../../../api/console/say.js';
import { Problem } from '../../../kernel/problems.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { ProjectChoice, projectIdsFrom, projectsShown, projectValues } from '../../projects/index.js';
import { type Application, GRANT_TYPES, type GrantType, SECURITY_RULES, type SecurityRule } from '../applications/application.entity.js';
import type { ApplicationStatus } from '../applications/application.entity.js';
import { hasKeys, type IssuedApplication } from '../applications/applications.service.js';
import { REDIRECTS_MAX } from '../applications/client-metadata.js';

export const grantInWords = (grant: GrantType): string => say(`console.applications.grants.${grant}`);
const ruleInWords = (rule: SecurityRule): string => say(`console.applications.rules.${rule}`);

const KINDS = ['confidential', 'public'] as const;

type ConnectionFormProps = { ctx: PageContext; state: FormState; projects: readonly Choice[] };
/** `isNew`: how it authenticates is chosen once. */
type ApplicationFormProps = ConnectionFormProps & { groups: readonly ScopeGroup[]; isNew: boolean };

export function ApplicationForm({ ctx, state, groups, projects, isNew }: ApplicationFormProps) {
  const kinds = KINDS.map((kind): Choice => [kind, say(`console.applications.kinds.${kind}`)]);
  const submit = isNew ? say('console.applications.register') : say('console.applications.save');
  const redirectsHint = say('console.applications.redirectsHint', { most: REDIRECTS_MAX, environment: ctx.environment });
  type Label = 'name' | 'kind' | 'access' | 'redirects' | 'rulesTitle';
  const of = (name: string, label: Label) => ({ state, name, label: say(`console.applications.${label}`) });
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={ctx.path.replace(/\/(new|edit)$/, '')}>
      <TextField {...of('name', 'name')} hint={say('console.applications.nameHint')} required maxLength={200} />
      {isNew ? <SelectField {...of('kind', 'kind')} choices={kinds} /> : null}
      <CheckGroup {...of('grants', 'access')} choices={GRANT_TYPES.map((grant): Choice => [grant, grantInWords(grant)])} />
      <AreaField {...of('redirectUris', 'redirects')} hint={redirectsHint} rows={4} />
      {isNew ? <NewFields state={state} /> : null}
      <CheckGroup {...of('securityRules', 'rulesTitle')} choices={SECURITY_RULES.map((rule): Choice => [rule, ruleInWords(rule)])} />
      <OwnLimitFields state={state} />
      <RuleFields state={state} of="agents" unset={say('console.agents.asOrganization')} />
      <ProjectChoice state={state} options={projects} />
      <h2>{say('console.applications.permissions')}</h2>
      <ScopeChoices
        state={state}
        groups={groups}
        all={{ label: say('console.applications.all'), hint: say('console.applications.allHint') }}
      />
    </ConsoleForm>
  );
}

const NewFields = ({ state }: { state: FormState }) => (
  <>
    <KeysField state={state} label={say('console.applications.keyInstead')} />
    <CheckField state={state} name="isPending" label={say('console.applications.later')} hint={say('console.applications.laterHint')} />
  </>
);

export const KeysField = ({ state, label }: { state: FormState; label: string }) => (
  <AreaField state={state} name="publicKeys" label={label} hint={say('console.applications.keysHint')} rows={4} />
);

/** Of what a connection is, the organization sets its limits and projects only. */
export const ConnectionForm = ({ ctx, state, projects }: ConnectionFormProps) => (
  <ConsoleForm ctx={ctx} state={state} submit={say('console.applications.save')} cancel={ctx.path.replace(/\/edit$/, '')}>
    <OwnLimitFields state={state} />
    <RuleFields state={state} of="agents" unset={say('console.agents.asOrganization')} />
    <ProjectChoice state={state} options={projects} />
  </ConsoleForm>
);

/** Where keys that were refused are corrected. */
export const KeysForm = ({ ctx, state, cancel }: { ctx: PageContext; state: FormState; cancel: string }) => (
  <ConsoleForm ctx={ctx} state={state} submit={say('console.applications.useKeys')} cancel={cancel}>
    <KeysField state={state} label={say('console.applications.publicKeys')} />
  </ConsoleForm>
);

export const valuesOf = ({ name, grants, redirectUris, scopes, securityRules, projectIds, confirmations, ...limits }: Application) => ({
  ...Object.fromEntries(ruleValues('agents', confirmations ?? {})),
  ...ownLimitValues(limits),
  ...projectValues(projectIds),
  name,
  grants,
  securityRules,
  redirectUris: redirectUris.join('\n'),
  scopes,
});

/** What the forms of applications and connections say. */
export const boundsIn = (ctx: PageContext) => ({
  ...ownLimitsIn(ctx),
  projectIds: projectIdsFrom(ctx.form),
  confirmations: rulesIn(ctx.form, 'agents'),
});

/** What the form says of an application. The service checks the rest, such as which grants exist. */
export function applicationFieldsOf(ctx: PageContext) {
  const { form } = ctx;
  return {
    ...boundsIn(ctx),
    name: form.text('name').trim(),
    grants: form.list('grants') as GrantType[],
    redirectUris: form.text('redirectUris').split(/\s+/).filter(Boolean),
    scopes: scopesIn(form, 'must have at least one: choose what the application may do'),
    securityRules: form.list('securityRules') as SecurityRule[],
  };
}

export function newFieldsOf({ form }: PageContext) {
  const kind = form.text('kind');
  if (!KINDS.some((one) => one === kind)) throw Problem.invalidField('kind', 'not_allowed', 'must be one of the choices');
  const publicKeys = form.text('publicKeys').trim();
  return { isPublic: kind === 'public', isPending: form.isChecked('isPending'), ...(publicKeys !== '' && { publicKeys }) };
}

type StepsProps = { ctx: PageContext; application: Application; now: Date };

/** What can be done with an application now. A connection is only suspended and approved: the rest is said by its application. */
export function ApplicationSteps({ ctx, application, now }: StepsProps) {
  const at = (...parts: string[]): string => pathOf(ctx, 'applications', application.id, ...parts);
  const { name, status, heldByOperator, sharedClientId, isPublic } = application;
  const isOwn = sharedClientId === null;
  return (
    <div class="steps">
      <LinkButton to={at('edit')}>{say('console.applications.edit')}</LinkButton>
      {status !== 'approved' && !heldByOperator ? (
        <ActionButton ctx={ctx} action={at('approve')} label={say('console.applications.approve')} />
      ) : null}
      {isOwn && !isPublic && !hasKeys(application) ? <Rotate ctx={ctx} application={application} now={now} /> : null}
      {isOwn && !isPublic ? <ReplaceKeys ctx={ctx} application={application} /> : null}
      {status === 'approved' ? (
        <Confirm
          ctx={ctx}
          action={at('suspend')}
          label={say('console.applications.suspend')}
          question={say('console.applications.suspendAbout', { name })}
          submit={say('console.applications.suspendIt')}
        />
      ) : null}
    </div>
  );
}

function Rotate({ ctx, application: { id, previousSecretExpiresAt }, now }: StepsProps) {
  const isOverlap = previousSecretExpiresAt !== null && Date.parse(previousSecretExpiresAt) > now.getTime();
  return (
    <Confirm
      ctx={ctx}
      action={pathOf(ctx, 'applications', id, 'rotate-secret')}
      label={say('console.applications.rotate')}
      question={
        <>
          {say('console.applications.rotateAbout')}
          {isOverlap ? <strong> {say('console.applications.rotateEnds')}</strong> : null}
        </>
      }
      submit={say('console.applications.rotateIt')}
    >
      <OverlapField label={say('console.applications.overlap')} />
    </Confirm>
  );
}

function ReplaceKeys({ ctx, application }: Omit<StepsProps, 'now'>) {
  const { id } = application;
  const has = hasKeys(application) ? 'keys' : 'secret';
  return (
    <Confirm
      ctx={ctx}
      action={pathOf(ctx, 'applications', id, 'keys')}
      label={say(`console.applications.replace.${has}`)}
      question={say(`console.applications.replaceAbout.${has}`)}
      submit={say(`console.applications.replaceIt.${has}`)}
    >
      <KeysField state={formOf()} label={say(`console.applications.replaceBy.${has}`)} />
    </Confirm>
  );
}

export const SECTION = 'applications';
const TONES: Record<ApplicationStatus, Tone> = { pending: 'busy', approved: 'good', suspended: 'bad' };

const Status = ({ of: { status, heldByOperator } }: { of: Application }) => (
  <>
    <Badge tone={TONES[status]}>{say(`console.applications.status.${status}`)}</Badge>
    {heldByOperator ? <span class="hint"> {say('console.applications.byOperator')}</span> : null}
  </>
);

function kindOf({ isPublic, sharedClientId, ...keys }: Application): string {
  if (sharedClientId !== null) return say('console.applications.shared');
  if (isPublic) return say('console.applications.public');
  return hasKeys(keys) ? say('console.applications.withKey') : say('console.applications.withSecret');
}

/** Nobody uses the client id of a connection: it has that of its application. */
const ClientId = ({ of: { clientId, sharedClientId } }: { of: Application }) => <code>{sharedClientId ?? clientId}</code>;

export const ApplicationList = ({ ctx, found }: { ctx: PageContext; found: PageOf<Application> }) => (
  <>
    <p>
      {say('console.applications.about', { environment: ctx.environment, organization: ctx.organization.name })}{' '}
      <a href="/guides/oauth">{say('console.applications.guide')}</a>
    </p>
    <Table
      caption={say('console.applications.title')}
      rows={found.rows}
      empty={<p>{say('console.applications.none', { environment: ctx.environment })}</p>}
      columns={[
        [say('console.applications.name'), (row) => <a href={pathOf(ctx, SECTION, row.id)}>{row.name}</a>],
        [say('console.applications.clientId'), (row) => <ClientId of={row} />],
        [say('console.applications.kind'), kindOf],
        [say('console.applications.statusLabel'), (row) => <Status of={row} />],
        [say('console.applications.created'), (row) => <Time ctx={ctx} at={row.createdAt} />],
      ]}
    />
    <Pager ctx={ctx} counted={found} />
  </>
);

/** `projects`: names by id. */
type ApplicationViewProps = StepsProps & { groups: readonly ScopeGroup[]; projects: ReadonlyMap<string, string> };

export function ApplicationView({ ctx, application, groups, projects, now }: ApplicationViewProps) {
  const { status, heldByOperator, redirectUris, securityRules } = application;
  return (
    <>
      {status === 'approved' ? null : <p class="warning">{say('console.applications.statusNote', { status, heldByOperator })}</p>}
      <ApplicationSteps ctx={ctx} application={application} now={now} />
      <Facts
        facts={[
          [say('console.applications.name'), application.name],
          [say('console.applications.clientId'), <ClientId of={application} />],
          [say('console.applications.statusLabel'), <Status of={application} />],
          [say('console.applications.kind'), kindOf(application)],
          [say('console.applications.access'), <List items={application.grants.map(grantInWords)} />],
          [say('console.applications.redirects'), redirectUris.length === 0 ? null : <List items={codesOf(redirectUris)} />],
          [say('console.applications.rulesTitle'), securityRules.length === 0 ? null : <List items={securityRules.map(ruleInWords)} />],
          [told('Projects'), projectsShown(ctx, application.projectIds, projects)],
          ...ownLimitFacts(application),
          ...credentialFacts({ ctx, application, now }),
          [say('console.applications.created'), <Time ctx={ctx} at={application.createdAt} />],
          [say('console.applications.id'), <code>{application.id}</code>],
        ]}
      />
      <h2>{say('console.applications.permissions')}</h2>
      <p>{say('console.applications.permissionsAbout')}</p>
      <ScopeList groups={groups} />
    </>
  );
}

function credentialFacts({ ctx, application, now }: StepsProps) {
  const { publicKeys, jwksUri, secretHint, previousSecretExpiresAt } = application;
  if (jwksUri !== null) return [[say('console.applications.keys'), <code>{jwksUri}</code>] as const];
  if (publicKeys) return [[say('console.applications.keys'), <List items={codesOf(publicKeys.keys.map(({ kid }) => kid))} />] as const];
  if (secretHint === null) return [];
  const isOverlap = previousSecretExpiresAt !== null && Date.parse(previousSecretExpiresAt) > now.getTime();
  return [
    [say('console.applications.secret'), `…${secretHint}`] as const,
    ...(isOverlap ? [[say('console.applications.previousUntil'), <Time ctx={ctx} at={previousSecretExpiresAt} />] as const] : []),
  ];
}

const List = ({ items }: { items: readonly ComponentChildren[] }) => (
  <ul>
    {items.map((item) => (
      <li>{item}</li>
    ))}
  </ul>
);

const codesOf = (texts: readonly string[]) => texts.map((text) => <code>{text}</code>);

export const issuedOf = ({ row: { id, clientId }, clientSecret }: IssuedApplication) => ({ id, clientId, clientSecret });
export type Issued = ReturnType<typeof issuedOf>;

/** The only page that ever shows a secret. */
export const IssuedView = ({ ctx, issued: { id, clientId, clientSecret } }: { ctx: PageContext; issued: Issued }) => (
  <>
    <Note tone="warning">{say('console.applications.copySecret')}</Note>
    <h2>{say('console.applications.clientId')}</h2>
    <Copyable label={say('console.applications.theClientId')} text={clientId} />
    <h2>{say('console.applications.clientSecret')}</h2>
    <Copyable label={say('console.applications.theClientSecret')} text={clientSecret ?? ''} />
    <p>
      <PlainLink to={pathOf(ctx, 'applications', id)} label={say('console.applications.copied')} />
    </p>
  </>
);
