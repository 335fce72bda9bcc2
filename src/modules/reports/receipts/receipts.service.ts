import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { changedProperties, given, pick } from '../../../kernel/changes.js';
import type { Tenant } from '../../../kernel/context.js';
import { newId } from '../../../kernel/ids.js';
import { formatMoney, moneyOf } from '../../../kernel/money.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { Events } from '../../../store/events/events.js';
import type { Original } from '../../../store/files/encrypted-files.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { amountOf, ClaimItemsService } from '../../claim-items/index.js';
import { ProjectsService } from '../../projects/index.js';
import { nameOfPath, StatementsService } from '../../statements/index.js';
import { ClaimLinesRepository } from '../lines/claim-lines.repository.js';
import type { Receipt } from './receipt.entity.js';
import { isMisnamed } from '../../../kernel/file-kinds.js';
import { receiptTypeOf } from './receipt-types.js';
import { type ListReceiptsQuery, MAX_NAME, RECEIPT_FIELDS, ReceiptDto, type SaidReceipt, type UpdateReceiptDto } from './receipts.dto.js';
import { ReceiptCreated, ReceiptUpdated } from './receipts.events.js';
import { ReceiptFiles, ReceiptsRepository } from './receipts.repository.js';

/** Of one line or claim item. */
const MOST_AT_ONE = 100;

const NO_LINE = { claimLineId: null, statementId: null, fingerprint: null, occurrence: null, bookedOn: null, amount: null };

/** What a receipt is for: lines of runs, and claim items. */
@Injectable()
export class ReceiptPlaces {
  constructor(
    private readonly lines: ClaimLinesRepository,
    private readonly items: ClaimItemsService,
    private readonly statements: StatementsService,
    private readonly projects: ProjectsService,
  ) {}

  async findBooking(ctx: ReadContext, lineId: string): Promise<Pick<Receipt, 'fingerprint' | 'occurrence'> | undefined> {
    return (await this.lines.ofIds(ctx, [lineId]))[0];
  }

  async named(ctx: ReadContext, { projectId = null, claimLineId = null, claimItemId = null }: SaidReceipt) {
    if ([projectId, claimLineId, claimItemId].filter((id) => id !== null).length !== 1)
      throw Problem.invalidField('projectId', 'required', 'must be given, or claimLineId or claimItemId instead: one of the three');
    if (claimLineId === null) {
      const item = claimItemId && ((await this.items.find(ctx, claimItemId)) ?? missingAt('claimItemId', 'claim item'));
      return { ...NO_LINE, claimItemId, projectId: item ? item.projectId : projectId };
    }
    const line = (await this.lines.ofIds(ctx, [claimLineId]))[0] ?? missingAt('claimLineId', 'claim line of the newest runs');
    const booking = pick(line, ['statementId', 'fingerprint', 'occurrence', 'bookedOn', 'amount']);
    return { ...booking, claimLineId, claimItemId, projectId: await this.findProject(ctx, line.statementId) };
  }

  /** Refuses what is about days of a final claim, and more tax than there is money. What it is for may have changed since. */
  async requireFit(ctx: WriteContext, receipt: Receipt, others: readonly Receipt[]): Promise<void> {
    const item = receipt.claimItemId === null ? undefined : await this.items.find(ctx, receipt.claimItemId);
    const { projectId, day, amount } = item
      ? { projectId: item.projectId, day: item.incurredOn, amount: amountOf(item) }
      : { projectId: await this.findProject(ctx, receipt.statementId), day: receipt.bookedOn, amount: receipt.amount };
    if (projectId !== null && day !== null) await this.projects.requireOpen(ctx, projectId, { start: day, end: day });
    const { taxAmount } = receipt;
    if (taxAmount === null || receipt.status === 'withdrawn') return;
    if (amount === null) throw Problem.invalidField('taxAmount', 'not_allowed', 'must be left out without a claim line or item');
    const rest = others.reduce((sum, other) => sum - moneyOf(other.taxAmount ?? '0'), moneyOf(amount.replace('-', '')));
    if (moneyOf(taxAmount) < 0n || moneyOf(taxAmount) > rest)
      throw Problem.invalidField('taxAmount', 'out_of_range', `must be from 0 to ${formatMoney(rest, 2)}: with that of other receipts`);
  }

  private async findProject(ctx: ReadContext, statementId: string | null): Promise<string | null> {
    return statementId === null ? null : ((await this.statements.ofIds(ctx, [statementId]))[0]?.projectId ?? null);
  }
}

function missingAt(field: string, what: string): never {
  throw Problem.relatedMissing(field, what);
}

type Sent = Pick<Receipt, 'id' | 'fileName' | 'sizeBytes' | 'sha256'> & { readonly mediaType?: string; readonly original: Original };

