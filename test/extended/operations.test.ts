import {
  BadGatewayException,
  Body,
  ConflictException,
  Controller,
  Module,
  NotFoundException,
  Param,
  PayloadTooLargeException,
  Query,
  ServiceUnavailableException,
} from '@nestjs/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  CalendarDate,
  Capability,
  ClaimProjectDto,
  ClaimProjectUpdated,
  Country,
  Ctx,
  Currency,
  DateTime,
  declareExtension,
  Email,
  Flag,
  Integer,
  Matching,
  Money,
  OneOf,
  Operation,
  Percent,
  ProjectsModule,
  ProjectsService,
  Text,
  Uuid,
  type ReadContext,
  type WriteContext,
} from '../../src/extension-api.js';
import { generatedClient, generatedMock, type Document, type MockSource } from '../../client/scripts/generate.js';
import { newId } from '../../src/kernel/ids.js';
import type { ProblemCode } from '../../src/kernel/problems.js';
import { collectionOf } from '../../src/modules/contracts/collection.js';
import { openApiDocument } from '../../src/modules/contracts/openapi.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { startDocumentedApp, type DocumentedApp } from '../support/documented-app.js';
import { problemTexts, problemTitles } from '../support/guide-documents.js';
import { sendCall } from '../support/law-call.js';
import { documented, queryParameters } from '../support/law-document.js';
import { invalidTexts } from '../support/law-values.js';
import { expectProblem } from '../support/problem.js';
import { callTool, connectTools } from '../support/tools.js';

class ApproveDto {
  @Text({ about: 'Why.', max: 100, optional: true, example: 'Checked.' }) note?: string;
}

/** A field of every kind that a text in an address can be. */
class EveryKindQuery {
  @CalendarDate({ about: 'A day.', optional: true, example: '2026-01-31' }) day?: string;
  @DateTime({ about: 'A time.', optional: true, example: '2026-01-31T00:00:00Z' }) time?: string;
  @Flag({ about: 'Whether.', optional: true, example: true }) flag?: boolean;
  @Integer({ about: 'A number.', optional: true, min: 1, max: 9, example: 1 }) count?: number;
  @OneOf(['a', 'b'], { about: 'One.', optional: true }) one?: string;
  @Text({ about: 'A text.', optional: true, max: 9, example: 'x' }) text?: string;
  @Text({ about: 'A text of a form of its own.', optional: true, format: 'uri', max: 50, example: 'https://a.example' }) form?: string;
  @Uuid({ about: 'An id.', optional: true }) uuid?: string;
  @Email({ about: 'An address.', optional: true }) email?: string;
  @Country({ about: 'A country.', optional: true }) country?: string;
  @Currency({ about: 'A currency.', optional: true }) currency?: string;
  @Money({ about: 'An amount.', optional: true, example: '1.00' }) amount?: string;
  @Percent({ about: 'A share.', optional: true, example: '1.00' }) share?: string;
  @Matching(/[^<>]*/, { about: 'No markup.', optional: true, max: 50, expected: 'a text without < and >', example: 'x' }) plain?: string;
}

/** What a handler that was written for another application of Nest may throw, by the note of its call. */
const EXCEPTIONS: Record<string, Error> = {
  missing: new NotFoundException('There is no such secret place.'),
  taken: new ConflictException('There is no such secret place.'),
  large: new PayloadTooLargeException('There is no such secret place.'),
  later: new ServiceUnavailableException('There is no such secret place.'),
  broken: new BadGatewayException('There is no such secret place.'),
};

@Capability({ about: 'Approvals of claim projects.' })
@Controller('v1/claim-projects')
class ApprovalsController {
  constructor(private readonly projects: ProjectsService) {}

  @Operation({
    id: 'project_approvals.get',
    route: 'GET /:project_id/approval',
    scope: 'project_approvals:read',
    tool: { name: 'get_project_approval', risk: 'read_only', says: 'Use it with an id from list_claim_projects.' },
    summary: 'Get the approval',
    description: 'Of a claim project.',
    returns: ClaimProjectDto,
    deprecated: { since: '2027-01-31', sunset: '2028-01-31', instead: 'Use get_claim_project.' },
  })
  async get(@Ctx() ctx: ReadContext, @Param('project_id') id: string, @Query() _query: EveryKindQuery): Promise<ClaimProjectDto> {
    return ClaimProjectDto.from(await this.projects.get(ctx, id));
  }

