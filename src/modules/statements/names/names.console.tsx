import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { type PageContext, PageCtx, pathOf, type Answer, goTo, page } from '../../../api/console/page.js';
import { ConsoleForm } from '../../../api/console/parts/fields.js';
import { PAGE_SIZE, Table } from '../../../api/console/parts/list.js';
import { count, say } from '../../../api/console/say.js';
import { Filled, FIRST } from '../../../api/wording/page-wording.js';
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
  if (names.length === 0) return <p>{say('console.statements.names.none')}</p>;
  const shown = names.slice(0, PAGE_SIZE);
  const [more, newest] = [names.length - shown.length, say('console.statements.names.newest')];
  return (
    <>
      <p>{say('console.statements.names.about')}</p>
      <ConsoleForm ctx={ctx} submit={say('console.statements.names.save')} cancel={pathOf(ctx, 'statements')}>
        <Table
          caption={say('console.statements.names.title')}
          rows={shown}
          empty={null}
          columns={[
            [say('console.statements.names.name'), ({ name }) => name],
            [say('console.statements.names.times'), ({ times }) => count(times), 'number'],
            [say('console.statements.names.where'), ({ statementId }) => <a href={pathOf(ctx, 'statements', statementId)}>{newest}</a>],
            [say('console.statements.names.thisIs'), (one) => <Choice of={one} />],
          ]}
        />
      </ConsoleForm>
      {more > 0 ? <p class="hint">{say('console.statements.names.more', { count: more })}</p> : null}
    </>
  );
}

const NoNames = ({ ctx }: Pick<Shown, 'ctx'>) => (
  <p>
    {say('console.statements.names.notKept')}{' '}
    {ctx.user.role === 'owner' ? (
      <Filled
        text={say('console.statements.names.change', { settings: FIRST })}
        parts={[<a href={pathOf(ctx, 'organization', 'edit')}>{say('console.statements.names.settings')}</a>]}
      />
    ) : (
      say('console.statements.names.askOwner')
    )}
  </p>
);

const Choice = ({ of: { token, name } }: { of: DoubtfulName }) => (
  <select name={token} aria-label={say('console.statements.names.is', { name })}>
    <option value="">{say('console.statements.names.undecided')}</option>
    <option value="company">{say('console.statements.names.company')}</option>
    <option value="person">{say('console.statements.names.person')}</option>
  </select>
);

@ConsoleSection({ path: SECTION, label: 'Names in doubt' })
export class NamesConsole {
  constructor(
    private readonly names: StatementNamesService,
    private readonly decisions: CounterpartyDecisionsService,
  ) {}

  @Page({ route: 'GET /', role: 'admin', needsFreshSignIn: true, reads: { action: 'organization.names_read' } })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const [areKept, names] = [await this.names.areKept(ctx), await this.names.findDoubtful(ctx)];
    return page(say('console.statements.names.title'), <NamesToDecide ctx={ctx} areKept={areKept} names={names} />);
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
    return goTo(pathOf(ctx, SECTION), say('console.statements.names.saved', { count: decided }));
  }
}
