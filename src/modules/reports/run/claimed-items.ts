import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../kernel/json.js';
import { amountOf, type ClaimItem } from '../../claim-items/index.js';
import type { RedactedLine } from '../../statements/index.js';
import { ITEMS_STATEMENT, type RunDecision, type RunInputs, type RunStatement } from '../engine/inputs.js';

/**
 * Items as lines of a statement of their own, each decided by whoever has entered it: all that holds for lines holds for them, and no file
 * can leave them out.
 */
export function inputsOfItems(items: readonly ClaimItem[]): Pick<RunInputs, 'statements' | 'items' | 'decisions'> {
  if (items.length === 0) return { statements: [] };
  const lines = items.map(lineOf);
  const statement: RunStatement = {
    id: ITEMS_STATEMENT,
    projectId: null,
    sha256: createHash('sha256').update(canonicalJson(lines)).digest('hex'),
    fileName: 'claim items',
    accountLabel: null,
    redactionVersion: 'declared',
    periodStart: null,
    periodEnd: null,
    balances: [],
  };
  return { statements: [statement], items: lines, decisions: items.map(decisionOf) };
}

function lineOf(item: ClaimItem, index: number): RedactedLine {
  const { id, incurredOn, currency, name, quantity, unit, rate, rateSource } = item;
  const priced = quantity === '1' ? null : `${[quantity, unit ?? []].flat().join(' ')} × ${rate} ${currency}`;
  const details = [priced, rateSource].filter((detail) => detail !== null).join(', ');
  return {
    lineNumber: index + 1,
    account: null,
    bookedOn: incurredOn,
    amount: `-${amountOf(item)}`,
    currency,
    description: details === '' ? name : `${name} (${details})`,
    counterparty: null,
    counterpartyAccount: null,
    reference: null,
    fingerprint: fingerprintOf(id),
  };
}

const decisionOf = ({ id, categoryId, taxPercent, enteredBy, updatedAt }: ClaimItem): RunDecision => ({
  id,
  fingerprint: fingerprintOf(id),
  occurrence: 1,
  parts: [{ categoryId, amount: null, claimablePercent: '100', taxPercent }],
  by: enteredBy,
  at: updatedAt,
  reason: null,
});

const fingerprintOf = (id: string): string => id.replaceAll('-', '');
