import { Param, Injectable } from '@nestjs/common';
import { scopeGroups } from '../../../api/access/scopes.js';
import { orAgain, ConsoleDoor } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, PageCtx, pathOf, goTo, page, titledPage } from '../../../api/console/page.js';
import type { FormState, PageContext, Answer } from '../../../api/console/page.js';
import { FirstStep } from '../../../api/console/overview.js';
import { LinkButton } from '../../../api/console/parts/facts.js';
import { PAGE_SIZE, pageNumberIn } from '../../../api/console/parts/list.js';
import { overlapIn } from '../../../api/console/parts/overlap-field.js';
import { say, told, wordingNow } from '../../../api/console/say.js';
import { Registry } from '../../../api/operation/registry.js';
import { isAtLeast } from '../../../kernel/roles.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { Implements } from '../../../store/discovery/ports.js';
import { ApiKeysService, type IssuedKey } from '../api-keys.service.js';
import { expiryOf, IssuedKeyView, keyFieldsOf, KeyForm, KeyList, KEYS_ROLE, KeyView } from './api-keys.views.js';

const SECTION = 'keys';

/** What the page of a new key shows. It is remembered, so that a form that is sent twice shows the same key. */
const shownOf = ({ row, key }: IssuedKey) => ({ id: row.id, key });

/** Services find a key by its id alone, for operators. So every action here first reads the key of its own tenant. */
@ConsoleSection({ path: SECTION, label: 'API keys', adds: 'New API key', group: 'Developers', order: 1, role: KEYS_ROLE })
export class ApiKeysConsole {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly door: ConsoleDoor,
    private readonly registry: Registry,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  @Page({ route: 'GET /', role: KEYS_ROLE })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const found = await this.keys.list(ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE });
    const actions = <LinkButton to={pathOf(ctx, 'keys', 'new')}>{say('console.apiKeys.new')}</LinkButton>;
    return titledPage(told('API keys'), { actions }, <KeyList ctx={ctx} found={found} now={this.clock.now()} />);
  }

  @Page({ route: 'GET /new', role: KEYS_ROLE })
  new(@PageCtx() ctx: PageContext): Answer {
    return this.newPage(ctx, formOf());
  }

  @Action({ route: 'POST /new', role: KEYS_ROLE, records: ['api_key.created'] })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const create = async (): Promise<Answer> => {
      const expiresInMs = expiryOf(ctx);
      const wanted = { ...keyFieldsOf(ctx), ...(expiresInMs !== undefined && { expiresInMs }) };
      return this.issuedPage(ctx, await this.door.once(ctx, wanted, async (inner) => shownOf(await this.keys.createIn(inner, wanted))));
    };
    return orAgain(ctx, create, (state) => this.newPage(ctx, state));
  }

  @Page({ route: 'GET /:key_id', role: KEYS_ROLE })
  async show(@PageCtx() ctx: PageContext, @Param('key_id') id: string): Promise<Answer> {
    const row = await this.keys.get(ctx, id);
    return page(row.name, <KeyView ctx={ctx} seen={{ row, now: this.clock.now() }} groups={this.groupsOf(row.scopes)} />);
  }

  @Page({ route: 'GET /:key_id/edit', role: KEYS_ROLE })
  async edit(@PageCtx() ctx: PageContext, @Param('key_id') id: string): Promise<Answer> {
    const { name, scopes, ipAllowlist } = await this.keys.get(ctx, id);
    return this.editPage(ctx, formOf({ name, scopes, ipAllowlist: ipAllowlist.join('\n') }));
  }

  @Action({ route: 'POST /:key_id/edit', role: KEYS_ROLE, records: ['api_key.updated'] })
  async change(@PageCtx() ctx: PageContext, @Param('key_id') id: string): Promise<Answer> {
    await this.keys.get(ctx, id);
    const change = async (): Promise<Answer> => {
      await this.keys.change(ctx.actor, id, keyFieldsOf(ctx));
      return goTo(pathOf(ctx, SECTION, id), say('console.apiKeys.wasChanged'));
    };
    return orAgain(ctx, change, (state) => this.editPage(ctx, state));
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

  private newPage(ctx: PageContext, state: FormState): Answer {
    const [submit, groups] = [say('console.apiKeys.create'), this.groupsOf(this.registry.scopes)];
    const form = <KeyForm ctx={ctx} state={state} groups={groups} submit={submit} cancel={pathOf(ctx, SECTION)} isNew />;
    return page(say('console.apiKeys.new'), form, state.problem?.status);
  }

  private editPage(ctx: PageContext, state: FormState): Answer {
    const cancel = ctx.path.replace(/\/edit$/, '');
    const [submit, groups] = [say('console.apiKeys.save'), this.groupsOf(this.registry.scopes)];
    const form = <KeyForm ctx={ctx} state={state} groups={groups} submit={submit} cancel={cancel} />;
    return page(say('console.apiKeys.editTitle'), form, state.problem?.status);
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
@Injectable()
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
