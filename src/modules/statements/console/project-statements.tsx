import { type Brief, FirstStep, type Panel, RecordPanel, RecordSearch, SearchSource } from '../../../api/console/ports.js';
import { type PageContext, pathOf } from '../../../api/console/page.js';
import { Table } from '../../../api/console/parts/list.js';
import { count, say } from '../../../api/console/say.js';
import { Implements } from '../../../store/discovery/ports.js';
import { totalOf } from '../../../store/tenant/page.js';
import type { BankStatement } from '../statement.entity.js';
import { BankStatementDto } from '../statements.dto.js';
import { StatementsService } from '../statements.service.js';
import { periodOf, StatementLink, Status, Sure } from './statements.console.js';

@Implements(SearchSource)
export class StatementSearch extends RecordSearch<BankStatement>({
  label: 'Statements',
  order: 20,
  path: 'statements',
  operations: 'bank_statements',
  titleOf: ({ fileName }) => fileName || say('upload.nameless'),
  aboutOf: ({ accountLabel }) => accountLabel,
  shows: [BankStatementDto],
}) {
  constructor(statements: StatementsService) {
    super(statements);
  }
}

@Implements(FirstStep)
export class UploadStep implements FirstStep {
  readonly order = 20;
  readonly title = 'Upload a statement';
  readonly about = 'Reports are made from bank statements. Personal data is masked before anything else happens.';
  readonly path = 'statements/new';

  constructor(private readonly statements: StatementsService) {}

  async isDone(ctx: PageContext): Promise<boolean> {
    return (await this.statements.list(ctx, { page: 1, page_size: 1 })).total > 0;
  }
}

const SHOWN = 50;

@Implements(RecordPanel)
export class ProjectStatements implements RecordPanel {
  readonly of = 'projects';
  readonly order = 20;
  readonly tab = 'statements';
  readonly shows = [BankStatementDto];

  constructor(private readonly statements: StatementsService) {}

  async readBrief(ctx: PageContext, id: string): Promise<Brief> {
    const counts = await this.statements.countsByStatus(ctx, id);
    const [to, label] = [`${pathOf(ctx, 'statements', 'new')}?projectId=${id}`, say('console.statements.upload')];
    const next = { step: 1, about: say('console.statements.noneOfProject'), label, to };
    return { label: say('scopes.of.bank_statements'), count: counts && totalOf(counts), add: [to, label], next };
  }

  async show(ctx: PageContext, id: string): Promise<Panel> {
    const { rows, total } = await this.statements.list(ctx, { page: 1, page_size: SHOWN, project_id: id });
    const body = (
      <>
        <Table
          caption={say('console.statements.ofProject')}
          rows={rows}
          empty={null}
          columns={[
            [say('report.columns.file'), (statement) => <StatementLink ctx={ctx} statement={statement} />],
            [say('report.columns.period'), periodOf],
            [say('console.statements.lines'), ({ lineCount }) => (lineCount === null ? '' : count(lineCount)), 'number'],
            [say('console.statements.status'), ({ redactionStatus }) => <Status of={redactionStatus} />],
            [say('report.columns.certainty'), ({ certainty }) => <Sure of={certainty} />],
          ]}
        />
        {total > rows.length ? (
          <a href={`${pathOf(ctx, 'statements')}?project=${id}`}>{say('console.statements.all', { count: total })}</a>
        ) : null}
      </>
    );
    return { body };
  }
}
