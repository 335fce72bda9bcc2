import { ConsoleDoor } from '../../../api/console/console-door.js';
import { ConsoleSection } from '../../../api/console/declarations.js';
import { type FormState, type PageContext, pathOf } from '../../../api/console/page.js';
import { money, say, told } from '../../../api/console/say.js';
import { type Columns, RecordPages } from '../../../api/console/record-pages.js';
import { CategoriesService } from '../../categories/index.js';
import { ProjectsService } from '../../projects/index.js';
import { amountOf, CLAIM_ITEM_FIELDS, type ClaimItem } from '../claim-item.entity.js';
import { ClaimItemsService } from '../claim-items.service.js';

const ofProjects = () => ({ none: say('console.list.choose'), path: 'projects' });
const ofCategories = () => ({ none: say('console.list.choose'), path: 'categories' });

@ConsoleSection({
  path: 'items',
  label: 'Claim items',
  adds: 'New claim item',
  group: 'Claims',
  order: 5,
  operation: 'claim_items.list',
})
export class ClaimItemsConsole extends RecordPages({
  path: 'items',
  operations: 'claim_items',
  id: 'claim_item_id',
  fields: CLAIM_ITEM_FIELDS,
  one: 'claim item',
  all: 'Claim items',
  about: 'Costs that no bank statement has, such as mileage, day rates and hours of staff.',
  search: 'Name',
}) {
  constructor(
    items: ClaimItemsService,
    private readonly projects: ProjectsService,
    private readonly categories: CategoriesService,
    door: ConsoleDoor,
  ) {
    super(items, door);
  }

  protected override async related(ctx: PageContext, rows: readonly ClaimItem[]) {
    const [projects, categories] = [rows.map(({ projectId }) => projectId), rows.map(({ categoryId }) => categoryId)];
    return {
      projectId: { ...ofProjects(), names: await this.projects.names(ctx, projects) },
      categoryId: { ...ofCategories(), names: await this.categories.names(ctx, categories) },
    };
  }

  protected override furtherFacts(ctx: PageContext, item: ClaimItem) {
    const receipts = <a href={`${pathOf(ctx, 'receipts')}?claimItemId=${item.id}`}>{say('console.receipts.add')}</a>;
    return [[told('Amount'), money(amountOf(item), item.currency)] as const, [told('Receipts'), receipts] as const];
  }

  protected override furtherColumns(): Columns<ClaimItem> {
    return [[told('Amount'), (item) => money(amountOf(item), item.currency), 'number']];
  }

  protected override async choices(ctx: PageContext, state?: FormState) {
    return {
      projectId: { ...ofProjects(), choices: await this.projects.choices(ctx, state?.values('projectId')[0]) },
      categoryId: { ...ofCategories(), choices: await this.categories.choices(ctx) },
    };
  }
}
