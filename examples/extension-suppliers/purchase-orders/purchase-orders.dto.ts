import {
  AnswerOf,
  CalendarDate,
  Changes,
  Currency,
  Decimal,
  Money,
  OneOf,
  PageQuery,
  RecordOf,
  Text,
  Uuid,
  WithRanges,
} from '../../../extension-api.js';

export const PURCHASE_ORDER_STATUSES = ['open', 'received', 'cancelled'] as const;
export type PurchaseOrderStatus = (typeof PURCHASE_ORDER_STATUSES)[number];

export class CreatePurchaseOrderDto {
  @Text({ about: 'What is ordered.', min: 1, max: 200, example: 'Ten laptops', people: { inList: true } })
  name: string;

  @RecordOf('suppliers', { about: 'Supplier that it is placed with.', people: { inList: true } })
  supplierId: string;

  @RecordOf('claim_projects', { about: 'Claim project that it is for; `null`: none.', optional: true, nullable: true, default: null })
  projectId?: string | null;

  @Text({
    about: 'Number of the order, which the supplier has once. Case and spelling do not matter.',
    min: 1,
    max: 40,
    optional: true,
    nullable: true,
    default: null,
    example: 'PO-1042',
  })
  number?: string | null;

  @Decimal({
    about: 'How much is ordered: pieces, hours or kilometres.',
    places: 3,
    min: '0',
    max: '1000000',
    optional: true,
    default: '1',
    example: '7.25',
  })
  quantity?: string;

  @Money({ about: 'What it costs.', people: { inList: true } })
  amount: string;

  @Currency({ about: 'Currency of the amount.', people: { inList: true } })
  currency: string;

  @CalendarDate({ about: 'Day of the order.', example: '2026-02-28', people: { label: 'Ordered on', inList: true } })
  orderedOn: string;

  @OneOf(PURCHASE_ORDER_STATUSES, {
    about: 'Status of the order. It may change to any other.',
    optional: true,
    default: 'open',
    example: 'open',
    people: { words: { open: ['Open', 'busy'], received: ['Received', 'good'], cancelled: ['Cancelled', 'plain'] }, inList: true },
  })
  status?: PurchaseOrderStatus;
}

export class UpdatePurchaseOrderDto extends Changes(CreatePurchaseOrderDto) {}

const RANGES = ['quantity', 'amount', 'orderedOn'] as const;

export class ListPurchaseOrdersQuery extends WithRanges(PageQuery, CreatePurchaseOrderDto, RANGES) {
  @Text({ about: 'Case-insensitive substring of the name.', max: 200, optional: true, example: 'laptop' })
  search?: string;

  @Uuid({ about: 'Only orders that are placed with this supplier.', optional: true })
  supplier_id?: string;

  @Uuid({ about: 'Only orders for this claim project.', optional: true })
  project_id?: string;

  @OneOf(PURCHASE_ORDER_STATUSES, { about: 'Only orders with this status.', optional: true, example: 'open' })
  status?: PurchaseOrderStatus;
}

export class PurchaseOrderDto extends AnswerOf(CreatePurchaseOrderDto) {}
