/** Columns of an item, from 0. The tax and its percentage are there only in a report with taxes. */
export const ITEM_COLUMNS = { category: 0, month: 2, expense: 10, claim: 12, taxPercent: 13, tax: 14 } as const;
