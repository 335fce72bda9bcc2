import { Param } from '@nestjs/common';
import { ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf } from '../../../api/console/form.js';
import { type PageContext, PageCtx, pathOf } from '../../../api/console/page-context.js';
import { type Answer, goTo, page, titledPage } from '../../../api/console/page.js';
import { Badge, Facts, Time } from '../../../api/console/parts/facts.js';
import { TextField } from '../../../api/console/parts/fields.js';
import { Filters, PAGE_SIZE, Table } from '../../../api/console/parts/list.js';
import { Registry } from '../../../api/operation/registry.js';
import { type ApiRequest, KEPT_PER_SECOND } from '../api-request.entity.js';
import { type HistoryPage, RequestHistoryService } from '../request-history.service.js';

const Status = ({ status }: { status: number }) => <Badge tone={status < 400 ? 'good' : 'bad'}>{status}</Badge>;

interface ListProps {
  readonly ctx: PageContext;
  readonly found: HistoryPage;
  readonly operations: readonly string[];
  /** Which calls are kept, and for how long. */
  readonly kept: string;
}

function RequestList({ ctx, found, operations, kept }: ListProps) {
  const state = formOf(Object.fromEntries(ctx.query));
  return (
    <>
      <p>
        What programs asked the API, without what they sent: {kept}. Of each second, at most {KEPT_PER_SECOND} calls that succeeded and{' '}
        {KEPT_PER_SECOND} that failed are kept. Usage counts all calls.
      </p>
      <Filters
        ctx={ctx}
        selects={[
          ['outcome', 'Outcome', OUTCOME_CHOICES],
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
          ['Time', (request) => <Time ctx={ctx} at={request.answeredAt} seconds />],
          ['Call', (request) => <Call ctx={ctx} request={request} />],
          ['Status', (request) => <Status status={request.status} />],
          ['Problem', (request) => (request.problem === null ? '' : <code>{request.problem}</code>)],
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

const OUTCOME_CHOICES = [
  ['failed', 'Failed'],
  ['succeeded', 'Succeeded'],
] as const;

const Call = ({ ctx, request }: { ctx: PageContext; request: ApiRequest }) => (
  <a href={pathOf(ctx, 'requests', request.id)} title={request.path}>
    {request.method} {request.path.replace(IDS, '…$1')}
  </a>
);
/** Their ends tell them apart. */
const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{6}([0-9a-f]{6})/g;

function olderThan(ctx: PageContext, id: string): string {
  const query = new URLSearchParams(ctx.query);
  query.set('before', id);
  return `${ctx.path}?${query.toString()}`;
}

function RequestView({ ctx, request }: { ctx: PageContext; request: ApiRequest }) {
  const { problem } = request;
  return (
    <Facts
      facts={[
        [
          'Problem',
          problem === null ? null : (
            <a href={`/problems/${problem}`}>
              <code>{problem}</code>
            </a>
          ),
        ],
        ['Call', <code>{`${request.method} ${request.path}`}</code>],
        ['Operation', <code>{request.operation}</code>],
        ['Duration', `${request.durationMs} ms`],
        ['Time', <Time ctx={ctx} at={request.answeredAt} seconds />],
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

const SECTION = 'requests';

@ConsoleSection({ path: SECTION, label: 'Requests', group: 'Developers', order: 0 })
export class RequestsConsole {
  constructor(
    private readonly history: RequestHistoryService,
    private readonly registry: Registry,
  ) {}

  @Page({ route: 'GET /', role: 'member' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const of = (name: string): string | undefined => ctx.query.get(name)?.trim() || undefined;
    const requestId = of('request');
    if (requestId !== undefined) return this.found(ctx, requestId);
    const filter = { failed: OUTCOMES[of('outcome') ?? ''], operation: of('operation'), credentialId: of('key') };
    const found = await this.history.list(ctx, filter, of('before'), PAGE_SIZE);
    return page(
      'Requests',
      <RequestList ctx={ctx} found={found} operations={this.registry.operations.map(({ id }) => id).sort()} kept={this.history.kept} />,
    );
  }

  @Page({ route: 'GET /:request_id', role: 'member' })
  async show(@PageCtx() ctx: PageContext, @Param('request_id') id: string): Promise<Answer> {
    const request = await this.history.get(ctx, id);
    const beside = { up: [pathOf(ctx, SECTION), 'Requests'], badge: <Status status={request.status} /> } as const;
    return titledPage(`${request.method} ${request.path.replace(IDS, '…$1')}`, beside, <RequestView ctx={ctx} request={request} />);
  }

  /** A search for one call leads to it. */
  private async found(ctx: PageContext, requestId: string): Promise<Answer> {
    const requests = await this.history.withRequestId(ctx, requestId);
    if (requests.length === 1) return goTo(pathOf(ctx, SECTION, requests[0]!.id));
    return page('Requests', <RequestList ctx={ctx} found={{ requests, next: undefined }} operations={[]} kept={this.history.kept} />);
  }
}

/** What the filter by outcome asks for. */
const OUTCOMES: Readonly<Record<string, boolean | undefined>> = { failed: true, succeeded: false };
