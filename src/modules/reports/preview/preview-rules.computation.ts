import { moneyOf } from '../../../kernel/money.js';
import { tokenOf } from '../../../../tools/personal-data/tokens/index.js';
import type { RulePreview } from '../../categories/index.js';
import { categoriesOf, computeReport } from '../engine/compute.js';
import { requireFewPatterns, type RunCategory, type RunInputs, type RunLine, type TokenOf } from '../engine/inputs.js';
import type { ClaimedLine } from '../engine/line-accumulator.js';
import { comparableLine } from '../engine/rules/conditions.js';
import { Matcher } from '../engine/rules/matcher.js';
import type { ReportOrder } from '../run/make-report.computation.js';

/** Everything that a preview is made from, but the lines. The categories of its inputs are as they are stored. */
export interface PreviewOrder extends Omit<ReportOrder, 'run'> {
  /** The category with the rules to be previewed. It stands for the stored one with its id. */
  readonly draft: RunCategory;
  readonly shown: number;
}

export interface ClaimedPreview {
  readonly line: RunLine;
  readonly claimedToday: string | null;
}

export interface PreviewResult extends Pick<RulePreview, 'claimed' | 'claimedBefore' | 'claimedByOthers' | 'outranked'> {
  readonly lines: readonly ClaimedPreview[];
}

/** Computes two reports from the same lines: with the rules that are stored, and with those to be previewed. */
export default async function* previewRules(
  { inputs, draft, tokenKey, limits, shown }: PreviewOrder,
  batches: AsyncIterable<readonly RunLine[]>,
): AsyncGenerator<never, PreviewResult> {
  const tokens: TokenOf = (field, value) => tokenOf(tokenKey, field === 'counterparty' ? 'person' : 'account', value);
  const proposed = { ...inputs, categories: [...inputs.categories.filter(({ id }) => id !== draft.id), draft] };
  requireFewPatterns(proposed.categories, limits);
  const read: (readonly RunLine[])[] = [];
  for await (const batch of batches) read.push(batch);
  const today = await computeClaims(inputs, read, tokens);
  const alone = new Matcher([draft], tokens);
  const project = new Map(inputs.statements.map(({ id, projectId }) => [id, projectId]));
  const fits = (line: RunLine): boolean => alone.claim(comparableLine(line, moneyOf(line.amount)), project.get(line.statementId)!) !== null;
  const counts = { claimed: 0, claimedBefore: 0, claimedByOthers: 0, outranked: 0 };
  const [others, own]: [ClaimedPreview[], ClaimedPreview[]] = [[], []];
  await eachClaim(proposed, read, tokens, (line, category) => {
    if (category?.id !== draft.id) {
      if (category && fits(line)) counts.outranked += 1;
      return;
    }
    const before = today.get(keyOf(line));
    const isOwn = before?.id === draft.id;
    counts.claimed += 1;
    if (isOwn) counts.claimedBefore += 1;
    else if (before) counts.claimedByOthers += 1;
    const named = isOwn ? own : others;
    if (named.length < shown) named.push({ line, claimedToday: before?.code ?? null });
  });
  return { ...counts, lines: [...others, ...own].slice(0, shown) };
}

const keyOf = ({ statementId, lineNumber }: RunLine): string => `${statementId} ${lineNumber}`;

async function computeClaims(inputs: RunInputs, read: readonly (readonly RunLine[])[], tokens: TokenOf): Promise<Map<string, RunCategory>> {
  const claims = new Map<string, RunCategory>();
  await eachClaim(inputs, read, tokens, (line, category) => {
    if (category) claims.set(keyOf(line), category);
  });
  return claims;
}

type OnClaim = (line: RunLine, category: RunCategory | null) => void;

/** Computes a report, and says for each of its lines which category claims it. */
async function eachClaim(inputs: RunInputs, read: readonly (readonly RunLine[])[], tokens: TokenOf, onClaim: OnClaim): Promise<void> {
  const categories = categoriesOf(inputs);
  const onLine = ({ line, categoryIndex }: ClaimedLine): void => onClaim(line, categoryIndex === null ? null : categories[categoryIndex]!);
  await computeReport(inputs, from(read), { tokenOf: tokens, onLine });
}

async function* from<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}
