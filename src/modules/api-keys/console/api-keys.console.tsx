import { Param } from '@nestjs/common';
import { type ScopeGroup, scopeGroups } from '../../../api/access/scopes.js';
import { orAgain, ConsoleDoor } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { pathOf, formOf, PageCtx, goTo, page, titledPage } from '../../../api/console/page.js';
import type { FormState, PageContext, Answer } from '../../../api/console/page.js';
import { AreaField, type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { Badge, Confirm, Copyable, Facts, LinkButton, Time, Note, PlainLink, OverlapField } from '../../../api/console/parts/facts.js';
import { overlapIn, ScopeChoices, ScopeList, scopesIn } from '../../../api/console/parts/facts.js';
import { Pager, Table, PAGE_SIZE, pageNumberIn } from '../../../api/console/parts/list.js';
import { OwnLimitFields, ownLimitFacts, ownLimitsIn, ownLimitValues } from '../../../api/console/parts/own-limits.js';
import { FirstStep } from '../../../api/console/ports.js';
import { count, say, told, wordingNow } from '../../../api/console/say.js';
import { Registry } from '../../../api/operation/registry.js';
import { Filled, FIRST } from '../../../api/wording/page-wording.js';
import { Problem } from '../../../kernel/problems.js';
import { type UserRole, isAtLeast } from '../../../kernel/roles.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { Implements } from '../../../store/discovery/ports.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { chosenProjects, ProjectChoice, projectIdsFrom, projectsShown, ProjectsService, projectValues } from '../../projects/index.js';
import type { ApiKey } from '../api-key.entity.js';
import { ApiKeysService, type IssuedKey } from '../api-keys.service.js';
import { prefixOf } from '../key-format.js';

/** Keys can do more than most people may, so they are not for everybody. */
export const KEYS_ROLE: UserRole = 'admin';
const RECENTLY_MS = 3_600_000;

type SeenKey = { readonly row: ApiKey; readonly now: Date };

const isOver = ({ row: { revokedAt, expiresAt }, now }: SeenKey): boolean =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= now.getTime());

function Status({ seen }: { seen: SeenKey }) {
  if (seen.row.revokedAt) return <Badge tone="bad">{say('console.apiKeys.revoked')}</Badge>;
  if (isOver(seen)) return <Badge>{say('console.apiKeys.expired')}</Badge>;
  return <Badge tone="good">{say('console.apiKeys.active')}</Badge>;
}

const Masked = ({ row: { environment, last4 } }: { row: ApiKey }) => <code>{`${prefixOf(environment)}…${last4}`}</code>;
const Expiry = ({ ctx, row }: { ctx: PageContext; row: ApiKey }) =>
  row.expiresAt ? <Time ctx={ctx} at={row.expiresAt} /> : <>{say('console.apiKeys.never')}</>;
const addressesOf = ({ ipAllowlist }: ApiKey): string => ipAllowlist.join(', ') || say('console.apiKeys.everywhere');