  @Operation({
    id: 'project_approvals.approve',
    route: 'POST /:project_id/approve',
    status: 200,
    scope: 'project_approvals:write',
    tool: { name: 'approve_claim_project', risk: 'write', says: 'Ask first.' },
    summary: 'Approve a claim project',
    description: 'It is archived.',
    returns: ClaimProjectDto,
    emits: [ClaimProjectUpdated],
  })
  async approve(@Ctx() ctx: WriteContext, @Param('project_id') id: string, @Body() { note = '' }: ApproveDto): Promise<ClaimProjectDto> {
    const archived = await this.projects.update(ctx, id, { status: 'archived' });
    if (EXCEPTIONS[note] !== undefined) throw EXCEPTIONS[note];
    return ClaimProjectDto.from(archived);
  }
}

@Module({ imports: [ProjectsModule], controllers: [ApprovalsController] })
class ApprovalsModule {}
const approvals = declareExtension({ name: 'approvals', madeFor: '1.0.0', modules: [ApprovalsModule] });

let app: DocumentedApp;
beforeAll(async () => {
  app = await startDocumentedApp({}, undefined, [approvals]);
});
afterAll(() => app.close());

const operationOf = (id: string) => app.operations.find((operation) => operation.id === id)!;

async function aProject() {
  const { key } = await aTenant(app);
  const api = new Client(app.url, key);
  const { body } = await api.post('/v1/claim-projects', { name: newId(), periodStart: '2026-01-01', periodEnd: '2026-12-31' });
  return { key, api, path: `/v1/claim-projects/${body.id as string}`, id: body.id as string };
}

it('a POST that makes no record answers 200 with the ETag of the record, and no Location, also when it is repeated', async () => {
  const { key, api, path } = await aProject();
  const call = { operation: operationOf('project_approvals.approve'), path: `${path}/approve`, body: {} };
  const again = { 'Idempotency-Key': newId() };
  const answers = [await sendCall(app, call, key, again), await sendCall(app, call, key, again)];
  const read = await api.get(path);
  expect(read.body).toMatchObject({ status: 'archived' });
  for (const { status, body, headers } of answers)
    expect([status, body, headers.etag, headers.location as unknown]).toEqual([200, read.body, read.headers.etag, undefined]);
  expect(answers.map(({ headers }) => headers['idempotent-replayed'] as unknown)).toEqual([undefined, 'true']);
});

it('its documents, tool, client and mock know that status', async () => {
  const { responses } = documented(app.document, operationOf('project_approvals.approve'));
  expect(Object.keys(responses).filter((status) => status.startsWith('2'))).toEqual(['200']);
  expect(Object.keys(responses['200']!.headers!)).not.toContain('Location');
  const document = openApiDocument(app.app, app.url);
  expect(await generatedClient(document as unknown as Document, problemTitles())).toMatch(/approve\([^)]*\): Promise<ClaimProject> \{/);
  expect(await generatedMock(document as unknown as MockSource, problemTexts())).toMatch(
    /'project_approvals\.approve',[^]{0,200}?status: 200,/,
  );
  expect(JSON.stringify(collectionOf(document))).not.toContain('undefined');
  const { key, id } = await aProject();
  const tools = await connectTools(app, { 'X-API-Key': key });
  const inputs = { project_id: id, confirm: true, idempotency_key: newId() };
  expect(await callTool(tools, 'approve_claim_project', inputs)).toMatchObject({ isError: false, content: { id, status: 'archived' } });
});

it('a model reads until when a deprecated operation is answered, and nothing of its description', async () => {
  const { key } = await aProject();
  const { tools } = await (await connectTools(app, { 'X-API-Key': key })).listTools();
  expect(tools.find(({ name }) => name === 'get_project_approval')?.description).toBe(
    'Get the approval. Deprecated since 2027-01-31. It is answered until 2028-01-31. Use get_claim_project. ' +
      'Use it with an id from list_claim_projects.',
  );
});

it('laws know invalid texts of every kind of field that an address can have', async () => {
  const { key, path } = await aProject();
  const operation = operationOf('project_approvals.get');
  const parameters = queryParameters(app.document, operation);
  expect(parameters).toHaveLength(14);
  for (const parameter of parameters) {
    const texts = invalidTexts(parameter);
    expect(texts, parameter.name).not.toHaveLength(0);
    for (const text of texts) {
      const answer = await sendCall(app, { operation, path: `${path}/approval?${parameter.name}=${encodeURIComponent(text)}` }, key);
      expect(answer, `${parameter.name}=${text}`).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    }
  }
});

it.each([
  ['missing', 404, 'not_found'],
  ['taken', 400, 'bad_request'],
  ['large', 413, 'body_too_large'],
  ['later', 503, 'unavailable'],
  ['broken', 500, 'internal_error'],
])(
  'a handler that throws an exception of Nest (%s) answers with a problem, tells nothing more and changes nothing',
  async (note, status, code) => {
    const { api, path } = await aProject();
    const answer = await api.post(`${path}/approve`, { note });
    expectProblem(answer, code as ProblemCode);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('secret place');
    expect((await api.get(path)).body).toMatchObject({ status: 'draft' });
  },
);
