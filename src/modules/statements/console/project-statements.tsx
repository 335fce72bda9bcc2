import { Injectable } from '@nestjs/common';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Part } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { type Panel, RecordPanel } from '../../../api/console/record-panel.js';
import { count, say } from '../../../api/console/say.js';
import { Implements } from '../../../store/discovery/ports.js';
import { StatementsService } from '../statements.service.js';
import { periodOf, StatementLink, Status, Sure } from './statements.console.js';

const SHOWN = 10;

/** The statements of a project. */
@Implements(RecordPanel)
@Injectable()
export class ProjectStatements implements RecordPanel {
  readonly of = 'projects';
  readonly order = 20;

  constructor(private readonly statements: StatementsService) {}

  async show(ctx: PageContext, id: string): Promise<Panel> {
    const { rows, total } = await this.statements.list(ctx, { page: 1, page_size: SHOWN, project_id: id });
    const upload = `${pathOf(ctx, 'statements', 'new')}?projectId=${id}`;
    const label = say('console.statements.upload');
    if (rows.length === 0) return { next: { step: 1, about: say('console.statements.noneOfProject'), label, to: upload } };
    const body = (
      <Part title={say('scopes.of.bank_statements')} action={[upload, label]}>
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
      </Part>
    );
    return { body };
  }
}
