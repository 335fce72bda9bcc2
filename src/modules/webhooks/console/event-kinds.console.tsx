import { ConsoleSection, Page } from '../../../api/console/declarations.js';
import { page, type Answer } from '../../../api/console/page.js';
import { PageCtx, type PageContext } from '../../../api/console/page-context.js';
import { Table } from '../../../api/console/parts/list.js';
import { declaredEvents } from '../../../kernel/declare-event.js';

/** What can happen, for people who decide what to subscribe to. */
@ConsoleSection({ path: 'event-kinds', label: 'Events' })
export class EventKindsConsole {
  @Page({ route: 'GET /', role: 'member' })
  list(@PageCtx() _ctx: PageContext): Answer {
    return page(
      'Events',
      <>
        <p>
          The body of each is in the <a href="/asyncapi.json">AsyncAPI document</a>, with an example.
        </p>
        <Table
          caption="Kinds of events"
          rows={declaredEvents()}
          empty="None."
          columns={[
            ['Kind', ({ kind }) => <code>{kind}</code>],
            ['What happened', ({ summary }) => summary],
            ['Sent', ({ status }) => SENT[status]],
          ]}
        />
      </>,
    );
  }
}

const SENT = { emitted: 'Yes', planned: 'Not yet', test: 'As a test' } as const;
