import { Readable } from 'node:stream';
import { Param } from '@nestjs/common';
import { ConsoleDoor, forPart, orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { type Answer, download, formOf, type FormState, goTo, page, type PageContext, PageCtx, pathOf } from '../../../api/console/page.js';
import { Confirm, Time } from '../../../api/console/parts/facts.js';
import { ConsoleForm, FileField, TextField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { amount, say, told } from '../../../api/console/say.js';
import { MIB } from '../../../api/validation/read-files.js';
import { given } from '../../../kernel/changes.js';
import { isUuid } from '../../../kernel/ids.js';
import type { Receipt } from './receipt.entity.js';
import { RECEIPT_FORM } from './receipts.dto.js';
import { ReceiptsService } from './receipts.service.js';

const SECTION = 'receipts';
const BOUNDS = { files: 5, fileBytes: RECEIPT_FORM.maxBytes, formBytes: 51 * MIB };
/** As many as one line or item has. */
const SHOWN = 100;

/** The receipts of a claim line or a claim item, which their pages lead to. */
@ConsoleSection({ path: SECTION, label: 'Receipts' })
export class ReceiptsConsole {
  constructor(
    private readonly receipts: ReceiptsService,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /', operation: 'receipts.list' })
  list(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.listed(ctx, (name) => ctx.query.get(name) ?? undefined, formOf());
  }

  @Action({ route: 'POST /', operation: 'receipts.create', takesFiles: BOUNDS })
  add(@PageCtx() ctx: PageContext): Promise<Answer> {
    const valueOf = (name: string): string | undefined => ctx.form.given(name);
    const [claimLineId, claimItemId] = [valueOf('claimLineId'), valueOf('claimItemId')];
    const body = given({ claimLineId, claimItemId, taxAmount: valueOf('taxAmount'), note: valueOf('note') });
    const add = async (): Promise<Answer> => {
      const files = ctx.form.files('file');
      for (const [index, file] of files.entries()) await this.door.call(forPart(ctx, String(index)), { body, file });
      const place = new URLSearchParams(given({ claimLineId, claimItemId }) as Record<string, string>);
      return goTo(`${pathOf(ctx, SECTION)}?${place.toString()}`, say('console.receipts.added', { count: files.length }));
    };
    return orAgain(ctx, add, (state) => this.listed(ctx, valueOf, state));
  }

  @Page({ route: 'GET /:receipt_id/file', operation: 'receipts.get' })
  async file(@PageCtx() ctx: PageContext, @Param('receipt_id') id: string): Promise<Answer> {
    const { fileName, mediaType } = await this.receipts.get(ctx, id);
    return download(fileName, mediaType, Readable.from(await this.receipts.open(ctx, id)));
  }

  @Action({ route: 'POST /:receipt_id/withdraw', operation: 'receipts.update' })
  async withdraw(@PageCtx() ctx: PageContext, @Param('receipt_id') id: string): Promise<Answer> {
    await this.door.call(ctx, { params: { receipt_id: id }, body: { status: 'withdrawn' } });
    return goTo(pathOf(ctx, SECTION), say('console.receipts.withdrawn'));
  }

  private async listed(ctx: PageContext, valueOf: (name: string) => string | undefined, state: FormState): Promise<Answer> {
    const [place, id] = ['claimLineId', 'claimItemId'].map((name) => [name, valueOf(name)]).find(([, value]) => isUuid(value ?? '')) ?? [];
    const of = { claim_line_id: place === 'claimLineId' ? id : undefined, claim_item_id: place === 'claimItemId' ? id : undefined };
    const { rows } = await this.receipts.list(ctx, { page: 1, page_size: SHOWN, ...of });
    return page(
      told('Receipts'),
      <>
        <ReceiptTable ctx={ctx} rows={rows} />
        {id !== undefined && ctx.can('receipts.create') ? (
          <ConsoleForm ctx={ctx} state={state} action={pathOf(ctx, SECTION)} submit={say('console.receipts.add')} hasFiles>
            <input type="hidden" name={place} value={id} />
            <FileField state={state} name="file" label={say('report.columns.file')} hint={say('console.receipts.hint')} required />
            <TextField state={state} name="taxAmount" label={say('console.receipts.tax')} maxLength={38} />
            <TextField state={state} name="note" label={say('console.lines.note')} maxLength={2000} />
          </ConsoleForm>
        ) : null}
      </>,
      state.problem?.status,
    );
  }
}

const ReceiptTable = ({ ctx, rows }: { readonly ctx: PageContext; readonly rows: readonly Receipt[] }) => (
  <Table
    caption={told('Receipts')}
    rows={rows}
    empty={<p>{say('console.receipts.none')}</p>}
    columns={[
      [
        say('report.columns.file'),
        ({ id, fileName, status }) => (status === 'active' ? <a href={pathOf(ctx, SECTION, id, 'file')}>{fileName}</a> : fileName),
      ],
      [say('console.receipts.tax'), ({ taxAmount }) => taxAmount && amount(taxAmount), 'number'],
      [say('console.lines.note'), ({ note }) => note],
      [say('console.receipts.by'), ({ enteredBy }) => enteredBy],
      [say('console.lines.at'), ({ updatedAt }) => <Time ctx={ctx} at={updatedAt} />],
      [told('Status'), (receipt) => <Withdraw ctx={ctx} receipt={receipt} />],
    ]}
  />
);

const Withdraw = ({ ctx, receipt: { id, status } }: { readonly ctx: PageContext; readonly receipt: Receipt }) =>
  status === 'active' && ctx.can('receipts.update') ? (
    <Confirm
      ctx={ctx}
      action={pathOf(ctx, SECTION, id, 'withdraw')}
      label={say('console.receipts.withdraw')}
      question={say('console.receipts.question')}
      submit={say('console.receipts.withdraw')}
    />
  ) : (
    <>{told(status === 'active' ? 'Active' : 'Withdrawn')}</>
  );
