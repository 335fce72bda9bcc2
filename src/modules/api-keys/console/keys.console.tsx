import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { orAgain } from '../../../api/console/performer.js';
import { Registry } from '../../../api/operation/registry.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { ApiKeysService, type IssuedKey } from '../api-keys.service.js';
import { EXPIRIES, KeyForm, scopeGroups } from './key-form.views.js';
import { IssuedKeyView, KeyList, KeyView } from './keys.views.js';

const SECTION = 'keys';
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

@ConsoleSection({ path: SECTION, label: 'API keys', group: 'Developers', order: 1, role: 'admin' })
export class KeysConsole {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly registry: Registry,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  @Page({ route: 'GET /', role: 'admin' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    return page('API keys', <KeyList ctx={ctx} keys={await this.keys.ofTenant(ctx)} now={this.clock.timestamp()} />);
  }

  @Page({ route: 'GET /new', role: 'admin' })
  new(@PageCtx() ctx: PageContext): Answer {
    return this.newPage(ctx, formOf({ scopes: this.registry.scopes }));
  }

  @Action({ route: 'POST /new', role: 'admin', records: ['api_key.created'] })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const { organizationId, environment, form } = ctx;
    const days = Number(form.given('expires'));
    const create = async (): Promise<Answer> => {
      const expiresInMs = EXPIRIES.some(([value]) => value === String(days)) && days > 0 ? days * DAY_MS : undefined;
      return this.issued(ctx, await this.keys.create(ctx.actor, { organizationId, environment, ...fieldsOf(ctx), expiresInMs }));
    };
    return orAgain(ctx, create, (state) => this.newPage(ctx, state));
  }

  @Page({ route: 'GET /:key_id', role: 'admin' })
  async show(@PageCtx() ctx: PageContext, @Param('key_id') id: string): Promise<Answer> {
    const key = await this.keys.get(ctx, id);
    return page(key.name, <KeyView ctx={ctx} apiKey={key} now={this.clock.timestamp()} />);
  }

  @Page({ route: 'GET /:key_id/edit', role: 'admin' })
  async edit(@PageCtx() ctx: PageContext, @Param('key_id') id: string): Promise<Answer> {
    const { name, scopes, ipAllowlist } = await this.keys.get(ctx, id);
    return this.editPage(ctx, formOf({ name, scopes, ipAllowlist: ipAllowlist.join('\n') }));
  }

  @Action({ route: 'POST /:key_id/edit', role: 'admin', records: ['api_key.updated'] })
  update(@PageCtx() ctx: PageContext, @Param('key_id') id: string): Promise<Answer> {
    const update = async (): Promise<Answer> => {
      await this.keys.change(ctx.actor, (await this.keys.get(ctx, id)).id, fieldsOf(ctx));
      return goTo(pathOf(ctx, SECTION, id), 'The key was changed. It takes effect within a second.');
    };
    return orAgain(ctx, update, (state) => this.editPage(ctx, state));
  }

  @Action({ route: 'POST /:key_id/rotate', role: 'admin', records: ['api_key.rotated', 'api_key.created'] })
  async rotate(@PageCtx() ctx: PageContext, @Param('key_id') id: string): Promise<Answer> {
    const { id: known } = await this.keys.get(ctx, id);
    const hours = Number(ctx.form.text('hours'));
    if (!Number.isInteger(hours) || hours < 0) throw Problem.invalidField('hours', 'out_of_range', 'must be a number of hours');
    return this.issued(ctx, await this.keys.rotate(ctx.actor, known, hours * HOUR_MS));
  }

  @Action({ route: 'POST /:key_id/revoke', role: 'admin', records: ['api_key.revoked'] })
  async revoke(@PageCtx() ctx: PageContext, @Param('key_id') id: string): Promise<Answer> {
    await this.keys.revoke(ctx.actor, (await this.keys.get(ctx, id)).id);
    return goTo(pathOf(ctx, SECTION, id), 'The key was revoked. It no longer works.');
  }

  /** The only page that shows the key. */
  private issued(ctx: PageContext, { row, key }: IssuedKey): Answer {
    return page('Your new key', <IssuedKeyView ctx={ctx} id={row.id} apiKey={key} baseUrl={this.settings.publicUrl} />);
  }

  private newPage(ctx: PageContext, state: FormState): Answer {
    const form = <KeyForm ctx={ctx} state={state} groups={scopeGroups(this.registry)} submit="Create the key" isNew />;
    return page('New API key', form, state.problem?.status);
  }

  private editPage(ctx: PageContext, state: FormState): Answer {
    return page('Edit key', <KeyForm ctx={ctx} state={state} groups={scopeGroups(this.registry)} submit="Save" />, state.problem?.status);
  }
}

const fieldsOf = ({ form }: PageContext) => ({
  name: form.text('name'),
  scopes: form.list('scopes'),
  ipAllowlist: form
    .text('ipAllowlist')
    .split(/[\s,]+/)
    .filter(Boolean),
});
