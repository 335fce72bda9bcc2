import { afterAll, describe, expect, it } from 'vitest';
import { snakeCase } from '../../src/kernel/text.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { bodySchema, documented, resolveRef, type Schema } from '../support/law-document.js';
import { startDocumentedApp } from '../support/documented-app.js';
import { connectTools } from '../support/tools.js';

const PAGES = 'page page_size';
const PROJECT = 'client_reference metadata status';
const CATEGORY = 'project_id source_mapping source_provider status';
const CONFIGURATION = 'accounting_provider category_filter output_options project_id status';

/**
 * The promised tools: operation, required inputs, other inputs. Newer resources have tools of their own; they need no line here, and
 * the laws below hold for them too.
 */
const PROMISED: Record<string, [operation: string, required: string, others: string]> = {
  list_claim_projects: ['GET /v1/claim-projects', '', `${PAGES} search status`],
  get_claim_project: ['GET /v1/claim-projects/{project_id}', 'project_id', ''],
  create_claim_project: ['POST /v1/claim-projects', 'confirm idempotency_key name period_start period_end', PROJECT],
  update_claim_project: [
    'PATCH /v1/claim-projects/{project_id}',
    'confirm idempotency_key project_id',
    `${PROJECT} name period_start period_end`,
  ],
  list_expense_categories: ['GET /v1/expense-categories', '', `${PAGES} project_id search status`],
  get_expense_category: ['GET /v1/expense-categories/{category_id}', 'category_id', ''],
  create_expense_category: ['POST /v1/expense-categories', 'confirm idempotency_key code name', CATEGORY],
  update_expense_category: ['PATCH /v1/expense-categories/{category_id}', 'category_id confirm idempotency_key', `${CATEGORY} code name`],
  list_report_configurations: ['GET /v1/report-configurations', '', `${PAGES} project_id search status`],
  get_report_configuration: ['GET /v1/report-configurations/{configuration_id}', 'configuration_id', ''],
  create_report_configuration: ['POST /v1/report-configurations', 'confirm idempotency_key name period_start period_end', CONFIGURATION],
  update_report_configuration: [
    'PATCH /v1/report-configurations/{configuration_id}',
    'configuration_id confirm idempotency_key',
    `${CONFIGURATION} name period_start period_end`,
  ],
  list_claim_reports: ['GET /v1/claim-reports', '', `${PAGES} project_id status`],
  get_claim_report: ['GET /v1/claim-reports/{report_id}', 'report_id', ''],
  create_claim_report: ['POST /v1/claim-reports', 'confirm idempotency_key', 'project_id report_configuration_id'],
  list_bank_statements: ['GET /v1/bank-statements', '', `${PAGES} project_id redaction_status`],
  get_bank_statement: ['GET /v1/bank-statements/{statement_id}', 'statement_id', ''],
  get_organization: ['GET /v1/organization', '', ''],
  get_usage_summary: ['GET /v1/usage', '', ''],
  list_webhooks: ['GET /v1/webhooks', '', ''],
  get_webhook: ['GET /v1/webhooks/{webhook_id}', 'webhook_id', ''],
  create_webhook: ['POST /v1/webhooks', 'confirm idempotency_key name subscribed_events target_url', 'description environment status'],
  update_webhook: [
    'PATCH /v1/webhooks/{webhook_id}',
    'confirm idempotency_key webhook_id',
    'description environment name status subscribed_events target_url',
  ],
  delete_webhook: ['DELETE /v1/webhooks/{webhook_id}', 'confirm_delete webhook_id', ''],
  list_webhook_deliveries: ['GET /v1/webhooks/{webhook_id}/deliveries', 'webhook_id', `${PAGES} status`],
  list_audit_events: ['GET /v1/audit/events', '', 'action_prefix actor_type cursor_created_at cursor_id limit since until'],
};

