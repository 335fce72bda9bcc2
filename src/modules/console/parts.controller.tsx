import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Assets } from '../../api/console/assets.js';
import { Icon, Search, Title, WITH_ICON } from '../../api/console/frame.js';
import { OPEN_PAGE_HEADERS, openPage } from '../../api/console/open-pages.js';
import { formOf, type KnownOfPage } from '../../api/console/page.js';
import { Bars } from '../../api/console/parts/bars.js';
import { CheckGroups, AreaField, CheckField, CheckGroup, ConsoleForm } from '../../api/console/parts/fields.js';
import { FileField, Refused, SelectField, TextField } from '../../api/console/parts/fields.js';
import type { Choice } from '../../api/console/parts/fields.js';
import { ActionButton, Badge, Band, Confirm, Copyable, Facts, LinkButton, More, Note, Part } from '../../api/console/parts/facts.js';
import { OverlapField, PlainLink, ScopeChoices, ScopeList, Sentence, TabLinks, Time, Way } from '../../api/console/parts/facts.js';
import type { LinksOfTabs, Tone } from '../../api/console/parts/facts.js';
import { RuleFields } from '../../api/console/parts/confirmation-rules.js';
import { OwnLimitFields } from '../../api/console/parts/own-limits.js';
import { Counts, Filters, Nothing, Pager, Table } from '../../api/console/parts/list.js';
import { RangeInputs } from '../../api/console/parts/ranges.js';
import { Detail, ProblemBody } from '../../api/console/error-words.js';
import { money, period } from '../../api/console/say.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { FIRST } from '../../api/wording/page-wording.js';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';

/** Every part that pages of the console are made of, on one page, for those who make some. There is none in production. */
@Controller('console/parts')
export class PartsController {
  constructor(
    private readonly settings: Settings,
    private readonly assets: Assets,
  ) {}

  @Protocol('Every part of the pages of the console. Not in production.', 'pages')
  @Get()
  show(@Req() { url }: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): string {
    if (this.settings.nodeEnv === 'production') throw new Problem('route_not_found');
    const [path, query] = url.split('?');
    const ctx = { csrf: '', path: path!, query: new URLSearchParams(query), organization: { timeZone: 'Europe/Berlin' } };
    const body = (
      <>
        <Heads ctx={ctx} icons={this.assets.pathOf('icons.svg')} />
        <Figures ctx={ctx} />
        <Lists ctx={ctx} />
        <Sentences />
        <Forms ctx={ctx} />
      </>
    );
    void reply.headers(OPEN_PAGE_HEADERS);
    return openPage({ title: 'Parts of pages', body });
  }
}

const CLIENTS = ['Lindqvist Textiles GmbH', 'Moreau & Filles', 'Van der Berg Installatietechniek'];
const SCOPES: Parameters<typeof ScopeList>[0]['groups'] = [
  { title: 'Bank statements', scopes: [{ sentence: 'See them', scope: 'bank_statements:read', isWrite: false, role: 'member' }] },
];
const ROWS = CLIENTS.map((client, index) => ({ client, lines: 1204 * (index + 1), amount: `${-1290.5 * (index + 1)}` }));
const STATES: readonly (readonly [Tone, string])[] = [
  ['plain', 'Draft'],
  ['busy', 'Reading'],
  ['good', 'Ready'],
  ['bad', 'Failed'],
];
const RANGES = [['amount', { about: { about: 'Amount.' }, schema: { type: String }, check: () => undefined }]] as const;
const KINDS: readonly Choice[] = [
  ['active', 'Active'],
  ['archived', 'Archived'],
];
const REFUSED = Problem.invalidField('name', 'required', 'must not be empty');
const ALL = { name: 'all', label: 'All', hint: 'All of them' };
const TABS: LinksOfTabs = [
  ['#content', 'Overview', true],
  ['#content', 'Statements 12', false],
];

type Shown = { readonly ctx: KnownOfPage };

const Heads = ({ ctx, icons }: Shown & { icons: string }) => (
  <>
    <Part title="Title, TabLinks, More, Confirm, ActionButton, PlainLink, LinkButton">
      <Title
        title={CLIENTS[0]!}
        beside={{
          up: ['#content', 'Projects'],
          badge: <Badge tone="good">Active</Badge>,
          actions: [
            <More>
              <PlainLink to="#content" label="Copy for the next period" />
            </More>,
            <Confirm ctx={ctx} action={ctx.path} label="Delete" question="It cannot be brought back." submit="Delete it" />,
            <ActionButton ctx={ctx} action={ctx.path} label="Send again" />,
            <PlainLink to="#content" label="Edit" />,
            <LinkButton to="#content">New report</LinkButton>,
          ],
        }}
      />
      <TabLinks label="Tabs" links={TABS} />
    </Part>
    <Part title="Search, which / opens as a dialog" action={['#content', 'The action of a Part']}>
      <Search ctx={{ environment: 'test' }} />
    </Part>
    <Part title="Icon">{[...WITH_ICON].map((name) => [<Icon icons={icons} name={name} />, `${name} `])}</Part>
  </>
);

