import { Readable } from 'node:stream';
import { Assets } from '../../../api/console/assets.js';
import { orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, goTo, PageCtx, pathOf, download, page, titledPage } from '../../../api/console/page.js';
import type { FormState, PageContext, Answer } from '../../../api/console/page.js';
import { say, told } from '../../../api/console/say.js';
import { withoutFormulas } from '../../../kernel/formula.js';
import { Problem } from '../../../kernel/problems.js';
import { AuditBrowsing, AuditService, headIn, positionIn, readPosition, wantedIn } from '../audit.service.js';
import { DESTINATION_KINDS } from '../stream/destination.entity.js';
import { LogDestinations } from '../stream/destinations.service.js';
import { LogStream } from '../stream/log-stream.service.js';
import { Witnesses } from '../tree/witnesses.service.js';
import { AUDIT_PLAN, type AuditEventDto } from '../audit.dto.js';
import { DestinationList } from './destinations.view.js';
import { WitnessList } from './witnesses.view.js';
import { EventActions, EventList, ExportForm, type Verified, VerifyHere, VerifyView } from './audit.views.js';

const MEDIA_TYPES = { jsonl: 'application/jsonl', csv: 'text/csv; charset=utf-8' };
type FileFormat = keyof typeof MEDIA_TYPES;

const COLUMNS: Readonly<Record<string, (event: AuditEventDto) => string | number | null>> = {
  sequence: ({ sequence }) => sequence,
  createdAt: ({ createdAt }) => createdAt,
  occurredAt: ({ occurredAt }) => occurredAt,
  environment: ({ environment }) => environment,
  action: ({ action }) => action,
  actorType: ({ actor }) => actor.type,
  actorId: ({ actor }) => actor.id,
  actorName: ({ actor }) => actor.name,
  resourceType: ({ resource }) => resource.type,
  resourceId: ({ resource }) => resource.id,
  ipAddress: ({ ipAddress }) => ipAddress,
  requestId: ({ requestId }) => requestId,
  changes: ({ changes }) => JSON.stringify(changes),
  id: ({ id }) => id,
  hash: ({ hash }) => hash,
};

/** Without it, Excel reads UTF-8 as the code page of the machine. */
const BYTE_ORDER_MARK = '\ufeff';

/** Events as a file, which is written while it is sent. JSON Lines have each event as the API returns it, so they can be verified. */
const fileOf = (events: AsyncIterable<readonly AuditEventDto[]>, format: FileFormat): Readable =>
  Readable.from(format === 'csv' ? csv(events) : jsonLines(events));