const ANNOTATIONS = {
  read_only: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  write: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

const world = await startDocumentedApp();
const { document, operations } = world;
const { key } = await aTenant(world);
const listedWith = async (query = '') => (await (await connectTools(world, { 'X-API-Key': key }, query)).listTools()).tools;
const listed = await listedWith();
const all = await listedWith('?tools=claims');
afterAll(() => world.close());

const capabilityOf = (name: string): string => operations.find(({ tool }) => tool?.name === name)!.capability;
const words = (text: string): string[] => text.split(' ').filter(Boolean).sort();

/** Types are compared on their own: a tool writes those of a value that may be null in another form. */
const typesOf = ({ type, anyOf = [] }: Schema): unknown[] => [type ?? anyOf.map((one) => one.type)].flat().sort();

/** What a model must know to choose a value. */
const choicesOf = (schema: Schema): unknown[] => [schema.enum, schema.default, schema.minimum, schema.maximum];

/** A schema without its types and what explains it: all that may refuse a value. */
function limitsOf({ type: _type, anyOf: _anyOf, description: _about, examples: _examples, items, properties, ...limits }: Schema): Schema {
  const inner = Object.fromEntries(Object.entries(properties ?? {}).map(([name, schema]) => [name, limitsOf(schema)]));
  return { ...limits, ...(items && { items: limitsOf(items) }), ...(properties && { properties: inner }) };
}

describe('the tools', () => {
  it('of a set are listed only to who asks for it, and cannot be called by others', async () => {
    const ofSets = operations.flatMap(({ tool }) => (tool?.set ? [tool.name] : [])).sort();
    const usual = new Set(listed.map(({ name }) => name));
    expect(ofSets.length).toBeGreaterThan(4);
    expect(
      all
        .map(({ name }) => name)
        .filter((name) => !usual.has(name))
        .sort(),
    ).toEqual(ofSets);
    const [client, keyed] = [await connectTools(world, { 'X-API-Key': key }), new Client(world.url, key)];
    for (const name of ofSets) {
      await expect(client.callTool({ name, arguments: {} }), name).rejects.toThrow(/There is no tool/);
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
      const answer = await keyed.send('POST', '/mcp', message, { Accept: 'application/json, text/event-stream' });
      expect(answer.text, name).toContain('There is no tool');
    }
  });

  it('of the promised resources are exactly the promised ones', () => {
    const promised = new Set(Object.keys(PROMISED).map(capabilityOf));
    expect(
      ofThePromised()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(Object.keys(PROMISED).sort());
    expect(listed.filter(({ name }) => promised.has(capabilityOf(name)))).toEqual(ofThePromised());
  });

  it('are listed with the same text and in the same order each time', async () => {
    expect(JSON.stringify(await listedWith())).toBe(JSON.stringify(listed));
  });
});

const ofThePromised = () => listed.filter(({ name }) => name in PROMISED);

describe.each(Object.entries(PROMISED))('the promised tool %s', (name, [operation, required, others]) => {
  const { inputSchema } = listed.find((tool) => tool.name === name)!;

  it('calls its operation', () => {
    const { method, path } = operations.find(({ tool }) => tool?.name === name)!;
    expect(`${method} ${path}`).toBe(operation);
  });

  it('has its inputs', () => {
    expect([...(inputSchema.required ?? [])].sort()).toEqual(words(required));
    // Later fields of a resource add further inputs.
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(expect.arrayContaining([...words(required), ...words(others)]));
  });
});

describe.each(all.map((tool) => [tool.name, tool] as const))(
  '%s',
  (name, { title, description, inputSchema, outputSchema, annotations, _meta }) => {
    const operation = operations.find(({ tool }) => tool?.name === name)!;
    const { risk, says } = operation.tool!;
    const inputs = inputSchema.properties as Record<string, Schema>;

    it('has inputs in snake case and allows no others', () => {
      expect(inputSchema.additionalProperties).toBe(false);
      // Filters by the fields of extensions have names that no filter of ours can have.
      expect(Object.keys(inputs).filter((input) => !/^(custom_fields\.)?[a-z]+(_[a-z]+)*$/.test(input))).toEqual([]);
    });

    it('has inputs that take what the API takes, with its choices and a description for each', () => {
      const parameters = (documented(document, operation).parameters ?? []).map(
        ({ name: parameter, schema }) => [parameter === 'Idempotency-Key' ? 'idempotency_key' : parameter, schema] as const,
      );
      const properties = operation.needsKey
        ? Object.entries(bodySchema(document, operation).properties ?? {}).map(
            ([property, schema]) => [snakeCase(property), schema] as const,
          )
        : [];
      const known: Record<string, Schema> = {
        ...Object.fromEntries([...parameters, ...properties]),
        confirm: { type: 'boolean' },
        confirm_delete: { type: 'boolean' },
        detail: { type: 'string', enum: ['lean', 'full'], default: 'lean' },
        fields: { type: 'array', items: { type: 'string' } },
      };
      // A model reads every row, so it gets fewer unasked.
      for (const rows of ['page_size', 'limit']) if (known[rows]) known[rows] = { ...resolveRef(document, known[rows]), default: 25 };
      for (const [input, schema] of Object.entries(inputs)) {
        const ofApi = resolveRef(document, known[input]!);
        const withItems = ofApi.items ? { ...ofApi, items: resolveRef(document, ofApi.items) } : ofApi;
        expect(withItems, input).toMatchObject(limitsOf(schema));
        expect(typesOf(schema), input).toEqual(typesOf(ofApi));
        expect(choicesOf(schema), input).toEqual(choicesOf(ofApi));
        expect(Array.isArray(schema.type), `${input} has one type, or several in anyOf`).toBe(false);
        expect(schema.description, input).toMatch(/\w/);
      }
    });

    it('describes its output: every field of the API that is none of its inputs, or `deleted`, each with a type', () => {
      const content = documented(document, operation).responses[operation.status]!.content?.['application/json']?.schema;
      const fields = content ? Object.keys(resolveRef(document, content).properties ?? {}) : ['deleted'];
      const sent = operation.needsKey ? Object.keys(bodySchema(document, operation).properties ?? {}) : [];
      const described = outputSchema?.properties ?? {};
      expect(outputSchema?.type).toBe('object');
      expect(Object.keys(described)).toEqual(fields.filter((field) => !sent.includes(field)));
      // What has no type at all is a warning in the inspector of the protocol, and so is a list of types.
      for (const [field, schema] of Object.entries(described as Record<string, Schema>))
        expect(typeof schema.type === 'string' || 'anyOf' in schema || 'const' in schema, field).toBe(true);
    });

    it('says what it does and when to use it, and names only inputs that it has', () => {
      expect(title).toBe(operation.summary);
      // Between the two stands until when a deprecated operation is answered.
      expect([description?.startsWith(`${operation.summary}. `), description?.endsWith(` ${says}`)]).toEqual([true, true]);
      expect(says).toMatch(/^[A-Z].*\.$/);
      const texts = [description, ...Object.values(inputs).map((schema) => schema.description)].join(' ');
      const ofBody = operation.needsKey ? Object.keys(bodySchema(document, operation).properties ?? {}) : [];
      const lacking = [...ofBody.filter((property) => snakeCase(property) !== property), ...(operation.tool!.without ?? [])];
      expect(lacking.filter((input) => texts.includes(`\`${input}\``))).toEqual([]);
    });

    it('declares its risk, and names only tools that exist', () => {
      expect(annotations).toEqual(ANNOTATIONS[risk]);
      expect(_meta).toEqual({ risk });
      for (const [other] of says.matchAll(/\b(list|get|create|update|delete)(_[a-z]+)+\b/g))
        expect(all.map((tool) => tool.name)).toContain(other);
    });
  },
);
