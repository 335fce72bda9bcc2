import { FORGOTTEN } from '../../kernel/audit-actions.js';
import { Entity, Index } from 'typeorm';
import { RecordFields, RowOf } from '../../api/validation/record-fields.js';
import { formatMoney, minorDigitsOf, moneyOf, roundFraction, unitOf } from '../../kernel/money.js';
import { CustomFieldsColumn, type CustomValues, TextColumn } from '../../store/database/columns.js';
import { ClaimItemDto, CreateClaimItemDto, ListClaimItemsQuery, UpdateClaimItemDto } from './claim-items.dto.js';
import { NamesPerson, PersonStays, lastChangedBy } from '../../store/tenant/organization-tables.js';

@Entity('claim_items')
@PersonStays(['name', 'rate_source', 'custom_fields', 'search_key'])
@NamesPerson(lastChangedBy('claim_item'), { entered_by: `'${FORGOTTEN}'` })
@Index('claim_items_newest', ['organizationId', 'environment', 'id'])
@Index('claim_items_changed', ['organizationId', 'environment', 'updatedAt'])
@Index('claim_items_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('claim_items_by_project', ['organizationId', 'environment', 'projectId', 'id'])
@Index('claim_items_by_category', ['organizationId', 'environment', 'categoryId', 'id'])
@Index('claim_items_search', { synchronize: false })
export class ClaimItem extends RowOf(CreateClaimItemDto) {
  /** The name of whoever has changed it last, which reports show. */
  @TextColumn() enteredBy: string;
  /** The name, folded: the text that a search looks through. */
  @TextColumn({ select: false }) searchKey?: string;
  @CustomFieldsColumn() customFields?: CustomValues;
}

export const CLAIM_ITEM_FIELDS = new RecordFields({
  entity: ClaimItem,
  create: CreateClaimItemDto,
  update: UpdateClaimItemDto,
  answer: ClaimItemDto,
  list: ListClaimItemsQuery,
  also: (row: ClaimItem) => ({ amount: amountOf(row) }),
  customFieldsOf: 'claim_items',
});

/** What is claimed. */
export function amountOf({ quantity, rate, currency }: Pick<ClaimItem, 'quantity' | 'rate' | 'currency'>): string {
  const digits = minorDigitsOf(currency);
  return formatMoney(roundFraction({ numerator: moneyOf(quantity) * moneyOf(rate), denominator: unitOf(0) }, digits), digits);
}

export const shownItem = (row: ClaimItem): ClaimItemDto => CLAIM_ITEM_FIELDS.answer(row) as ClaimItemDto;
