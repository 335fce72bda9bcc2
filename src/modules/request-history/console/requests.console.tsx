import { Param } from '@nestjs/common';
import { ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type PageContext, PageCtx, pathOf, type Answer, goTo, page, titledPage } from '../../../api/console/page.js';
import { Badge, Facts, Time } from '../../../api/console/parts/facts.js';
import { TextField } from '../../../api/console/parts/fields.js';
import { Filters, hrefWith, PAGE_SIZE, Table } from '../../../api/console/parts/list.js';
import { say } from '../../../api/console/say.js';
import { type Found, SearchSource } from '../../../api/console/ports.js';
import { Registry } from '../../../api/operation/registry.js';
import { ENVIRONMENTS } from '../../../kernel/context.js';
import { Implements } from '../../../store/discovery/ports.js';
import { type ApiRequest, KEPT_PER_SECOND } from '../api-request.entity.js';
import { type HistoryPage, RequestHistoryService } from '../request-history.service.js';

const Status = ({ status }: { status: number }) => <Badge tone={status < 400 ? 'good' : 'bad'}>{status}</Badge>;

type ListProps = { ctx: PageContext; found: HistoryPage; operations: readonly string[]; kept: string };

function RequestList({ ctx, found, operations, kept }: ListProps) {
  const state = formOf(Object.fromEntries(ctx.query));
  return (
    <>
      <p>{say('console.requests.about', { kept, most: KEPT_PER_SECOND })}</p>
      <Filters
        ctx={ctx}
        selects={[
          ['outcome', say('console.requests.outcome'), OUTCOMES.map((one) => [one, say(`console.requests.outcomes.${one}`)] as const)],
          ['operation', say('console.requests.operation'), operations.map((id) => [id, id] as const)],
        ]}
      >
        <TextField state={state} name="request" label={say('console.requests.requestId')} type="search" maxLength={128} />
      </Filters>
      <Table
        caption={say('console.requests.title')}
        rows={found.requests}
        empty={<p>{say('console.requests.none')}</p>}
        columns={[
          [say('console.requests.time'), (request) => <Time ctx={ctx} at={request.answeredAt} seconds />],
          [say('console.requests.call'), (request) => <Call ctx={ctx} request={request} />],
          [say('console.requests.status'), (request) => <Status status={request.status} />],
          [say('console.requests.problem'), (request) => (request.problem === null ? '' : <code>{request.problem}</code>)],
          [say('console.requests.duration'), (request) => `${request.durationMs} ms`, 'number'],
          [say('console.requests.credential'), credentialOf],
        ]}
      />
      {found.next === undefined ? null : (
        <p>
          <a rel="next" href={hrefWith(ctx, 'before', found.next)}>
            {say('console.requests.older')}
          </a>
        </p>
      )}
    </>
  );
}

const OUTCOMES = ['failed', 'succeeded'] as const;
/** Their ends tell them apart. */
const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{6}([0-9a-f]{6})/g;

const Call = ({ ctx, request }: { ctx: PageContext; request: ApiRequest }) => (
  <a href={pathOf(ctx, 'requests', request.id)} title={request.path}>
    {request.method} {request.path.replace(IDS, '…$1')}
  </a>
);

function RequestView({ ctx, request }: { ctx: PageContext; request: ApiRequest }) {
  const { problem } = request;
  return (
    <Facts
      facts={[
        [
          say('console.requests.problem'),
          problem === null ? null : (
            <a href={`/problems/${problem}`}>
              <code>{problem}</code>
            </a>
          ),
        ],
        [say('console.requests.call'), <code>{`${request.method} ${request.path}`}</code>],
        [say('console.requests.operation'), <code>{request.operation}</code>],
        [say('console.requests.duration'), `${request.durationMs} ms`],
        [say('console.requests.time'), <Time ctx={ctx} at={request.answeredAt} seconds />],
        [say('console.requests.requestId'), <code>{request.requestId}</code>],
        [say('console.requests.credential'), <CredentialLink ctx={ctx} request={request} />],
        [say('console.requests.address'), request.ipAddress],
      ]}
    />
  );
}

/** With the client of a tool, as the audit log has it. */
const credentialOf = ({ credentialName, client }: ApiRequest): string =>
  client === null ? credentialName : `${credentialName} (${client})`;

const CredentialLink = ({ ctx, request }: { ctx: PageContext; request: ApiRequest }) => (
  <>
    {credentialOf(request)} (
    <a href={`${pathOf(ctx, 'requests')}?key=${encodeURIComponent(request.credentialId)}`}>{say('console.requests.allItsCalls')}</a>)
  </>
);

const SECTION = 'requests';

@ConsoleSection({ path: SECTION, label: 'Requests', group: 'Developers', order: 0, shows: 'nothing' })
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
    const outcome = OUTCOMES.find((one) => one === of('outcome'));
    const filter = { failed: outcome && outcome === 'failed', operation: of('operation'), credentialId: of('key') };
    const found = await this.history.list(ctx, { ...filter, before: of('before') }, PAGE_SIZE);
    return this.listPage(ctx, found, this.registry.operations.map(({ id }) => id).sort());
  }

  @Page({ route: 'GET /:request_id', role: 'member' })
  async show(@PageCtx() ctx: PageContext, @Param('request_id') id: string): Promise<Answer> {
    const request = await this.history.get(ctx, id);
    const beside = { up: [pathOf(ctx, SECTION), say('console.requests.title')], badge: <Status status={request.status} /> } as const;
    return titledPage(`${request.method} ${request.path.replace(IDS, '…$1')}`, beside, <RequestView ctx={ctx} request={request} />);
  }

  /** A search for one call leads to it, also from a page of a problem, which knows no environment. */
  private async found(ctx: PageContext, requestId: string): Promise<Answer> {
    const requests = await this.history.withRequestId(ctx, requestId);
    if (requests.length === 1) return goTo(pathOf(ctx, SECTION, requests[0]!.id));
    const environment = ENVIRONMENTS.find((one) => one !== ctx.environment)!;
    if (requests.length === 0 && (await this.history.withRequestId({ ...ctx, environment }, requestId)).length > 0)
      return goTo(`${pathOf({ environment }, SECTION)}?request=${encodeURIComponent(requestId)}`);
    return this.listPage(ctx, { requests, next: undefined }, []);
  }

  private listPage(ctx: PageContext, found: HistoryPage, operations: readonly string[]): Answer {
    return page(say('console.requests.title'), <RequestList ctx={ctx} found={found} operations={operations} kept={this.history.kept} />);
  }
}

const LONGEST_ID = 128;

/** Calls are found by their request ids, which callers choose. */
@Implements(SearchSource)
export class RequestSearch implements SearchSource {
  readonly label = 'Requests';
  readonly order = 60;

  constructor(private readonly history: RequestHistoryService) {}

  async find(ctx: PageContext, text: string): Promise<readonly Found[]> {
    if (text.length > LONGEST_ID) return [];
    const requests = await this.history.withRequestId(ctx, text);
    return requests.map(({ id, method, path, status }) => ({
      title: `${method} ${path}`,
      about: `${status}`,
      path: pathOf(ctx, 'requests', id),
    }));
  }
}
