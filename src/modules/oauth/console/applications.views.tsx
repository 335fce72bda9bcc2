import type { ScopeGroup } from '../../../api/access/scope-groups.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Badge, Copyable, Facts, Time, type Tone } from '../../../api/console/parts/facts.js';
import { Pager, Table } from '../../../api/console/parts/list.js';
import { ScopeList } from '../../../api/console/parts/scope-list.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { Application, ApplicationStatus } from '../applications/application.entity.js';
import type { IssuedApplication } from '../applications/applications.service.js';
import { ApplicationSteps, GRANT_WORDS } from './application-form.js';

export const SECTION = 'applications';

const STATUSES: Record<ApplicationStatus, readonly [word: string, tone: Tone]> = {
  pending: ['Pending', 'busy'],
  approved: ['Approved', 'good'],
  suspended: ['Suspended', 'bad'],
};

function Status({ of: { status, heldByOperator } }: { of: Application }) {
  const [word, tone] = STATUSES[status];
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {heldByOperator ? <span class="hint"> by the operator</span> : null}
    </>
  );
}

function kindOf({ isPublic, publicKeys, sharedClientId }: Application): string {
  if (sharedClientId !== null) return 'Serves every organization';
  if (isPublic) return 'Public';
  return publicKeys ? 'Confidential, with a key' : 'Confidential, with a secret';
}

/** Nobody uses the client id of a connection: it has that of its application. */
const ClientId = ({ of: { clientId, sharedClientId } }: { of: Application }) => <code>{sharedClientId ?? clientId}</code>;

export const ApplicationList = ({ ctx, found }: { ctx: PageContext; found: PageOf<Application> }) => (
  <>
    <p>
      An application calls the API with OAuth: for users who allow it, or for itself. These are for the {ctx.environment} data of{' '}
      {ctx.organization.name}. <a href="/guides/oauth">How partners use it</a>
    </p>
    <Table
      caption="Applications"
      rows={found.rows}
      empty={<p>There is no application for the {ctx.environment} data yet.</p>}
      columns={[
        ['Name', (row) => <a href={pathOf(ctx, SECTION, row.id)}>{row.name}</a>],
        ['Client id', (row) => <ClientId of={row} />],
        ['Kind', kindOf],
        ['Status', (row) => <Status of={row} />],
        ['Created', (row) => <Time ctx={ctx} at={row.createdAt} />],
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
          ['Name', application.name],
          ['Client id', <ClientId of={application} />],
          ['Status', <Status of={application} />],
          ['Kind', kindOf(application)],
          ['How it gets access', <List items={application.grants.map((grant) => GRANT_WORDS[grant])} />],
          ['Redirect addresses', application.redirectUris.length === 0 ? null : <Codes items={application.redirectUris} />],
          ...credentialFacts({ ctx, application, now }),
          ['Created', <Time ctx={ctx} at={application.createdAt} />],
          ['Id', <code>{application.id}</code>],
        ]}
      />
      <h2>Permissions</h2>
      <p>With a user, it may do at most what the user allowed.</p>
      <ScopeList groups={groups} />
    </>
  );
}

function credentialFacts({ ctx, application, now }: Omit<ApplicationViewProps, 'groups'>) {
  const { publicKeys, secretHint, previousSecretExpiresAt } = application;
  if (publicKeys) return [['Keys', <Codes items={publicKeys.keys.map(({ kid }) => kid)} />] as const];
  if (secretHint === null) return [];
  const isOverlap = previousSecretExpiresAt !== null && Date.parse(previousSecretExpiresAt) > now.getTime();
  return [
    ['Secret', `…${secretHint}`] as const,
    ...(isOverlap ? [['Previous secret works until', <Time ctx={ctx} at={previousSecretExpiresAt} />] as const] : []),
  ];
}

function StatusNote({ application: { status, heldByOperator } }: { application: Application }) {
  if (status === 'approved') return null;
  const what = status === 'pending' ? 'It gets no access until it is approved.' : 'It gets no access, and its tokens do not work.';
  const who = heldByOperator ? 'Only the operator of the service can approve it.' : 'An owner or admin can approve it.';
  return (
    <p class="warning">
      {what} {who}
    </p>
  );
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

/** An application and its secret, as they are shown once. */
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
      Copy the secret now and keep it where your program finds it. It is not shown again.
    </p>
    <h2>Client id</h2>
    <Copyable label="The client id" text={clientId} />
    <h2>Client secret</h2>
    <Copyable label="The client secret" text={clientSecret ?? ''} />
    <p>
      <a class="button plain" href={pathOf(ctx, 'applications', id)}>
        I have copied it
      </a>
    </p>
  </>
);