export function KeyList({ ctx, found, now }: { ctx: PageContext; found: PageOf<ApiKey>; now: Date }) {
  return (
    <>
      <p>{say('console.apiKeys.about', { environment: ctx.environment, organization: ctx.organization.name })}</p>
      <Table
        caption={told('API keys')}
        rows={found.rows}
        empty={<p>{say('console.apiKeys.empty', { environment: ctx.environment })}</p>}
        columns={[
          [say('console.apiKeys.name'), (row) => <a href={pathOf(ctx, 'keys', row.id)}>{row.name}</a>],
          [say('console.apiKeys.key'), (row) => <Masked row={row} />],
          [say('console.apiKeys.status'), (row) => <Status seen={{ row, now }} />],
          [say('console.apiKeys.scopes'), (row) => row.scopes.length, 'number'],
          [say('console.apiKeys.addresses'), addressesOf],
          [told('Projects'), ({ projectIds }) => (projectIds === null ? projectsShown(ctx, null) : count(projectIds.length))],
          [say('console.apiKeys.lastUsed'), (row) => <LastUse ctx={ctx} row={row} />],
          [say('console.apiKeys.expires'), (row) => <Expiry ctx={ctx} row={row} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

const LastUse = ({ ctx, row: { lastUsedAt, lastUsedFrom } }: { ctx: PageContext; row: ApiKey }) => (
  <>
    <Time ctx={ctx} at={lastUsedAt} />{' '}
    {lastUsedFrom === null ? null : <span class="hint">{say('console.apiKeys.from', { address: lastUsedFrom })}</span>}
  </>
);

/** `projects`: names by id. */
type KeyViewProps = { ctx: PageContext; seen: SeenKey; groups: readonly ScopeGroup[]; projects: ReadonlyMap<string, string> };

export function KeyView({ ctx, seen, groups, projects }: KeyViewProps) {
  const { row } = seen;
  return (
    <>
      <Facts
        facts={[
          [say('console.apiKeys.name'), row.name],
          [say('console.apiKeys.key'), <Masked row={row} />],
          [say('console.apiKeys.status'), <Status seen={seen} />],
          [say('console.apiKeys.addresses'), addressesOf(row)],
          [told('Projects'), projectsShown(ctx, row.projectIds, projects)],
          ...ownLimitFacts(row),
          [say('console.apiKeys.lastUsed'), <LastUse ctx={ctx} row={row} />],
          [say('console.apiKeys.expires'), <Expiry ctx={ctx} row={row} />],
          ...(row.revokedAt ? [[say('console.apiKeys.revoked'), <Time ctx={ctx} at={row.revokedAt} />] as const] : []),
          [say('console.apiKeys.created'), <Time ctx={ctx} at={row.createdAt} />],
          [say('console.apiKeys.id'), <code>{row.id}</code>],
        ]}
      />
      {isOver(seen) ? <p class="hint">{say('console.apiKeys.over')}</p> : <Steps ctx={ctx} seen={seen} />}
      <h2>{say('console.apiKeys.permissions')}</h2>
      {groups.length === 0 ? <p>{say('console.apiKeys.nothing')}</p> : null}
      <ScopeList groups={groups} />
    </>
  );
}

function Steps({ ctx, seen: { row, now } }: { ctx: PageContext; seen: SeenKey }) {
  const isInUse = row.lastUsedAt !== null && now.getTime() - Date.parse(row.lastUsedAt) < RECENTLY_MS;
  return (
    <div class="steps">
      <LinkButton to={pathOf(ctx, 'keys', row.id, 'edit')}>{say('console.apiKeys.edit')}</LinkButton>
      <Confirm
        ctx={ctx}
        action={pathOf(ctx, 'keys', row.id, 'rotate')}
        label={say('console.apiKeys.rotate')}
        question={say('console.apiKeys.rotateQuestion')}
        submit={say('console.apiKeys.rotateSubmit')}
      >
        <OverlapField label={say('console.apiKeys.overlap')} />
      </Confirm>
      <Confirm
        ctx={ctx}
        action={pathOf(ctx, 'keys', row.id, 'revoke')}
        label={say('console.apiKeys.revoke')}
        question={isInUse ? <strong>{say('console.apiKeys.inUse')}</strong> : say('console.apiKeys.revokeQuestion')}
        submit={say('console.apiKeys.revokeSubmit')}
      />
    </div>
  );
}

/** The only page that ever shows a key. */
export function IssuedKeyView({ ctx, id, apiKey, baseUrl }: { ctx: PageContext; id: string; apiKey: string; baseUrl: string }) {
  return (
    <>
      <Note tone="warning">{say('console.apiKeys.copyNow')}</Note>
      <Copyable label={say('console.apiKeys.theKey')} text={apiKey} />
      <h2>{say('console.apiKeys.try')}</h2>
      <p>{say('console.apiKeys.tryAbout')}</p>
      <Copyable label={say('console.apiKeys.tryLine')} text={`curl ${baseUrl}/v1/auth/context -H 'X-API-Key: ${apiKey}'`} />
      <p>
        <PlainLink to={pathOf(ctx, 'keys', id)} label={say('console.apiKeys.copied')} />
      </p>
    </>
  );
}

const DAY_MS = 86_400_000;

/** For how long a new key works, in milliseconds; empty: until it is revoked. */
const expiries = (): readonly Choice[] => [
  ['', say('console.apiKeys.never')],
  ...[30, 90, 365].map((days): Choice => [String(days * DAY_MS), say('console.apiKeys.inDays', { days })]),
];

/** `isNew`: an expiry is chosen once. */
type KeyFormProps = { ctx: PageContext; state: FormState; groups: readonly ScopeGroup[]; projects: readonly Choice[]; isNew: boolean };

function KeyForm({ ctx, state, groups, projects, isNew }: KeyFormProps) {
  const submit = isNew ? say('console.apiKeys.create') : say('console.apiKeys.save');
  const name = { state, name: 'name', label: say('console.apiKeys.name'), hint: say('console.apiKeys.nameHint') };
  const worksFrom = <Filled text={say('console.apiKeys.worksFromHint', { address: FIRST })} parts={[<code>{ctx.ipAddress}</code>]} />;
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={ctx.path.replace(/\/(new|edit)$/, '')}>
      <TextField {...name} required maxLength={200} />
      {isNew ? <SelectField state={state} name="expiresIn" label={say('console.apiKeys.expires')} choices={expiries()} /> : null}
      <AreaField state={state} name="ipAllowlist" label={say('console.apiKeys.worksFrom')} hint={worksFrom} rows={3} />
      <OwnLimitFields state={state} />
      <ProjectChoice state={state} options={projects} />
      <h2>{say('console.apiKeys.permissions')}</h2>
      <ScopeChoices state={state} groups={groups} all={{ label: say('console.apiKeys.all'), hint: say('console.apiKeys.allHint') }} />
    </ConsoleForm>
  );
}

/** What the form says of a key. */
export function keyFieldsOf(ctx: PageContext) {
  const { form } = ctx;
  return {
    ...ownLimitsIn(ctx),
    projectIds: projectIdsFrom(form),
    name: form.text('name').trim(),
    scopes: scopesIn(form, 'must have at least one: choose what the key may do'),
    ipAllowlist: form
      .text('ipAllowlist')
      .split(/[\s,]+/)
      .filter(Boolean),
  };
}

export function expiryOf({ form }: PageContext): number | undefined {
  const chosen = form.text('expiresIn');
  if (!expiries().some(([value]) => value === chosen)) throw Problem.invalidField('expiresIn', 'not_allowed', 'must be one of the choices');
  return chosen === '' ? undefined : Number(chosen);
}

const SECTION = 'keys';

/** What the page of a new key shows. It is remembered, so that a form that is sent twice shows the same key. */
const shownOf = ({ row, key }: IssuedKey) => ({ id: row.id, key });

/** Services find a key by its id alone, for operators. So every action here first reads the key of its own tenant. */
@ConsoleSection({ path: SECTION, label: 'API keys', adds: 'New API key', group: 'Developers', order: 1, role: KEYS_ROLE, shows: 'names' })
export class ApiKeysConsole {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly door: ConsoleDoor,
    private readonly registry: Registry,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly projects: ProjectsService,
  ) {}

  @Page({ route: 'GET /', role: KEYS_ROLE })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const found = await this.keys.list(ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE });
    const actions = <LinkButton to={pathOf(ctx, 'keys', 'new')}>{say('console.apiKeys.new')}</LinkButton>;
    return titledPage(told('API keys'), { actions }, <KeyList ctx={ctx} found={found} now={this.clock.now()} />);
  }

  @Page({ route: 'GET /new', role: KEYS_ROLE })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.form(ctx, formOf(), { isNew: true });
  }

  @Action({ route: 'POST /new', role: KEYS_ROLE, records: ['api_key.created'] })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const create = async (): Promise<Answer> => {
      const expiresInMs = expiryOf(ctx);
      const wanted = { ...keyFieldsOf(ctx), ...(expiresInMs !== undefined && { expiresInMs }) };
      return this.issuedPage(ctx, await this.door.once(ctx, wanted, async (inner) => shownOf(await this.keys.createIn(inner, wanted))));
    };
    return orAgain(ctx, create, (state) => this.form(ctx, state, { isNew: true }));
  }

  @Page({ route: 'GET /:key_id', role: KEYS_ROLE })
  async show(@PageCtx() ctx: PageContext, @Param('key_id') id: string): Promise<Answer> {
    const row = await this.keys.get(ctx, id);
    const projects = await this.projects.names(ctx, row.projectIds ?? []);
    const seen = { row, now: this.clock.now() };
    return page(row.name, <KeyView ctx={ctx} seen={seen} groups={this.groupsOf(row.scopes)} projects={projects} />);
  }

  @Page({ route: 'GET /:key_id/edit', role: KEYS_ROLE })
  async edit(@PageCtx() ctx: PageContext, @Param('key_id') id: string): Promise<Answer> {
    const { name, scopes, ipAllowlist, projectIds, ...limits } = await this.keys.get(ctx, id);
    const values = { name, scopes, ipAllowlist: ipAllowlist.join('\n'), ...ownLimitValues(limits), ...projectValues(projectIds) };
    return this.form(ctx, formOf(values));
  }

  @Action({ route: 'POST /:key_id/edit', role: KEYS_ROLE, records: ['api_key.updated'] })
  async change(@PageCtx() ctx: PageContext, @Param('key_id') id: string): Promise<Answer> {
    await this.keys.get(ctx, id);
    const change = async (): Promise<Answer> => {
      await this.keys.change(ctx.actor, id, keyFieldsOf(ctx));
      return goTo(pathOf(ctx, SECTION, id), say('console.apiKeys.wasChanged'));
    };
    return orAgain(ctx, change, (state) => this.form(ctx, state));
  }

  @Action({ route: 'POST /:key_id/rotate', role: KEYS_ROLE, records: ['api_key.rotated', 'api_key.created'] })
  async rotate(@PageCtx() ctx: PageContext, @Param('key_id') id: string): Promise<Answer> {
    await this.keys.get(ctx, id);
    const overlapMs = overlapIn(ctx);
    const made = await this.door.once(ctx, { overlapMs }, async (inner) => shownOf(await this.keys.rotateIn(inner, id, overlapMs)));
    return this.issuedPage(ctx, made);
  }

  @Action({ route: 'POST /:key_id/revoke', role: KEYS_ROLE, records: ['api_key.revoked'] })
  async revoke(@PageCtx() ctx: PageContext, @Param('key_id') id: string): Promise<Answer> {
    await this.keys.get(ctx, id);
    await this.keys.revoke(ctx.actor, id);
    return goTo(pathOf(ctx, SECTION, id), say('console.apiKeys.wasRevoked'));
  }

  private async form(ctx: PageContext, state: FormState, { isNew } = { isNew: false }): Promise<Answer> {
    const projects = await this.projects.choicesOfSeveral(ctx, chosenProjects(state));
    const form = <KeyForm {...{ ctx, state, projects, isNew }} groups={this.groupsOf(this.registry.scopes)} />;
    return page(isNew ? say('console.apiKeys.new') : say('console.apiKeys.editTitle'), form, state.problem?.status);
  }

  private issuedPage(ctx: PageContext, { id, key }: ReturnType<typeof shownOf>): Answer {
    return page(say('console.apiKeys.issued'), <IssuedKeyView ctx={ctx} id={id} apiKey={key} baseUrl={this.settings.publicUrl} />);
  }

  private groupsOf(scopes: readonly string[]) {
    return scopeGroups(this.registry, scopes, wordingNow());
  }
}

/** Done with the first call by any key of the environment: a key that nobody uses proves nothing. */
@Implements(FirstStep)
export class FirstKeyStep implements FirstStep {
  readonly order = 10;
  readonly title = 'Create an API key and use it';
  readonly about = 'Your programs call the API with it. The page of a new key has a line to try.';
  readonly path = 'keys';

  constructor(private readonly keys: ApiKeysService) {}

  isFor({ user }: PageContext): boolean {
    return isAtLeast(user.role, KEYS_ROLE);
  }

  isDone(ctx: PageContext): Promise<boolean> {
    return this.keys.hasUsed(ctx);
  }
}
