import { Param } from '@nestjs/common';
import { orAgain, ConsoleDoor } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { pathOf, formOf, PageCtx, goTo, page, titledPage } from '../../../api/console/page.js';
import type { FormState, PageContext, Answer } from '../../../api/console/page.js';
import { CheckGroups, AreaField, CheckField, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { ActionButton, Band, Confirm, Facts, LinkButton, More, Part, Time, PlainLink } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { customFacts, recordBody, RecordInputs, recordValues } from '../../../api/console/parts/record.js';
import { FirstStep, OverviewPanel, type Panel } from '../../../api/console/ports.js';
import { count, duration, percent, say, told } from '../../../api/console/say.js';
import { declaredEvents, subscribableKinds, type EventDeclaration } from '../../../kernel/declare-event.js';
import { Implements } from '../../../store/discovery/ports.js';
import { chosenProjects, ProjectChoice, projectIdsFrom, projectsShown, ProjectsService, projectValues } from '../../projects/index.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { SECRET_OVERLAP_MS, MAX_RATE_LIMIT, WEBHOOKS_PLAN } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WEBHOOK_FIELDS, WebhookDto, type WebhookWithSecretDto } from '../endpoints/webhooks.dto.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import { PAYLOADS } from '../signing/message.js';
import { SIGNATURES } from '../signing/webhook-secret.js';
import { DeliveryTable, type LogProps } from './deliveries.views.js';
import { StateNote, EndpointStatus, EventCatalogue, NeedsPlan, SecretView, WebhookList, isInTrouble } from './webhooks.views.js';

type ViewProps = Omit<LogProps, 'now'> & { readonly projects: ReadonlyMap<string, string> };

export function WebhookView({ ctx, endpoint, found, hours, projects }: ViewProps) {
  const { lastDeliveryAt, subscribedEvents } = endpoint;
  const all = pathOf(ctx, 'webhooks', endpoint.id, 'deliveries');
  const sumOf = (key: 'delivered' | 'failed'): number => hours.reduce((sum, hour) => sum + hour[key], 0);
  const [delivered, failed] = [sumOf('delivered'), sumOf('failed')];
  const attempts = delivered + failed;
  const share = attempts === 0 ? '–' : percent(String(Math.floor((100 * delivered) / attempts)));
  const which = <a href={pathOf(ctx, 'webhooks', 'events')}>{say('console.webhooks.figures.whichEvents')}</a>;
  return (
    <>
      <StateNote ctx={ctx} endpoint={endpoint} />
      <Band
        figures={[
          [say('console.webhooks.figures.delivered'), share, say('console.webhooks.figures.ofAttempts')],
          [say('console.webhooks.figures.failed'), count(failed), say('console.webhooks.figures.ofAll', { attempts })],
          [say('console.webhooks.lastDelivered'), <Time ctx={ctx} at={lastDeliveryAt} />],
          [say('console.webhooks.events'), count(subscribedEvents.length), which],
        ]}
      />
      <div class="record">
        <div>
          <Part title={say('console.webhooks.deliveries')} action={[all, say('console.webhooks.all', { count: found.total })]}>
            <DeliveryTable ctx={ctx} rows={found.rows} of="newest" />
          </Part>
        </div>
        <aside>
          <h2>{say('console.webhooks.details')}</h2>
          <EndpointFacts ctx={ctx} endpoint={endpoint} projects={projects} />
        </aside>
      </div>
    </>
  );
}

function EndpointFacts({ ctx, endpoint, projects }: Pick<ViewProps, 'ctx' | 'endpoint' | 'projects'>) {
  const { id, targetUrl, description, subscribedEvents, previousSecretExpiresAt: until, headerNames, publicKey } = endpoint;
  const { projectIds, secretHint } = endpoint;
  return (
    <Facts
      facts={[
        ['URL', <code>{targetUrl}</code>],
        ...(description ? [[say('console.webhooks.description'), description] as const] : []),
        [say('console.webhooks.events'), subscribedEvents.map((kind) => <code class="block">{kind}</code>)],
        [told('Projects'), projectsShown(ctx, projectIds, projects)],
        [say('console.webhooks.facts.messages'), say(`console.webhooks.facts.${endpoint.payload}`)],
        [say('console.webhooks.facts.order'), endpoint.ordered ? say('console.webhooks.inOrder') : say('console.webhooks.facts.asSoon')],
        [say('console.webhooks.perMinute'), endpoint.rateLimit ?? say('console.webhooks.facts.noLimit')],
        ...(headerNames.length === 0 ? [] : [[say('console.webhooks.facts.ownHeaders'), headerNames.join(', ')] as const]),
        [say(`console.webhooks.facts.${endpoint.signature}`), publicKey === null ? `…${secretHint}` : <code>{publicKey}</code>],
        ...customFacts(WEBHOOK_FIELDS, ctx, WebhookDto.from(endpoint)),
        ...(until ? [[say('console.webhooks.facts.previous'), <Time ctx={ctx} at={until} />] as const] : []),
        [say('console.webhooks.facts.id'), <code>{id}</code>],
        [say('console.webhooks.facts.created'), <Time ctx={ctx} at={endpoint.createdAt} />],
      ]}
    />
  );
}

export function Steps({ ctx, endpoint: { id, name, status, signature } }: Pick<ViewProps, 'ctx' | 'endpoint'>) {
  const at = (...parts: string[]): string => pathOf(ctx, 'webhooks', id, ...parts);
  if (!ctx.can('webhooks.update')) return null;
  return (
    <>
      <PlainLink to={at('edit')} label={say('console.webhooks.steps.edit')} />
      <More>
        <ActionButton ctx={ctx} action={at('status')} label={say(`console.webhooks.steps.of.${status}`)}>
          <input type="hidden" name="status" value={status === 'active' ? 'disabled' : 'active'} />
        </ActionButton>
        <PlainLink to={at('replay')} label={say('console.webhooks.steps.replay')} />
        <Confirm
          ctx={ctx}
          action={at('rotate-secret')}
          label={say(`console.webhooks.steps.rotating.${signature}`)}
          question={say('console.webhooks.steps.rotateAbout', { duration: duration(SECRET_OVERLAP_MS) })}
          submit={say('console.webhooks.steps.rotate')}
        />
        {ctx.can('webhooks.delete') ? (
          <Confirm
            ctx={ctx}
            action={at('delete')}
            label={say('console.webhooks.steps.delete')}
            question={say('console.webhooks.steps.deleteAbout', { name })}
            submit={say('console.webhooks.steps.deleteNow')}
          />
        ) : null}
      </More>
      <ActionButton ctx={ctx} action={at('ping')} label={say('console.webhooks.sendTest')} isFilled />
    </>
  );
}

interface WebhookFormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly projects: readonly Choice[];
  /** How deliveries are signed is chosen once. */
  readonly isNew: boolean;
}