/** Files at lines, claim items and projects, which reports name and evidence packs have. */
@Injectable()
export class ReceiptsService {
  constructor(
    private readonly receipts: ReceiptsRepository,
    private readonly files: ReceiptFiles,
    private readonly places: ReceiptPlaces,
    private readonly projects: ProjectsService,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  async list(ctx: ReadContext, query: ListReceiptsQuery): Promise<PageOf<Receipt>> {
    const { status, project_id: projectId, claim_item_id: claimItemId, claim_line_id: lineId } = query;
    const booking = lineId === undefined ? undefined : ((await this.places.findBooking(ctx, lineId)) ?? { fingerprint: '', occurrence: 0 });
    const ofLine = booking && { fingerprint: booking.fingerprint, occurrence: String(booking.occurrence) };
    return this.receipts.page(ctx, query, { status, projectId, claimItemId, ...ofLine, ...RECEIPT_FIELDS.filters(query) });
  }

  async get(ctx: ReadContext, id: string): Promise<Receipt> {
    return (await this.receipts.get(ctx, id)) ?? missing();
  }

  /** The bytes of a receipt, read while they are sent. */
  open(tenant: Tenant, { id, status }: Receipt): Promise<AsyncIterable<Uint8Array>> {
    if (status === 'withdrawn') throw new Problem('not_found', { detail: 'The file of a withdrawn receipt was removed.' });
    return this.files.open(tenant, id);
  }

  /** Before the transaction. What is wrong with the file is said in it: the key of the call may have an answer already. */
  prepare(tenant: Tenant, said: SaidReceipt): Promise<Sent> {
    const file = 'content' in said ? Buffer.from(said.content, 'base64') : said.file.content;
    const named = 'content' in said ? said.fileName : (said.fileName ?? said.file.name);
    const [id, mediaType] = [newId(), receiptTypeOf(file)];
    const sha256 = createHash('sha256').update(file).digest('hex');
    const fileName = [...nameOfPath(named)].slice(0, MAX_NAME).join('') || 'receipt';
    const about = { id, fileName, sizeBytes: file.length, sha256, ...(mediaType && { mediaType }) };
    return this.files.placing(tenant, mediaType ? [{ id, file }] : [], ([original = { file }]) => Promise.resolve({ ...about, original }));
  }

  /** The same file at the same place again is the receipt that is there. */
  async create(ctx: WriteContext, said: SaidReceipt, { original, mediaType, ...sent }: Sent): Promise<Receipt> {
    const field = 'content' in said ? 'content' : 'file';
    if (mediaType === undefined)
      throw Problem.invalidField(field, 'not_allowed', 'must be a PDF, JPEG, PNG or HEIC file, or an e-mail (.eml)');
    if (isMisnamed(sent.fileName, mediaType))
      throw Problem.invalidField(field, 'not_allowed', `must have a name that fits its content, which is ${mediaType}`);
    const { organizationId, environment, actor } = ctx;
    const now = this.clock.timestamp();
    const receipt: Receipt = {
      ...{ organizationId, environment, createdAt: now, updatedAt: now, ...sent, mediaType },
      ...(await this.places.named(ctx, said)),
      ...{ taxAmount: said.taxAmount ?? null, note: said.note ?? null, status: 'active', enteredBy: actor.name },
      ...RECEIPT_FIELDS.stored(said),
    };
    const others = await this.receipts.othersAt(ctx, receipt, MOST_AT_ONE);
    const same = others.find(({ sha256 }) => sha256 === receipt.sha256);
    if (same) return same;
    if (others.length === MOST_AT_ONE)
      throw new Problem('limit_exceeded', { detail: `A claim line or item has at most ${MOST_AT_ONE} receipts.` });
    await this.places.requireFit(ctx, receipt, others);
    await this.projects.writeRelated(ctx, receipt.projectId, () => this.receipts.insert(ctx, receipt));
    await this.files.store(ctx, receipt.id, original);
    this.events.append(ctx, ReceiptCreated, { before: null, after: ReceiptDto.from(receipt) });
    return receipt;
  }

  async update(ctx: WriteContext, id: string, input: UpdateReceiptDto): Promise<Receipt> {
    const before = (await this.receipts.lock(ctx, id)) ?? missing();
    const after: Receipt = { ...before, ...given(input), ...RECEIPT_FIELDS.stored(input, before) };
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    const others = await this.receipts.othersAt(ctx, after, MOST_AT_ONE);
    await this.places.requireFit(ctx, after, others);
    Object.assign(after, { updatedAt: this.clock.after(before.updatedAt), enteredBy: ctx.actor.name });
    await this.receipts.update(ctx, after, [...changed, 'updatedAt', 'enteredBy']);
    if (after.status === 'withdrawn') await this.files.remove(ctx, id);
    this.events.append(ctx, ReceiptUpdated, { before: ReceiptDto.from(before), after: ReceiptDto.from(after) });
    return after;
  }
}

function missing(): never {
  throw new Problem('not_found', { detail: 'There is no receipt with this id.' });
}
