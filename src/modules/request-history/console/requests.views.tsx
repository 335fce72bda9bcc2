import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Badge, Facts, Time } from '../../../api/console/parts/facts.js';
import { TextField } from '../../../api/console/parts/fields.js';
import { Filters, Table } from '../../../api/console/parts/list.js';
import { formOf } from '../../../api/console/form.js';
import type { ApiRequest } from '../api-request.entity.js';
import { KEPT_DAYS, KEPT_PER_SECOND } from '../history-bounds.js';
import type { HistoryPage } from '../request-history.service.js';

const Status = ({ status }: { status: number }) => <Badge tone={status < 400 ? 'good' : 'bad'}>{status}</Badge>;

export function RequestList({ ctx, found, operations }: { ctx: PageContext; found: HistoryPage; operations: readonly string[] }) {
  const state = formOf(Object.fromEntries(ctx.query));
  return (
    <>
      <p>
        What programs asked the API in the last {KEPT_DAYS} days, without what they sent. Of many calls in a second, {KEPT_PER_SECOND} that
        succeeded and as many that failed are kept.
      </p>
      <Filters
        ctx={ctx}
        selects={[
          ['outcome', 'Outcome', OUTCOMES],
          ['operation', 'Operation', operations.map((id) => [id, id] as const)],
        ]}
      >
        <TextField state={state} name="request" label="Request id" type="search" maxLength={128} />
      </Filters>
      <Table
        caption="Requests"
        rows={found.requests}
        empty={<p>No call is here, or none that you looked for.</p>}
        columns={[
          ['Time', (request) => <Time ctx={ctx} at={request.answeredAt} />],
          ['Call', (request) => <Call ctx={ctx} request={request} />],
          ['Status', (request) => <Status status={request.status} />],
          ['Problem', (request) => request.problem ?? ''],
          ['Duration', (request) => `${request.durationMs} ms`, 'number'],
          ['Credential', (request) => request.credentialName],
        ]}
      />
      {found.next === undefined ? null : (
        <p>
          <a rel="next" href={olderThan(ctx, found.next)}>
            Older
          </a>
        </p>
      )}
    </>
  );
}

const OUTCOMES = [
  ['failed', 'Failed'],
  ['succeeded', 'Succeeded'],
] as const;

const Call = ({ ctx, request }: { ctx: PageContext; request: ApiRequest }) => (
  <a href={pathOf(ctx, 'requests', request.id)}>
    {request.method} {request.path}
  </a>
);

function olderThan(ctx: PageContext, id: string): string {
  const query = new URLSearchParams(ctx.query);
  query.set('before', id);
  return `${ctx.path}?${query.toString()}`;
}

export function RequestView({ ctx, request }: { ctx: PageContext; request: ApiRequest }) {
  const { status, problem } = request;
  return (
    <Facts
      facts={[
        ['Status', <Status status={status} />],
        ['Problem', problem === null ? null : <a href={`/problems/${problem}`}>{problem}</a>],
        ['Operation', request.operation],
        ['Duration', `${request.durationMs} ms`],
        ['Time', <Time ctx={ctx} at={request.answeredAt} />],
        ['Request id', <code>{request.requestId}</code>],
        ['Credential', <CredentialLink ctx={ctx} request={request} />],
        ['Address', request.ipAddress],
      ]}
    />
  );
}

const CredentialLink = ({ ctx, request }: { ctx: PageContext; request: ApiRequest }) => (
  <>
    {request.credentialName} (<a href={`${pathOf(ctx, 'requests')}?key=${encodeURIComponent(request.credentialId)}`}>all its calls</a>)
  </>
);
