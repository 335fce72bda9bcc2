import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { orAgain } from '../../../api/console/performer.js';
import { NoticeSettings } from '../notices/notice-settings.service.js';
import { OrganizationService, type OrganizationChange } from '../organization.service.js';
import { NoticesForm, noticesOf } from './notices.views.js';
import { OrganizationForms, OrganizationView, valuesOf } from './organization.views.js';

const SECTION = 'organization';

/** What a form with a problem does not change, and what it shows instead. */
interface States {
  readonly profile?: FormState;
  readonly billing?: FormState;
  readonly notices?: FormState;
}

@ConsoleSection({ path: SECTION, label: 'Organization', group: 'Organization', order: 1 })
export class OrganizationConsole {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly notices: NoticeSettings,
  ) {}

  @Page({ route: 'GET /', operation: 'organization.get' })
  async show(@PageCtx() ctx: PageContext): Promise<Answer> {
    const organization = this.organizations.present(await this.organizations.byId(ctx.organizationId));
    const notices = await this.notices.of(ctx.organizationId);
    return page('Organization', <OrganizationView ctx={ctx} organization={organization} notices={notices} />);
  }

  @Page({ route: 'GET /edit', role: 'admin' })
  edit(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.editPage(ctx, {});
  }

  @Action({ route: 'POST /edit', role: 'admin' })
  change(@PageCtx() ctx: PageContext): Promise<Answer> {
    const { form } = ctx;
    const change: OrganizationChange = {
      name: form.text('name'),
      country: form.given('country') ?? null,
      timeZone: form.text('timeZone'),
      redactCounterparties: form.isChecked('redactCounterparties'),
    };
    return orAgain(
      ctx,
      () => this.save(ctx, change),
      (profile) => this.editPage(ctx, { profile }),
    );
  }

  @Action({ route: 'POST /billing', role: 'owner' })
  changeBilling(@PageCtx() ctx: PageContext): Promise<Answer> {
    return orAgain(
      ctx,
      () => this.save(ctx, { billingCycleAnchor: ctx.form.text('billingCycleAnchor') }),
      (billing) => this.editPage(ctx, { billing }),
    );
  }

  @Action({ route: 'POST /second-factor', role: 'owner' })
  requireSecondFactor(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.save(ctx, { requireSecondFactor: ctx.form.isChecked('requireSecondFactor') });
  }

  @Action({ route: 'POST /notices', role: 'admin', records: ['organization.notices_changed'] })
  changeNotices(@PageCtx() ctx: PageContext): Promise<Answer> {
    const change = async (): Promise<Answer> => {
      await this.notices.change(ctx.actor, ctx.organizationId, ctx.form.list('notices'));
      return goTo(pathOf(ctx, SECTION), 'The mails to owners were changed.');
    };
    return orAgain(ctx, change, (notices) => this.editPage(ctx, { notices }));
  }

  private async save(ctx: PageContext, change: OrganizationChange): Promise<Answer> {
    await this.organizations.change(ctx.actor, ctx.organizationId, change);
    return goTo(pathOf(ctx, SECTION), 'The organization was changed.');
  }

  private async editPage(ctx: PageContext, states: States): Promise<Answer> {
    const state = formOf(valuesOf(await this.organizations.byId(ctx.organizationId)));
    const settings = await this.notices.of(ctx.organizationId);
    const { profile = state, billing = state, notices = noticesOf(settings) } = states;
    const status = (profile.problem ?? billing.problem ?? notices.problem)?.status ?? 200;
    const forms = (
      <>
        <OrganizationForms ctx={ctx} profile={profile} billing={billing} />
        <NoticesForm ctx={ctx} state={notices} settings={settings} />
      </>
    );
    return page('Edit the organization', forms, status);
  }
}
