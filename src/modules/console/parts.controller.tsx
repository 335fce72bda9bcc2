import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { OPEN_PAGE_HEADERS, openPage } from '../../api/console/open-pages.js';
import { formOf, type KnownOfPage } from '../../api/console/page.js';
import { Bars } from '../../api/console/parts/bars.js';
import { CheckGroups, AreaField, CheckField, CheckGroup, ConsoleForm } from '../../api/console/parts/fields.js';
import { FileField, Refused, SelectField, TextField } from '../../api/console/parts/fields.js';
import type { Choice } from '../../api/console/parts/fields.js';
import { ActionButton, Badge, Band, Confirm, Copyable, Facts, LinkButton, More, Note, Part } from '../../api/console/parts/facts.js';
import { PlainLink, Sentence, Time, type Tone, Way, OverlapField, ScopeChoices, ScopeList } from '../../api/console/parts/facts.js';
import { Counts, Filters, Nothing, Pager, Table } from '../../api/console/parts/list.js';
import { Detail, ProblemBody } from '../../api/console/error-words.js';
import { money, period } from '../../api/console/say.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { FIRST } from '../../api/wording/page-wording.js';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';

/** Every part that pages of the console are made of, on one page, for those who make some. There is none in production. */
@Controller('console/parts')
export class PartsController {
  constructor(private readonly settings: Settings) {}

  @Protocol('Every part of the pages of the console. Not in production.', 'pages')
  @Get()
  show(@Req() { url }: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): string {
    if (this.settings.nodeEnv === 'production') throw new Problem('route_not_found');
    const [path, query] = url.split('?');
    const ctx = { csrf: '', path: path!, query: new URLSearchParams(query), organization: { timeZone: 'Europe/Berlin' } };
    const body = [...INTRODUCTION, ...partsOf(ctx)].map(([names, part]) => (
      <section>
        <h2>{names}</h2>
        {part}
      </section>
    ));
    void reply.headers(OPEN_PAGE_HEADERS);
    return openPage({ title: 'Parts of pages', body });
  }
}

type Shown = readonly [names: string, part: ComponentChildren];

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
const KINDS: readonly Choice[] = [
  ['active', 'Active'],
  ['archived', 'Archived'],
];
const REFUSED = Problem.invalidField('name', 'required', 'must not be empty');

const INTRODUCTION: readonly Shown[] = [
  [
    'Colours of words',
    <>
      <p>
        Text, with a link to the <a href="/guides">guides</a> and <code>code</code>.
      </p>
      <p class="hint">A hint below a label.</p>
      <p class="notice">What was done, or what comes next.</p>
      <p class="warning">What somebody should know before they go on.</p>
      <p class="error">What went wrong.</p>
    </>,
  ],
];

const partsOf = (ctx: KnownOfPage): readonly Shown[] => [...figures(ctx), ...lists(ctx), ...steps(ctx), ...forms(ctx)];

const figures = (ctx: KnownOfPage): readonly Shown[] => [
  [
    'Band',
    <Band
      figures={[
        ['Claimable', money('18240.75', 'EUR'), <a href="#content">By the latest report</a>],
        ['Lines', '1,204'],
        ['To check', '7', 'Of 1,204 lines'],
      ]}
    />,
  ],
  [
    'Facts, Badge, Time',
    <Facts
      facts={[
        ['Period', period('2026-01-01', '2026-03-31')],
        ['States', STATES.map(([tone, word]) => [<Badge tone={tone}>{word}</Badge>, ' '])],
        ['Made', <Time ctx={ctx} at="2026-04-02T08:15:00.000Z" />],
        ['Note', null],
      ]}
    />,
  ],
  [
    'Bars',
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
    />,
  ],
  ['Copyable', <Copyable label="An address" text="https://claims.example/v1" />],
  ['ScopeList', <ScopeList groups={SCOPES} />],
  ['ScopeChoices', <ScopeChoices state={formOf({})} groups={SCOPES} all={{ label: 'All', hint: 'Also those to come.' }} />],
];

function lists(ctx: KnownOfPage): readonly Shown[] {
  const counted = { total: ROWS.length, totalRelation: 'exact', hasMore: false } as const;
  const nothing = <Nothing ctx={ctx}>There are no projects yet.</Nothing>;
  return [
    [
      'Filters, Counts',
      <>
        <Counts ctx={ctx} name="state" choices={KINDS} counts={new Map([...KINDS].map(([value], index) => [value, index + 1]))} />
        <Filters ctx={ctx} search="Name" selects={[['kind', 'Kind', KINDS]]} />
      </>,
    ],
    [
      'Table, Pager',
      <>
        <Table
          caption="Clients"
          rows={ROWS}
          list={{ ctx, counted }}
          empty={nothing}
          columns={[
            ['Client', ({ client }) => <a href="#content">{client}</a>, undefined, ({ client }) => client],
            ['Lines', ({ lines }) => lines, 'number', ({ lines }) => lines],
            ['Amount', ({ amount }) => money(amount, 'EUR'), 'number', ({ amount }) => Number(amount)],
            ['State', () => <Badge tone="good">Ready</Badge>],
          ]}
        />
        <Pager ctx={ctx} counted={counted} />
      </>,
    ],
    ['Nothing', <Table caption="None" rows={[]} empty={nothing} columns={[]} />],
  ];
}

const steps = (ctx: KnownOfPage): readonly Shown[] => [
  [
    'LinkButton, PlainLink, ActionButton, More, Confirm',
    <div class="buttons">
      <LinkButton to="#content">New project</LinkButton>
      <PlainLink to="#content" label="Edit" />
      <ActionButton ctx={ctx} action={ctx.path} label="Send again" />
      <More>
        <PlainLink to="#content" label="Copy for the next period" />
      </More>
      <Confirm ctx={ctx} action={ctx.path} label="Delete" question="It cannot be brought back." submit="Delete it" />
    </div>,
  ],
  [
    'Note, Sentence, Way',
    [
      <Note tone="error">What went wrong.</Note>,
      <Sentence text={`The project is ${FIRST}.`} names={['ready']} />,
      <Way to="#content" label="Back to the projects" />,
    ],
  ],
  [
    'Part',
    <Part title="Statements" action={['#content', 'Upload']}>
      What a part shows.
    </Part>,
  ],
  ['Refused, ProblemBody, Detail', [<Refused problem={REFUSED} />, <ProblemBody problem={REFUSED} />, <Detail text="A sentence." />]],
];

function forms(ctx: KnownOfPage): readonly Shown[] {
  const state = formOf({ kind: 'active', chosen: ['active'] });
  return [
    [
      'ConsoleForm, and its fields',
      <ConsoleForm ctx={ctx} state={{ ...state, problem: REFUSED }} submit="Save" cancel="#content">
        <TextField state={{ ...state, problem: REFUSED }} name="name" label="Name" hint="TextField" required />
        <TextField state={state} name="from" label="From" type="date" />
        <SelectField state={state} name="kind" label="Kind" hint="SelectField" choices={KINDS} />
        <AreaField state={state} name="note" label="Note" hint="AreaField" rows={2} />
        <FileField state={state} name="file" label="Files" hint="FileField" />
        <CheckField state={state} name="agreed" label="Keep names" hint="CheckField" />
        <CheckGroup state={state} name="chosen" label="CheckGroup" choices={KINDS} />
        <CheckGroups
          state={state}
          name="some"
          all={{ name: 'all', label: 'CheckGroups', hint: 'All of them' }}
          groups={[{ title: 'Claims', choices: KINDS }]}
        />
        <OverlapField label="OverlapField" />
      </ConsoleForm>,
    ],
  ];
}
