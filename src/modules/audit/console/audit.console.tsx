import { Param } from '@nestjs/common';
import { Readable } from 'node:stream';
import { Assets } from '../../../api/console/assets.js';
import { orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, PageCtx, pathOf, download, page, titledPage } from '../../../api/console/page.js';
import type { FormState, PageContext, Answer } from '../../../api/console/page.js';
import { say, told } from '../../../api/console/say.js';
import { withoutFormulas } from '../../../kernel/formula.js';
import { Problem } from '../../../kernel/problems.js';
import { AuditBrowsing, AuditService, headIn, positionIn, readPosition, wantedIn } from '../audit.service.js';
import { AUDIT_PLAN } from '../audit.dto.js';
import type { AuditEventDto } from '../audit.dto.js';
import { actionInWords, EventActions, EventList, EventView, ExportForm, type Verified, VerifyHere, VerifyView } from './audit.views.js';

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
/** A request must end: a log of more events is verified with its exported file, or by the operator. */
export const VERIFIED_MAX = 200_000;
const ROWS_PER_READ = 10_000;

@ConsoleSection({ path: SECTION, label: 'Audit log', group: 'Organization', order: 3, operation: 'audit.list' })
export class AuditConsole {
  constructor(
    private readonly browsing: AuditBrowsing,
    private readonly audit: AuditService,
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

  @Action({ route: 'POST /export', role: 'admin' })
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
  @Action({ route: 'POST /verify/rows', role: 'admin' })
  rows(@PageCtx() ctx: PageContext): Answer {
    requirePlan(ctx);
    if (ctx.environment !== 'live')
      throw new Problem('not_found', { detail: 'The chain is one for both environments. Ask with live data.' });
    const events = this.browsing.all(ctx, {}, { after: readPosition(ctx.form.text('after')), limit: ROWS_PER_READ });
    return download('audit-log.jsonl', MEDIA_TYPES.jsonl, fileOf(events, 'jsonl'));
  }

  @Page({ route: 'GET /:event_id', operation: 'audit.list' })
  async show(@PageCtx() ctx: PageContext, @Param('event_id') id: string): Promise<Answer> {
    const event = await this.browsing.get(ctx, id);
    const up = [pathOf(ctx, SECTION), told('Audit log')] as const;
    return titledPage(actionInWords(event.action), { up }, <EventView ctx={ctx} event={event} />);
  }

  private verifyPage(ctx: PageContext, state: FormState, verified?: Verified): Answer {
    const scripts = { start: this.assets.pathOf('verify-log.js'), verifier: this.assets.pathOf('verify-chain.js') };
    const body = [<VerifyView ctx={ctx} state={state} verified={verified} />, <VerifyHere ctx={ctx} scripts={scripts} />];
    return page(say('console.audit.verifyTitle'), body, state.problem?.status ?? 200);
  }
}

/** Its callers read, so they can name no operation, which would say this. */
function requirePlan({ organization }: PageContext): void {
  if (organization.includes(AUDIT_PLAN)) return;
  throw new Problem('plan_required', { detail: `This needs the plan ${AUDIT_PLAN}.` });
}