type Label = 'name' | 'description' | 'perMinute' | 'inOrder';

export function WebhookForm({ ctx, state, projects, isNew }: WebhookFormProps) {
  const payloads = PAYLOADS.map((payload): Choice => [payload, say(`console.webhooks.form.${payload}`)]);
  const signatures = SIGNATURES.map((signature): Choice => [signature, say(`console.webhooks.form.${signature}`)]);
  const submit = isNew ? say('console.webhooks.form.create') : say('console.webhooks.form.save');
  const of = (name: string, label: Label) => ({ state, name, label: say(`console.webhooks.${label}`) });
  const all = { name: 'allEvents', label: say('console.webhooks.form.all'), hint: say('console.webhooks.form.allHint') };
  const url = { state, name: 'targetUrl', label: 'URL', hint: say('console.webhooks.form.urlHint', { environment: ctx.environment }) };
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={ctx.path.replace(/\/(new|edit)$/, '')}>
      <TextField {...of('name', 'name')} required maxLength={200} />
      <TextField {...url} required maxLength={2048} placeholder="https://hooks.example.com/claims" />
      <AreaField {...of('description', 'description')} hint={say('console.webhooks.purpose')} rows={2} />
      <h2>{say('console.webhooks.events')}</h2>
      <CheckGroups state={state} name="subscribedEvents" all={all} groups={eventGroups()} />
      <ProjectChoice state={state} options={projects} />
      <h2>{say('console.webhooks.form.sending')}</h2>
      <SelectField state={state} name="payload" label={say('console.webhooks.form.contain')} choices={payloads} />
      {isNew ? <SelectField state={state} name="signature" label={say('console.webhooks.form.signedWith')} choices={signatures} /> : null}
      <TextField
        {...of('rateLimit', 'perMinute')}
        hint={say('console.webhooks.form.rateHint', { most: String(MAX_RATE_LIMIT) })}
        type="number"
      />
      <CheckField {...of('ordered', 'inOrder')} hint={say('console.webhooks.form.orderHint')} />
      <RecordInputs fields={WEBHOOK_FIELDS} state={state} />
    </ConsoleForm>
  );
}

function eventGroups() {
  const groups = new Map<string, Choice[]>();
  for (const event of declaredEvents()) {
    if (event.status === 'test') continue;
    const title = titleOf(event);
    groups.set(title, [...(groups.get(title) ?? []), [event.kind, labelOf(event)]]);
  }
  return [...groups].map(([title, choices]) => ({ title, choices }));
}

