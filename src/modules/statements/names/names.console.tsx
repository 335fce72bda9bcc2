import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { type PageContext, PageCtx, pathOf } from '../../../api/console/page-context.js';
import { type Answer, goTo, page } from '../../../api/console/page.js';
import { ConsoleForm } from '../../../api/console/parts/fields.js';
import { PAGE_SIZE, Table } from '../../../api/console/parts/list.js';
import { count } from '../../../api/console/say.js';
import { CounterpartyDecisionsService } from '../content/counterparty-decisions.service.js';
import { type DoubtfulName, StatementNamesService } from './statement-names.service.js';

const SECTION = 'statements/names';

interface Shown {
  readonly ctx: PageContext;
  readonly areKept: boolean;
  readonly names: readonly DoubtfulName[];
}

function NamesToDecide({ ctx, areKept, names }: Shown) {
  if (!areKept) return <NoNames ctx={ctx} />;
  if (names.length === 0) return <p>No name is in doubt. Names about which nothing is known are listed here when statements arrive.</p>;
  const shown = names.slice(0, PAGE_SIZE);
  return (
    <>
      <p>
        These were masked, because nothing says whether they are people or companies. What you decide counts for statements that arrive from
        now on. Only a token of the name is kept with the decision.
      </p>
      <ConsoleForm ctx={ctx} submit="Save the decisions" cancel={pathOf(ctx, 'statements')}>
        <Table
          caption="Names in doubt"
          rows={shown}
          empty={null}
          columns={[
            ['Name', ({ name }) => name],
            ['Times', ({ times }) => count(times), 'number'],
            ['Where', ({ statementId }) => <a href={pathOf(ctx, 'statements', statementId)}>Newest statement</a>],
            ['This is', (one) => <Choice of={one} />],
          ]}
        />
      </ConsoleForm>
      {names.length > shown.length ? <p class="hint">{count(names.length - shown.length)} more follow when these are decided.</p> : null}
    </>
  );
}

const NoNames = ({ ctx }: Pick<Shown, 'ctx'>) => (
  <p>
    Your organization does not keep the names that are masked, so none can be shown.{' '}
    {ctx.user.role === 'owner' ? (
      <>
        You can change that in <a href={pathOf(ctx, 'organization', 'edit')}>the settings of the organization</a>.
      </>
    ) : (
      'An owner can change that.'
    )}
  </p>
);

const Choice = ({ of: { token, name } }: { of: DoubtfulName }) => (
  <select name={token} aria-label={`${name} is`}>
    <option value="">Not decided</option>
    <option value="company">A company: show it</option>
    <option value="person">A person: mask it</option>
  </select>
);

/** Names that are masked because nothing is known of them. */
@ConsoleSection({ path: SECTION, label: 'Names in doubt' })
export class NamesConsole {
  constructor(
    private readonly names: StatementNamesService,
    private readonly decisions: CounterpartyDecisionsService,
  ) {}

  @Page({ route: 'GET /', role: 'admin', needsFreshSignIn: true })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const [areKept, names] = [await this.names.areKept(ctx), await this.names.findDoubtful(ctx)];
    return page('Names in doubt', <NamesToDecide ctx={ctx} areKept={areKept} names={names} />);
  }

  @Action({ route: 'POST /', role: 'admin', needsFreshSignIn: true, records: ['counterparty_decision.made'] })
  async decide(@PageCtx() ctx: PageContext): Promise<Answer> {
    let decided = 0;
    // Not the first page of them alone: what has arrived since the form was shown may have moved others off it.
    for (const { token } of await this.names.findDoubtful(ctx)) {
      const choice = ctx.form.text(token);
      if (choice !== 'company' && choice !== 'person') continue;
      await this.decisions.decide(ctx.actor, ctx, token, choice);
      decided += 1;
    }
    return goTo(pathOf(ctx, SECTION), `${decided === 1 ? 'One decision was' : `${decided} decisions were`} saved.`);
  }
}