const Figures = ({ ctx }: Shown) => (
  <>
    <Part title="Band">
      <Band
        figures={[
          ['Claimable', money('18240.75', 'EUR'), <a href="#content">By the latest report</a>],
          ['Lines', '1,204'],
          ['To check', '7', 'Of 1,204 lines'],
        ]}
      />
    </Part>
    <Part title="Facts, Badge, Time">
      <Facts
        facts={[
          ['Period', period('2026-01-01', '2026-03-31')],
          ['States', STATES.map(([tone, word]) => [<Badge tone={tone}>{word}</Badge>, ' '])],
          ['Made', <Time ctx={ctx} at="2026-04-02T08:15:00.000Z" />],
          ['Note', null],
        ]}
      />
    </Part>
    <Part title="Bars">
      <Bars
        title="Calls per day"
        bars={[420, 980, 610, 1240].map((value, index) => ({
          label: `${index + 1} Apr 2026`,
          mark: `${index + 1} Apr`,
          parts: [
            { tone: 'good', value },
            { tone: 'bad', value: value / 10 },
          ],
        }))}
        legend={[
          ['good', 'Answered'],
          ['bad', 'Refused'],
        ]}
      />
    </Part>
  </>
);

function Lists({ ctx }: Shown) {
  const counted = { total: ROWS.length, totalRelation: 'exact', hasMore: false } as const;
  const nothing = <Nothing ctx={ctx}>There are no projects yet.</Nothing>;
  return (
    <>
      <Part title="Filters, RangeInputs, Counts">
        <Counts ctx={ctx} name="state" choices={KINDS} counts={new Map([...KINDS].map(([value], index) => [value, index + 1]))} />
        <Filters ctx={ctx} search="Name" selects={[['kind', 'Kind', KINDS]]}>
          <RangeInputs offered={RANGES} state={formOf()} />
        </Filters>
      </Part>
      <Part title="Table, Pager; what can be done with the rows that are chosen">
        <form method="post" action={ctx.path} class="choosing">
          <div class="filters">
            <SelectField state={formOf()} name="moveTo" label="Project" choices={KINDS} />
            <button class="plain">Move</button>
          </div>
          <Table
            caption="Clients"
            rows={ROWS}
            list={{ ctx, counted }}
            choose={({ client }) => client}
            empty={nothing}
            columns={[
              ['Client', ({ client }) => <a href="#content">{client}</a>, undefined, ({ client }) => client],
              ['Lines', ({ lines }) => lines, 'number', ({ lines }) => lines],
              ['Amount', ({ amount }) => money(amount, 'EUR'), 'number', ({ amount }) => Number(amount)],
              ['State', () => <Badge tone="good">Ready</Badge>],
            ]}
          />
          <Pager ctx={ctx} counted={counted} />
        </form>
      </Part>
      <Part title="Nothing, at first and for a filter">
        <Table caption="None" rows={[]} empty={nothing} columns={[]} />
        <Table
          caption="None"
          rows={[]}
          empty={<Nothing ctx={{ ...ctx, query: new URLSearchParams('kind=active') }}>-</Nothing>}
          columns={[]}
        />
      </Part>
    </>
  );
}

const Sentences = () => (
  <>
    <Part title="Note, Sentence, Way, Copyable, ScopeList">
      <Note tone="notice">What was done, or what comes next.</Note>
      <Note tone="warning">What somebody should know before they go on.</Note>
      <Note tone="error">What went wrong.</Note>
      <Sentence text={`The project is ${FIRST}.`} names={['ready']} />
      <Way to="#content" label="Back to the projects" />
      <Copyable label="An address" text="https://claims.example/v1" />
      <ScopeList groups={SCOPES} />
    </Part>
    <Part title="Refused, ProblemBody, Detail">
      <Refused problem={REFUSED} />
      <ProblemBody problem={REFUSED} />
      <Detail text="A sentence." />
    </Part>
  </>
);

function Forms({ ctx }: Shown) {
  const state = { ...formOf({ kind: 'active', chosen: ['active'] }), problem: REFUSED };
  return (
    <Part title="ConsoleForm, and its fields">
      <ConsoleForm ctx={ctx} state={state} submit="Save" cancel="#content">
        <TextField state={state} name="name" label="Name" hint="TextField" required />
        <TextField state={state} name="from" label="From" type="date" />
        <TextField state={state} name="until" label="Until" type="date" />
        <SelectField state={state} name="kind" label="Kind" hint="SelectField" choices={KINDS} />
        <AreaField state={state} name="note" label="Note" hint="AreaField" rows={2} />
        <FileField state={state} name="file" label="Files" hint="FileField" />
        <CheckField state={state} name="agreed" label="Keep names" hint="CheckField" />
        <CheckGroup state={state} name="chosen" label="CheckGroup" choices={KINDS} />
        <CheckGroups state={state} name="some" all={ALL} groups={[{ title: 'CheckGroups', choices: KINDS }]} />
        <ScopeChoices state={state} groups={SCOPES} all={{ label: 'ScopeChoices', hint: 'Also those to come.' }} />
        <OverlapField label="OverlapField" />
        <p class="hint">OwnLimitFields</p>
        <OwnLimitFields state={state} />
        <p class="hint">RuleFields</p>
        <RuleFields state={state} of="live" />
      </ConsoleForm>
    </Part>
  );
}