/** "claim_project.created" is about "Claim project". */
function titleOf({ kind }: EventDeclaration): string {
  const words = kind.split('.')[0]!.replaceAll('_', ' ');
  return told(`${words.charAt(0).toUpperCase()}${words.slice(1)}`);
}

const labelOf = ({ summary, status }: EventDeclaration): string =>
  status === 'planned' ? say('console.webhooks.form.planned', { event: told(summary) }) : told(summary);

export const valuesOf = (endpoint: WebhookEndpoint) => ({
  name: endpoint.name,
  targetUrl: endpoint.targetUrl,
  description: endpoint.description,
  subscribedEvents: endpoint.subscribedEvents,
  payload: endpoint.payload,
  rateLimit: endpoint.rateLimit === null ? null : String(endpoint.rateLimit),
  ordered: endpoint.ordered ? 'yes' : null,
  ...projectValues(endpoint.projectIds),
  ...recordValues(WEBHOOK_FIELDS, endpoint),
});

/** The body of the operation. What is no number is refused by it, at its field. */
export function webhookFieldsOf({ form }: PageContext) {
  const rateLimit = form.given('rateLimit');
  return {
    name: form.text('name'),
    targetUrl: form.text('targetUrl').trim(),
    description: form.given('description') ?? null,
    subscribedEvents: form.isChecked('allEvents') ? subscribableKinds() : form.list('subscribedEvents'),
    payload: form.text('payload'),
    rateLimit: rateLimit === undefined ? null : /^\d{1,9}$/.test(rateLimit) ? Number(rateLimit) : rateLimit,
    ordered: form.isChecked('ordered'),
    projectIds: projectIdsFrom(form),
    ...recordBody(WEBHOOK_FIELDS, form),
  };
}

const SECTION = 'webhooks';
const SHOWN_DELIVERIES = 10;

/** What a form changes; it is checked with the body of the operation. */
type Changed = Readonly<{ targetUrl?: string; status?: string; rotateSecret?: boolean }>;

/** The endpoints of one environment. A live credential of the API may also change those of the other one; pages do not. */
@ConsoleSection({ path: SECTION, label: 'Webhooks', adds: 'New endpoint', group: 'Developers', order: 2, operation: 'webhooks.list' })
export class WebhooksConsole {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly door: ConsoleDoor,
    private readonly projects: ProjectsService,
  ) {}

  /** It names no operation: without the plan it says what the plan is for. */
  @Page({ route: 'GET /', role: 'member' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const title = say('console.webhooks.title');
    if (!ctx.organization.includes(WEBHOOKS_PLAN)) return page(title, <NeedsPlan ctx={ctx} />);
    const actions = ctx.can('webhooks.create') && <LinkButton to={pathOf(ctx, SECTION, 'new')}>{say('console.webhooks.new')}</LinkButton>;
    return titledPage(title, { actions }, <WebhookList ctx={ctx} endpoints={await this.webhooks.ofEnvironment(ctx)} />);
  }

  @Page({ route: 'GET /events', operation: 'webhooks.list' })
  events(@PageCtx() ctx: PageContext): Answer {
    return page(say('console.webhooks.events'), <EventCatalogue ctx={ctx} />);
  }

  @Page({ route: 'GET /new', operation: 'webhooks.create' })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.form(ctx, formOf(), { isNew: true });
  }

  @Action({ route: 'POST /new', operation: 'webhooks.create' })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const create = async (): Promise<Answer> => {
      const fields = { ...webhookFieldsOf(ctx), signature: ctx.form.text('signature') };
      const made = await this.door.call<WebhookWithSecretDto>(ctx, { body: fields });
      return page(say('console.webhooks.created'), <SecretView ctx={ctx} made={made} />);
    };
    return orAgain(ctx, create, (state) => this.form(ctx, state, { isNew: true }));
  }

  @Page({ route: 'GET /:webhook_id', operation: 'webhooks.get' })
  async show(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const endpoint = await this.webhooks.oneOfEnvironment(ctx, id);
    const [found, hours, projects] = await Promise.all([
      this.deliveries.list(ctx, id, { page: 1, page_size: SHOWN_DELIVERIES }),
      this.deliveries.lastDay(ctx, id),
      this.projects.names(ctx, endpoint.projectIds ?? []),
    ]);
    const beside = {
      up: [pathOf(ctx, SECTION), say('console.webhooks.title')],
      badge: <EndpointStatus of={endpoint} />,
      actions: <Steps ctx={ctx} endpoint={endpoint} />,
    } as const;
    return titledPage(endpoint.name, beside, <WebhookView {...{ ctx, endpoint, found, hours, projects }} />);
  }

  @Page({ route: 'GET /:webhook_id/edit', operation: 'webhooks.update' })
  async edit(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    return this.form(ctx, formOf(valuesOf(await this.webhooks.oneOfEnvironment(ctx, id))));
  }

  @Action({ route: 'POST /:webhook_id/edit', operation: 'webhooks.update' })
  update(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const update = async (): Promise<Answer> => {
      const { headerNames: before } = await this.webhooks.oneOfEnvironment(ctx, id);
      const { headerNames } = await this.change(ctx, id, webhookFieldsOf(ctx));
      const headers = before.filter((name) => !headerNames.includes(name)).join(', ');
      const notice = headers === '' ? say('console.webhooks.changed') : say('console.webhooks.changedWithoutHeaders', { headers });
      return goTo(pathOf(ctx, SECTION, id), notice);
    };
    return orAgain(ctx, update, (state) => this.form(ctx, state));
  }

  @Action({ route: 'POST /:webhook_id/status', operation: 'webhooks.update' })
  async setStatus(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const { status } = await this.change(ctx, id, { status: ctx.form.text('status') });
    const notice = status === 'active' ? say('console.webhooks.resumed') : say('console.webhooks.nowPaused');
    return goTo(pathOf(ctx, SECTION, id), notice);
  }

  @Action({ route: 'POST /:webhook_id/rotate-secret', operation: 'webhooks.update' })
  async rotateSecret(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    return page(say('console.webhooks.newSecret'), <SecretView ctx={ctx} made={await this.change(ctx, id, { rotateSecret: true })} />);
  }

  @Action({ route: 'POST /:webhook_id/delete', operation: 'webhooks.delete' })
  async delete(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const { name } = await this.webhooks.oneOfEnvironment(ctx, id);
    await this.door.call(ctx, { params: { webhook_id: id } });
    return goTo(pathOf(ctx, SECTION), say('console.webhooks.deleted', { name }));
  }

  private async change(ctx: PageContext, id: string, body: Changed): Promise<WebhookWithSecretDto> {
    await this.webhooks.oneOfEnvironment(ctx, id);
    return this.door.call<WebhookWithSecretDto>(ctx, { params: { webhook_id: id }, body });
  }

  private async form(ctx: PageContext, state: FormState, { isNew } = { isNew: false }): Promise<Answer> {
    const projects = await this.projects.choicesOfSeveral(ctx, chosenProjects(state));
    const title = isNew ? say('console.webhooks.newTitle') : say('console.webhooks.editTitle');
    return page(title, <WebhookForm {...{ ctx, state, projects, isNew }} />, state.problem?.status);
  }
}

