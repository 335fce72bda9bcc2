import type { ScopeGroup } from '../../../api/access/scopes.js';
import { pathOf, type PageContext } from '../../../api/console/page.js';
import { Badge, Copyable, Facts, LinkButton, Time, type Tone } from '../../../api/console/parts/facts.js';
import { Pager, Table } from '../../../api/console/parts/list.js';
import { ScopeList } from '../../../api/console/parts/scope-list.js';
import { say } from '../../../api/console/say.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { Application, ApplicationStatus } from '../applications/application.entity.js';
import type { IssuedApplication } from '../applications/applications.service.js';
import { ApplicationSteps, grantInWords } from './application-form.js';

export const SECTION = 'applications';
const TONES: Record<ApplicationStatus, Tone> = { pending: 'busy', approved: 'good', suspended: 'bad' };

const Status = ({ of: { status, heldByOperator } }: { of: Application }) => (
  <>
    <Badge tone={TONES[status]}>{say(`console.applications.status.${status}`)}</Badge>
    {heldByOperator ? <span class="hint"> {say('console.applications.byOperator')}</span> : null}
  </>
);

function kindOf({ isPublic, publicKeys, sharedClientId }: Application): string {
  if (sharedClientId !== null) return say('console.applications.shared');
  if (isPublic) return say('console.applications.public');
  return publicKeys ? say('console.applications.withKey') : say('console.applications.withSecret');
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

interface ApplicationViewProps {
  readonly ctx: PageContext;
  readonly application: Application;
  readonly groups: readonly ScopeGroup[];
  readonly now: Date;
}

export function ApplicationView({ ctx, application, groups, now }: ApplicationViewProps) {
  return (
    <>
      <StatusNote application={application} />
      <ApplicationSteps ctx={ctx} application={application} now={now} />
      <Facts
        facts={[
          [say('console.applications.name'), application.name],
          [say('console.applications.clientId'), <ClientId of={application} />],
          [say('console.applications.statusLabel'), <Status of={application} />],
          [say('console.applications.kind'), kindOf(application)],
          [say('console.applications.access'), <List items={application.grants.map(grantInWords)} />],
          [
            say('console.applications.redirects'),
            application.redirectUris.length === 0 ? null : <Codes items={application.redirectUris} />,
          ],
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

function credentialFacts({ ctx, application, now }: Omit<ApplicationViewProps, 'groups'>) {
  const { publicKeys, secretHint, previousSecretExpiresAt } = application;
  if (publicKeys) return [[say('console.applications.keys'), <Codes items={publicKeys.keys.map(({ kid }) => kid)} />] as const];
  if (secretHint === null) return [];
  const isOverlap = previousSecretExpiresAt !== null && Date.parse(previousSecretExpiresAt) > now.getTime();
  return [
    [say('console.applications.secret'), `…${secretHint}`] as const,
    ...(isOverlap ? [[say('console.applications.previousUntil'), <Time ctx={ctx} at={previousSecretExpiresAt} />] as const] : []),
  ];
}

function StatusNote({ application: { status, heldByOperator } }: { application: Application }) {
  if (status === 'approved') return null;
  return <p class="warning">{say('console.applications.statusNote', { status, heldByOperator })}</p>;
}

const List = ({ items }: { items: readonly string[] }) => (
  <ul>
    {items.map((item) => (
      <li>{item}</li>
    ))}
  </ul>
);

const Codes = ({ items }: { items: readonly string[] }) => (
  <ul>
    {items.map((item) => (
      <li>
        <code>{item}</code>
      </li>
    ))}
  </ul>
);

export interface Issued {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
}

export const issuedOf = ({ row: { id, clientId }, clientSecret }: IssuedApplication): Issued => ({ id, clientId, clientSecret });

/** The only page that ever shows a secret. */
export const IssuedView = ({ ctx, issued: { id, clientId, clientSecret } }: { ctx: PageContext; issued: Issued }) => (
  <>
    <p class="warning" role="status">
      {say('console.applications.copySecret')}
    </p>
    <h2>{say('console.applications.clientId')}</h2>
    <Copyable label={say('console.applications.theClientId')} text={clientId} />
    <h2>{say('console.applications.clientSecret')}</h2>
    <Copyable label={say('console.applications.theClientSecret')} text={clientSecret ?? ''} />
    <p>
      <LinkButton plain to={pathOf(ctx, 'applications', id)}>
        {say('console.applications.copied')}
      </LinkButton>
    </p>
  </>
);