async function* jsonLines(pages: AsyncIterable<readonly AuditEventDto[]>): AsyncGenerator<string> {
  for await (const events of pages) yield events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

async function* csv(pages: AsyncIterable<readonly AuditEventDto[]>): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${Object.keys(COLUMNS).join(',')}\r\n`;
  for await (const events of pages) yield events.map(rowOf).join('');
}

function rowOf(event: AuditEventDto): string {
  const fields = Object.values(COLUMNS).map((valueIn) => fieldOf(String(valueIn(event) ?? '')));
  return `${fields.join(',')}\r\n`;
}

function fieldOf(value: string): string {
  const text = withoutFormulas(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const SECTION = 'audit';
type FourTexts = [string, string, string, string];
/** A request must end: a log of more events is verified with its exported file, or by the operator. */
export const VERIFIED_MAX = 200_000;
const ROWS_PER_READ = 10_000;

@ConsoleSection({ path: SECTION, label: 'Audit log', group: 'Organization', order: 3, operation: 'audit.list' })
export class AuditConsole {
  constructor(
    private readonly browsing: AuditBrowsing,
    private readonly audit: AuditService,
    private readonly witnesses: Witnesses,
    private readonly destinations: LogDestinations,
    private readonly stream: LogStream,
    private readonly assets: Assets,
  ) {}

  @Page({ route: 'GET /', operation: 'audit.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const wanted = wantedIn((name) => ctx.query.get(name));
    const found = await this.browsing.newest(ctx, wanted, positionIn(ctx));
    return titledPage(told('Audit log'), { actions: <EventActions ctx={ctx} /> }, <EventList ctx={ctx} found={found} />);
  }

  @Page({ route: 'GET /export', operation: 'audit.list' })
  exportForm(@PageCtx() ctx: PageContext): Answer {
    const state = formOf({ format: 'jsonl', ...Object.fromEntries(ctx.query) });
    return page(say('console.audit.exportTitle'), <ExportForm ctx={ctx} state={state} />);
  }

  @Action({ route: 'POST /export', role: 'admin', reads: { action: 'organization.log_exported' } })
  export(@PageCtx() ctx: PageContext): Answer {
    requirePlan(ctx);
    const format = ctx.form.text('format') === 'csv' ? 'csv' : 'jsonl';
    const wanted = wantedIn((name) => ctx.form.text(name));
    const events = this.browsing.all(ctx, wanted);
    return download(`audit-log-${ctx.organization.slug}-${ctx.environment}.${format}`, MEDIA_TYPES[format], fileOf(events, format));
  }

  @Page({ route: 'GET /verify', operation: 'audit.list' })
  verifyForm(@PageCtx() ctx: PageContext): Answer {
    return this.verifyPage(ctx, formOf());
  }

  @Action({ route: 'POST /verify', role: 'admin' })
  verify(@PageCtx() ctx: PageContext): Promise<Answer> {
    requirePlan(ctx);
    const verify = async (): Promise<Answer> => {
      const noted = headIn(ctx.form.text('head'));
      const { sequence } = await this.audit.sealedHead(ctx.organizationId);
      const verified = sequence > VERIFIED_MAX ? { tooMany: sequence } : { verdict: await this.audit.verify(ctx.organizationId, noted) };
      return this.verifyPage(ctx, formOf({ head: ctx.form.text('head') }), verified);
    };
    return orAgain(ctx, verify, (state) => this.verifyPage(ctx, state));
  }

  /** For the browser that verifies the chain itself, which is one for both environments: so the address is that of live data. */
  @Action({ route: 'POST /verify/rows', role: 'admin', reads: { action: 'organization.log_exported' } })
  rows(@PageCtx() ctx: PageContext): Answer {
    requirePlan(ctx);
    if (ctx.environment !== 'live')
      throw new Problem('not_found', { detail: 'The chain is one for both environments. Ask with live data.' });
    const events = this.browsing.all(ctx, {}, { after: readPosition(ctx.form.text('after')), limit: ROWS_PER_READ });
    return download('audit-log.jsonl', MEDIA_TYPES.jsonl, fileOf(events, 'jsonl'));
  }

  @Page({ route: 'GET /witnesses', role: 'owner' })
  witnessesPage(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.showWitnesses(ctx, formOf());
  }

  @Action({ route: 'POST /witnesses', role: 'owner', records: ['organization.witness_added'] })
  addWitness(@PageCtx() ctx: PageContext): Promise<Answer> {
    requirePlan(ctx);
    const [key, url] = [ctx.form.text('witness'), ctx.form.text('url')];
    const add = async (): Promise<Answer> => {
      await this.witnesses.add(ctx.actor, ctx.organizationId, key.trim(), url.trim());
      return goTo(pathOf(ctx, SECTION, 'witnesses'), say('console.audit.witnesses.added'));
    };
    return orAgain(ctx, add, (state) => this.showWitnesses(ctx, state));
  }

  @Action({ route: 'POST /witnesses/remove', role: 'owner', records: ['organization.witness_removed'] })
  async removeWitness(@PageCtx() ctx: PageContext): Promise<Answer> {
    await this.witnesses.remove(ctx.actor, ctx.organizationId, ctx.form.text('witness'));
    return goTo(pathOf(ctx, SECTION, 'witnesses'), say('console.audit.witnesses.removed'));
  }

  @Page({ route: 'GET /destinations', role: 'owner' })
  destinationsPage(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.showDestinations(ctx, formOf());
  }

  @Action({ route: 'POST /destinations', role: 'owner', records: ['organization.log_destination_added'] })
  addDestination(@PageCtx() ctx: PageContext): Promise<Answer> {
    requirePlan(ctx);
    const [url, name, region, secret] = ['url', 'name', 'region', 'secret'].map((field) => ctx.form.text(field).trim()) as FourTexts;
    const kind = DESTINATION_KINDS.find((known) => known === ctx.form.text('kind')) ?? 'https';
    const add = async (): Promise<Answer> => {
      await this.destinations.add(ctx.actor, ctx.organizationId, { kind, url, name, region: kind === 's3' ? region : null, secret });
      return goTo(pathOf(ctx, SECTION, 'destinations'), say('console.audit.destinations.added'));
    };
    return orAgain(ctx, add, (state) => this.showDestinations(ctx, state));
  }

  @Action({ route: 'POST /destinations/try', role: 'owner' })
  tryDestination(@PageCtx() ctx: PageContext): Promise<Answer> {
    requirePlan(ctx);
    const send = async (): Promise<Answer> => {
      await this.stream.sendNow(ctx.organizationId, ctx.form.text('destination'));
      return goTo(pathOf(ctx, SECTION, 'destinations'), say('console.audit.destinations.works'));
    };
    return orAgain(ctx, send, (state) => this.showDestinations(ctx, state));
  }

  @Action({ route: 'POST /destinations/remove', role: 'owner', records: ['organization.log_destination_removed'] })
  async removeDestination(@PageCtx() ctx: PageContext): Promise<Answer> {
    await this.destinations.remove(ctx.actor, ctx.organizationId, ctx.form.text('destination'));
    return goTo(pathOf(ctx, SECTION, 'destinations'), say('console.audit.destinations.removed'));
  }

  private async showWitnesses(ctx: PageContext, state: FormState): Promise<Answer> {
    const found = await this.witnesses.ofOrganization(ctx.organizationId);
    return page(say('console.audit.witnesses.title'), <WitnessList ctx={ctx} state={state} found={found} />, state.problem?.status ?? 200);
  }

  private async showDestinations(ctx: PageContext, state: FormState): Promise<Answer> {
    const list = <DestinationList ctx={ctx} state={state} found={await this.destinations.ofOrganization(ctx.organizationId)} />;
    return page(say('console.audit.destinations.title'), list, state.problem?.status ?? 200);
  }

  private verifyPage(ctx: PageContext, state: FormState, verified?: Verified): Answer {
    const scripts = { start: this.assets.pathOf('verify-log.js'), verifier: this.assets.pathOf('verify-chain.js') };
    const body = [<VerifyView ctx={ctx} state={state} verified={verified} />, <VerifyHere ctx={ctx} scripts={scripts} />];
    return page(say('console.audit.verifyTitle'), body, state.problem?.status ?? 200);
  }
}

/** Its callers read, so they can name no operation, which would say this. */
export function requirePlan({ organization }: PageContext): void {
  if (organization.includes(AUDIT_PLAN)) return;
  throw new Problem('plan_required', { detail: `This needs the plan ${AUDIT_PLAN}.` });
}
