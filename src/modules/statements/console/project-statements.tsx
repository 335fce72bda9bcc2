import { Injectable } from '@nestjs/common';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Part } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { type Panel, RecordPanel } from '../../../api/console/record-panel.js';
import { count } from '../../../api/console/say.js';
import { Implements } from '../../../store/discovery/ports.js';
import { StatementsService } from '../statements.service.js';
import { periodOf, Status, Sure } from './statements.console.js';

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
    if (rows.length === 0)
      return { next: { step: 1, about: 'The project has no bank statements yet.', label: 'Upload statements', to: upload } };
    const body = (
      <Part title="Bank statements" action={[upload, 'Upload statements']}>
        <Table
          caption="Bank statements of the project"
          rows={rows}
          empty={null}
          columns={[
            ['File', (statement) => <a href={pathOf(ctx, 'statements', statement.id)}>{statement.fileName || 'Without a name'}</a>],
            ['Period', periodOf],
            ['Lines', ({ lineCount }) => (lineCount === null ? '' : count(lineCount)), 'number'],
            ['Status', ({ redactionStatus }) => <Status of={redactionStatus} />],
            ['Certainty', ({ certainty }) => <Sure of={certainty} />],
          ]}
        />
        {total > rows.length ? <a href={`${pathOf(ctx, 'statements')}?project=${id}`}>All {count(total)} statements</a> : null}
      </Part>
    );
    return { body };
  }
}
