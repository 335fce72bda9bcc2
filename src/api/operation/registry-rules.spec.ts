import { expect, it } from 'vitest';
import { anOperation } from '../../../test/support/operations.js';
import { declareEvent, type EventDeclaration } from '../../kernel/declare-event.js';
import { declarationProblems } from './registry-rules.js';

const anEvent = (kind: string, status: EventDeclaration['status'] = 'emitted') =>
  declareEvent({ kind, status, summary: 'Something happened.', data: Object, read: { scope: 'things:read' } });
const Made = anEvent('thing.made');
const Planned = anEvent('thing.planned', 'planned');
const Tested = anEvent('thing.tested', 'test');
const undeclared: EventDeclaration = { ...Made };
const toolWith = (says: string) => ({ name: 'x', risk: 'read_only', says }) as const;
const NO_SENTENCE = 'things.list has a tool whose text is no sentence: a capital letter first and a full stop last are expected.';

it('accepts valid declarations', () => {
  const operations = [
    anOperation({ id: 'things.list', scope: 'things:read', tool: { name: 'list_things', risk: 'read_only', says: 'Needs little.' } }),
    anOperation({ id: 'things.get', path: '/v1/things/{thing_id}', pathIds: ['thing_id'] }),
    anOperation({
      id: 'things.create',
      method: 'POST',
      scope: 'things:write',
      emits: [Made],
      tool: { name: 'create_thing', risk: 'write', says: 'Needs little.' },
    }),
    anOperation({ id: 'things.update', method: 'PATCH', path: '/v1/things/{thing_id}', emits: [Made] }),
    anOperation({ id: 'things.list_parts', path: '/v1/things/parts', scope: 'things:parts:read' }),
    anOperation({
      id: 'things.delete',
      method: 'DELETE',
      path: '/v1/things/{thing_id}',
      scope: 'things:delete',
      tool: { name: 'delete_thing', risk: 'destructive', says: 'Needs little.' },
    }),
  ];
  expect(declarationProblems(operations)).toEqual([]);
});

it.each([
  ['an id in another form', { id: 'listThings' }, 'listThings is no operation id: capability.action is expected.'],
  ['an id with three parts', { id: 'things.all.list' }, 'things.all.list is no operation id: capability.action is expected.'],
  ['a scope of another resource', { scope: 'stuff:read' }, 'things.list has the scope stuff:read, which names another resource.'],
  ['a read with a write scope', { scope: 'things:write' }, 'things.list is GET, so its scope things:write must end with :read.'],
  [
    'a POST with a read scope',
    { method: 'POST', scope: 'things:read' },
    'things.list is POST, so its scope things:read must end with :write.',
  ],
  [
    'a PATCH with an invented scope',
    { method: 'PATCH', scope: 'things:update' },
    'things.list is PATCH, so its scope things:update must end with :write.',
  ],
  [
    'a DELETE with a write scope',
    { method: 'DELETE', scope: 'things:write' },
    'things.list is DELETE, so its scope things:write must end with :delete.',
  ],
  ['a scope without an action', { scope: 'things' }, 'things.list is GET, so its scope things must end with :read.'],
  [
    'a POST that says that nothing is in its answer, which has a record',
    { id: 'things.approve', method: 'POST', returns: Object, status: 204 },
    'things.approve answers 204, but 200, 201, 202 is expected.',
  ],
  ['a read that makes a record', { returns: Object, status: 201 }, 'things.list answers 201, but 200 is expected.'],
  ['an empty summary', { summary: '' }, 'things.list has no summary.'],
  ['a blank summary', { summary: ' ' }, 'things.list has no summary.'],
  [
    'a description that is no sentence',
    { description: 'newest first' },
    'things.list has a description that is no sentence: a capital letter first and a full stop last are expected.',
  ],
  ['a tool without a text', { tool: toolWith('') }, NO_SENTENCE],
  ['a text of a tool without a full stop', { tool: toolWith('To find a thing') }, NO_SENTENCE],
  ['a text of a tool that starts with a small letter', { tool: toolWith('finds a thing.') }, NO_SENTENCE],
  [
    'a risk that does not match the method',
    { tool: { name: 'x', risk: 'write', says: 'Needs little.' } },
    'things.list is GET, so the risk of its tool is read_only.',
  ],
  [
    'a DELETE with the risk of a write',
    { method: 'DELETE', tool: { name: 'x', risk: 'write', says: 'Needs little.' } },
    'things.list is DELETE, so the risk of its tool is destructive.',
  ],
  ['a path parameter that is not an id', { fileParam: 'slug' }, 'things.list has the path parameter slug, which is no id.'],
  [
    'a file without a parameter for its kind',
    { returnsFile: { csv: 'text/csv' } },
    'things.list returns a file, but its path has no parameter for its kind.',
  ],
  [
    'a file as the answer of a write',
    { method: 'DELETE', fileParam: 'format', returnsFile: { csv: 'text/csv' } },
    'things.list returns a file, so it is a GET without a body in `returns`.',
  ],
  [
    'a POST without a body class',
    { method: 'POST', body: undefined },
    'things.list takes no body class: @Body() input: SomeDto is expected.',
  ],
  ['a read that emits events', { emits: [Made] }, 'things.list is a read and emits events.'],
  ['an undeclared event', { method: 'DELETE', emits: [undeclared] }, 'things.list emits an event that no one declared.'],
  [
    'an event that is missing',
    { method: 'DELETE', emits: [undefined as unknown as EventDeclaration] },
    'things.list emits an event that no one declared.',
  ],
  ['an event that is planned', { method: 'DELETE', emits: [Planned] }, 'things.list emits thing.planned, which is planned.'],
  ['an event for tests', { method: 'DELETE', emits: [Tested] }, 'things.list emits thing.tested, which is test.'],
  ['a query whose class was lost', { query: Object }, 'things.list has a parameter without a class: its import must not be a type import.'],
  [
    'a body whose class was lost',
    { method: 'POST', body: Object },
    'things.list has a parameter without a class: its import must not be a type import.',
  ],
] as [string, Parameters<typeof anOperation>[0], string][])('refuses %s', (_what, wanted, problem) => {
  expect(declarationProblems([anOperation(wanted)])).toEqual([problem]);
});

it('reports each duplicate declaration once', () => {
  const tool = { name: 'list_things', risk: 'read_only', says: 'Needs little.' } as const;
  const same = [anOperation({ tool }), anOperation({ tool }), anOperation({ tool })];
  expect(declarationProblems(same)).toEqual([
    'The operation id things.list is declared twice.',
    'The tool list_things is declared twice.',
    'The route GET /v1/things is declared twice.',
  ]);
});
