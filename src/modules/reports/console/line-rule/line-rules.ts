import { Injectable } from '@nestjs/common';
import { ConsoleDoor } from '../../../../api/console/console-door.js';
import type { Form, PageContext } from '../../../../api/console/page.js';
import type { Choice } from '../../../../api/console/parts/fields.js';
import { canonicalJson, type FreeForm } from '../../../../kernel/json.js';
import { Problem } from '../../../../kernel/problems.js';
import { CategoriesService, scopeIn, ExpenseCategoryDto } from '../../../categories/index.js';
import type { CategoryOutline, PreviewedCategory, RulePreview } from '../../../categories/index.js';
import { ProjectsService } from '../../../projects/index.js';
import { type RedactedLine, StatementsService } from '../../../statements/index.js';
import { RulePreviewer } from '../../preview/previews.js';
import type { ClaimReport } from '../../report.entity.js';
import { ReportsService } from '../../reports.service.js';

const MAX_WORDS = 3;
const MIN_LETTERS = 3;

/** Words of bank statements that say nothing about what was bought: of banks, of time, and short ones, by language. */
const COMMON = new Set(
  [
    'card payment payments purchase transfer direct debit credit standing order reference ref invoice from for the and with',
    'please pay via',
    'visa mastercard maestro debitcard contactless online sepa iban bic atm pos fee fees number date',
    'kartenzahlung lastschrift überweisung gutschrift dauerauftrag rechnung zahlung einkauf verwendungszweck',
    'und der die das den für von mit',
    'paiement carte virement prélèvement facture achat les des par pour avec',
    'betaling pinpas incasso overboeking factuur voor van het een met',
    'pago tarjeta transferencia recibo factura compra los las del por para con',
    'january february march april may june july august september october november december',
    'januar februar märz mai juni juli oktober dezember',
    'gmbh ltd limited inc llc plc bv sarl mbh',
  ]
    .join(' ')
    .split(' '),
);
const MASKED = /^(?:PERSON|ACCOUNT|COMPANY)-/;
const EDGES = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/su;

/**
 * The words of a description that are most likely its own, such as the name of a shop. They stand together in it, so the line
 * contains them. Empty if there are none.
 */
export function suggestedWords(description: string): string {
  const runs: string[][] = [[]];
  for (const word of description.normalize('NFKC').split(/\s+/)) {
    const [, before, core, after] = EDGES.exec(word)!;
    if (before !== '') runs.push([]);
    if (isOwn(core!)) runs.at(-1)!.push(core!);
    else runs.push([]);
    if (after !== '') runs.push([]);
  }
  return (runs.find(({ length }) => length > 0) ?? []).slice(0, MAX_WORDS).join(' ');
}

const isOwn = (word: string): boolean =>
  word.length >= MIN_LETTERS && /^\p{L}[^\p{N}]*$/u.test(word) && !MASKED.test(word) && !COMMON.has(word.toLowerCase());

export interface LinePlace {
  readonly report_id: string;
  readonly statement_id: string;
  readonly line_number: string;
}

export interface RuledLine {
  readonly run: ClaimReport;
  readonly statementId: string;
  readonly line: RedactedLine;
  readonly categories: readonly CategoryOutline[];
  /** The project that a new category may belong to. */
  readonly projects: readonly Choice[];
}

/** The body of the operation that stores the rule. */
export type RuledCategory = Omit<PreviewedCategory, 'id'>;

@Injectable()
export class LineRules {
  constructor(
    private readonly reports: ReportsService,
    private readonly statements: StatementsService,
    private readonly categories: CategoriesService,
    private readonly projects: ProjectsService,
    private readonly previewer: RulePreviewer,
  ) {}

  async read(ctx: PageContext, place: LinePlace): Promise<RuledLine> {
    const [run, statement] = await Promise.all([this.reports.get(ctx, place.report_id), this.statements.get(ctx, place.statement_id)]);
    const [line] = await this.statements.linesOnPage(ctx, statement, { page: numberOf(place), page_size: 1 });
    if (!line) throw new Problem('not_found', { detail: 'The line is not kept any more.' });
    const { projectId } = statement;
    const [applicable, names] = await Promise.all([this.categories.applicable(ctx, projectId), this.projects.names(ctx, [projectId])]);
    const categories = applicable.filter((one) => one.status === 'active' && (one.projectId === null || one.projectId === projectId));
    return { run, statementId: statement.id, line, categories: categories.sort(byCode), projects: [...names] };
  }