@Implements(OverviewPanel)
export class FailingEndpointsPanel implements OverviewPanel {
  readonly order = 20;

  constructor(private readonly webhooks: WebhooksService) {}

  async show(ctx: PageContext): Promise<Panel | null> {
    if (!ctx.organization.includes(WEBHOOKS_PLAN)) return null;
    const failing = (await this.webhooks.ofEnvironment(ctx)).filter(isInTrouble);
    if (failing.length === 0) return null;
    const body = (
      <section>
        <h2 id="failing">{say('console.webhooks.overview.failing')}</h2>
        <Table
          caption={say('console.webhooks.overview.failing')}
          rows={failing}
          empty=""
          columns={[
            [say('console.webhooks.name'), ({ id, name }) => <a href={pathOf(ctx, 'webhooks', id)}>{name}</a>],
            [say('console.webhooks.status'), (endpoint) => <EndpointStatus of={endpoint} />],
            [say('console.webhooks.lastDelivered'), ({ lastDeliveryAt }) => <Time ctx={ctx} at={lastDeliveryAt} />],
          ]}
        />
      </section>
    );
    const which = <a href="#failing">{say('console.webhooks.overview.which')}</a>;
    return { body, figures: [[say('console.webhooks.overview.figure'), count(failing.length), which]] };
  }
}

/** Done with the first delivery that an endpoint accepted. */
@Implements(FirstStep)
export class FirstDeliveryStep implements FirstStep {
  readonly order = 20;
  readonly title = 'Receive a webhook';
  readonly about = 'Your systems hear at once what happened here. Create an endpoint, and send it a test.';
  readonly path = 'webhooks';

  constructor(private readonly webhooks: WebhooksService) {}

  isFor(ctx: PageContext): boolean {
    return ctx.organization.includes(WEBHOOKS_PLAN) && ctx.can('webhooks.create');
  }

  async isDone(ctx: PageContext): Promise<boolean> {
    return (await this.webhooks.ofEnvironment(ctx)).some(({ lastDeliveryAt }) => lastDeliveryAt !== null);
  }
}
