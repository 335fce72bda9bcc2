import { Param } from '@nestjs/common';
import { ConsoleDoor, orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { type Answer, formOf, type FormState, page, type PageContext, PageCtx, pathOf } from '../../../api/console/page.js';
import { Copyable, Note, Time, Way } from '../../../api/console/parts/facts.js';
import { CheckField, type Choice, ConsoleForm, SelectField } from '../../../api/console/parts/fields.js';
import { say } from '../../../api/console/say.js';
import { FILE_KINDS } from '../outputs/report-output.js';
import { ReportsService } from '../reports.service.js';
import type { ClaimReportLinkDto } from './file-links.dto.js';

/** In milliseconds. */
const DURATIONS = ['3600000', '86400000'] as const;

@ConsoleSection({ path: 'reports/:report_id/link', label: 'Link to a file' })
export class FileLinksConsole {
  constructor(
    private readonly reports: ReportsService,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /', operation: 'claim_report_shares.create' })
  show(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    return this.form(ctx, id, formOf({ minutes: '60' }));
  }

  @Action({ route: 'POST /', operation: 'claim_report_shares.create' })
  make(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    const make = async (): Promise<Answer> => {
      const body = { format: ctx.form.text('format'), minutes: Number(ctx.form.text('minutes')), isOnce: ctx.form.isChecked('isOnce') };
      const { address, expiresAt } = await this.door.call<ClaimReportLinkDto>(ctx, { params: { report_id: id }, body });
      return page(
        say('console.links.made'),
        <>
          <Note tone="notice">{say('console.links.madeAbout')}</Note>
          <Copyable label={say('console.links.made')} text={address} />
          <p class="hint">
            <Time ctx={ctx} at={expiresAt} />
          </p>
          <Way to={pathOf(ctx, 'reports', id)} label={say('console.reports.title')} />
        </>,
      );
    };
    return orAgain(ctx, make, (state) => this.form(ctx, id, state));
  }

  private async form(ctx: PageContext, id: string, state: FormState): Promise<Answer> {
    const { result } = await this.reports.get(ctx, id);
    const formats = (result?.outputs ?? []).map(({ format }): Choice => [format, FILE_KINDS[format].name]);
    const [title, report] = [say('console.links.title'), pathOf(ctx, 'reports', id)];
    if (formats.length === 0) return page(title, <p>{say('console.reports.noFiles')}</p>, state.problem?.status);
    return page(
      title,
      <>
        <p>{say('console.links.about')}</p>
        <ConsoleForm ctx={ctx} state={state} action={`${report}/link`} submit={say('console.links.make')} cancel={report}>
          <SelectField state={state} name="format" label={say('console.links.file')} choices={formats} />
          <SelectField
            state={state}
            name="minutes"
            label={say('console.links.for')}
            choices={DURATIONS.map((ms): Choice => [String(Number(ms) / 60_000), say(`console.overlap.${ms}`)])}
          />
          <CheckField state={state} name="isOnce" label={say('console.links.once')} />
        </ConsoleForm>
      </>,
      state.problem?.status,
    );
  }
}