  /** The category as it will be with the rule. */
  async with(ctx: PageContext, { categories }: RuledLine, wanted: WantedRule): Promise<RuledCategory & { readonly updatedAt?: string }> {
    const { categoryId, code, name, projectId, rule } = wanted;
    if (categoryId === undefined) return { projectId, code, name, sourceMapping: withRule({}, rule) };
    if (!categories.some(({ id }) => id === categoryId))
      throw Problem.invalidField('category', 'not_allowed', 'must be a category that can claim the line');
    const stored = await this.categories.get(ctx, categoryId);
    return { ...stored, sourceMapping: withRule(stored.sourceMapping, rule) };
  }

  preview(ctx: PageContext, { categoryId }: WantedRule, category: RuledCategory): Promise<RulePreview> {
    return this.previewer.preview(ctx, { ...category, id: categoryId ?? null }, scopeIn(ctx.form));
  }
}

const byCode = (a: CategoryOutline, b: CategoryOutline): number => a.code.localeCompare(b.code, 'en');

function numberOf({ line_number: text }: LinePlace): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Problem('not_found', { detail: 'There is no line with this number.' });
  return Number(text);
}

/** What the form says of the rule, and of the category that it is for. */
export interface WantedRule {
  /** Id of the category; undefined for a new one. */
  readonly categoryId: string | undefined;
  readonly code: string;
  readonly name: string;
  readonly projectId: string | null;
  readonly rule: object;
}

/** What is suggested for a line. Its amount is not: that of the next one may differ. */
export function suggestedFor({ description, counterparty }: RedactedLine) {
  const words = suggestedWords(description);
  return { description: words, counterparty: words === '' ? counterparty : null };
}

export function wantedIn(form: Form): WantedRule {
  const [description, counterparty, percent] = [
    form.text('description').trim(),
    form.text('counterparty').trim(),
    form.text('percent').trim(),
  ];
  if (description === '' && counterparty === '')
    throw Problem.invalidField('description', 'required', 'must have words, unless the rule names a counterparty');
  return {
    categoryId: form.given('category'),
    code: form.text('code'),
    name: form.text('name'),
    projectId: form.given('projectId') ?? null,
    rule: {
      ...(percent !== '' && { claimablePercent: Number.isFinite(Number(percent)) ? Number(percent) : percent }),
      all: [
        ...(description === '' ? [] : [{ field: 'description', op: 'contains', value: description }]),
        ...(counterparty === '' ? [] : [{ field: 'counterparty', op: 'is', value: counterparty }]),
      ],
    },
  };
}

/** A mapping with one more rule; itself if it has the very same rule. */
function withRule(mapping: FreeForm, rule: object): FreeForm {
  const rules: unknown[] = Array.isArray(mapping.rules) ? mapping.rules : [];
  const wanted = canonicalJson(rule);
  return rules.some((one) => canonicalJson(one) === wanted) ? mapping : { ...mapping, rules: [...rules, rule] };
}

/** What a rule may be previewed with before its category has a name. */
const UNNAMED = 'PREVIEW';
/** How often a rule is added anew to a category that others change meanwhile. */
const ATTEMPTS = 5;

@Injectable()
export class LineRuleWriter {
  constructor(
    private readonly lines: LineRules,
    private readonly door: ConsoleDoor,
  ) {}

  /** The category with the rule, if the operation would take it. */
  async checked(ctx: PageContext, ruled: RuledLine, wanted: WantedRule): Promise<RuledCategory> {
    const { projectId, code, name, sourceMapping } = await this.lines.with(ctx, ruled, wanted);
    const body = { projectId, code: code || UNNAMED, name: name || UNNAMED, sourceMapping };
    await this.door.checked(ctx, body);
    return body;
  }

  async create(ctx: PageContext, ruled: RuledLine, wanted: WantedRule): Promise<string> {
    const { projectId, code, name, sourceMapping } = await this.lines.with(ctx, ruled, wanted);
    const body = { projectId, code, name, sourceMapping };
    const { id } = await this.door.call<ExpenseCategoryDto>(ctx, { body });
    return id;
  }

  /** Adds the rule to the rules that the category has at this moment. Sent twice, it is added once. */
  async update(ctx: PageContext, ruled: RuledLine, wanted: WantedRule, id: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { sourceMapping, updatedAt } = await this.lines.with(ctx, ruled, wanted);
      const check = (row: { readonly updatedAt: string }): void => {
        if (row.updatedAt !== updatedAt) throw new Problem('changed_meanwhile');
      };
      try {
        await this.door.call(ctx, { params: { category_id: id }, body: { sourceMapping }, expectation: { recordId: id, check } });
        return;
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'changed_meanwhile' || attempt === ATTEMPTS) throw error;
      }
    }
  }
}
