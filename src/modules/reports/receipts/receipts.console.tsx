import { Readable } from 'node:stream';
import { Param } from '@nestjs/common';
import { ConsoleDoor, forPart, orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { type Answer, download, formOf, type FormState, goTo, page, type PageContext, PageCtx, pathOf } from '../../../api/console/page.js';
import { ActionButton, Confirm, Time } from '../../../api/console/parts/facts.js';
import { ConsoleForm, FileField, TextField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { customColumns, recordBody, RecordInputs } from '../../../api/console/parts/record.js';
import { amount, say, told } from '../../../api/console/say.js';
import { MIB } from '../../../api/validation/read-files.js';
import { isUuid } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import type { Receipt } from './receipt.entity.js';
import { RECEIPT_FIELDS, RECEIPT_FORM, ReceiptDto } from './receipts.dto.js';
import { ReceiptsService } from './receipts.service.js';

const SECTION = 'receipts';
const BOUNDS = { files: 5, fileBytes: RECEIPT_FORM.maxBytes, formBytes: 51 * MIB };
/** As many as one line or item has. */
const SHOWN = 100;

type Place = { readonly claimLineId?: string; readonly claimItemId?: string };

/** What receipts are for, by an address or a form. */
function placeIn(textOf: (name: string) => string): Place {
  const named = ['claimLineId', 'claimItemId'].map((name) => [name, textOf(name)] as const);
  return Object.fromEntries(named.filter(([, id]) => isUuid(id)));
}

/** The receipts of a claim line or a claim item, which their pages lead to. */
@ConsoleSection({ path: SECTION, label: 'Receipts', shows: [ReceiptDto] })
export class ReceiptsConsole {
  constructor(
    private readonly receipts: ReceiptsService,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /', operation: 'receipts.list' })
  list(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.listed(ctx, (name) => ctx.query.get(name) ?? '', formOf());
  }

  @Action({ route: 'POST /', operation: 'receipts.create', takesFiles: BOUNDS })
  add(@PageCtx() ctx: PageContext): Promise<Answer> {
    const textOf = (name: string): string => ctx.form.text(name);
    const add = async (): Promise<Answer> => {
      const [place, files] = [placeIn(textOf), ctx.form.files('file')];
      if (files.length === 0 || files.some(({ isTooLarge }) => isTooLarge))
        throw Problem.invalidField('file', 'required', 'must be files of at most 10 MiB each');
      const own = { taxAmount: textOf('taxAmount') || undefined, note: textOf('note') || undefined };
      const body = { ...place, ...own, ...recordBody(RECEIPT_FIELDS, ctx.form) };
      for (const [index, file] of files.entries()) await this.door.call(forPart(ctx, String(index)), { body, file });
      const back = `${pathOf(ctx, SECTION)}?${new URLSearchParams({ ...place }).toString()}`;
      return goTo(back, say('console.receipts.added', { count: files.length }));
    };
    return orAgain(ctx, add, (state) => this.listed(ctx, textOf, state));
  }

  @Action({ route: 'POST /:receipt_id/file', role: 'member', reads: { action: 'receipt.file_taken', of: 'receipt_id' } })
  async file(@PageCtx() ctx: PageContext, @Param('receipt_id') id: string): Promise<Answer> {
    const receipt = await this.receipts.get(ctx, id);
    return download(receipt.fileName, receipt.mediaType, Readable.from(await this.receipts.open(ctx, receipt)));
  }

  @Action({ route: 'POST /:receipt_id/withdraw', operation: 'receipts.update' })
  async withdraw(@PageCtx() ctx: PageContext, @Param('receipt_id') id: string): Promise<Answer> {
    await this.door.call(ctx, { params: { receipt_id: id }, body: { status: 'withdrawn' } });
    return goTo(pathOf(ctx, SECTION), say('console.receipts.withdrawn'));
  }

  private async listed(ctx: PageContext, textOf: (name: string) => string, state: FormState): Promise<Answer> {
    const place = placeIn(textOf);
    const of = { claim_line_id: place.claimLineId, claim_item_id: place.claimItemId };
    const { rows } = await this.receipts.list(ctx, { page: 1, page_size: SHOWN, ...of });
    return page(
      told('Receipts'),
      <>
        <ReceiptTable ctx={ctx} rows={rows} />
        {Object.keys(place).length > 0 && ctx.can('receipts.create') ? (
          <ConsoleForm ctx={ctx} state={state} action={pathOf(ctx, SECTION)} submit={say('console.receipts.add')} hasFiles>
            {Object.entries(place).map(([name, id]) => (
              <input type="hidden" name={name} value={id} />
            ))}
            <FileField state={state} name="file" label={say('report.columns.file')} hint={say('console.receipts.hint')} required />
            <TextField state={state} name="taxAmount" label={say('console.receipts.tax')} maxLength={38} />
            <TextField state={state} name="note" label={say('console.lines.note')} maxLength={2000} />
            <RecordInputs fields={RECEIPT_FIELDS} state={state} />
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
        ({ id, fileName, status }) =>
          status === 'active' && !ctx.hidden ? (
            <ActionButton ctx={ctx} action={pathOf(ctx, SECTION, id, 'file')} label={fileName} />
          ) : (
            fileName
          ),
      ],
      [say('console.receipts.tax'), ({ taxAmount }) => taxAmount && amount(taxAmount), 'number'],
      [say('console.lines.note'), ({ note }) => note],
      ...customColumns(RECEIPT_FIELDS, ctx, ReceiptDto.from),
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
