import { buffer } from 'node:stream/consumers';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IpAllowlistGuard, RateLimitGuard } from '../../../api/access/access.guards.js';
import { Authenticator } from '../../../api/access/authenticator.js';
import { Channel, ProtectedResource } from '../../../api/access/ports.js';
import type { Principal } from '../../../api/access/principal.js';
import { ConfirmationNeeded } from '../../../api/call/agreements.js';
import { AnsweredCalls, type Answer } from '../../../api/call/call.js';
import { Executor } from '../../../api/call/executor.js';
import { PLACES_OF_A_LIST } from '../../../api/limits/calls-at-once.js';
import { DocumentSource } from '../../../api/operation/document-source.js';
import { Registry } from '../../../api/operation/registry.js';
import { readJson, idempotencyKeyOf } from '../../../api/validation/read-request.js';
import { ruleOf } from '../../../kernel/confirmation-rules.js';
import { Log } from '../../../kernel/log.js';
import { tierOf } from '../../../kernel/plans.js';
import { Problem, problemBody } from '../../../kernel/problems.js';
import { API_NAME } from '../../../kernel/product.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { snakeCase } from '../../../kernel/text.js';
import type { Attributes, Trace } from '../../../kernel/trace.js';
import { Implements, Ports, WarmUp } from '../../../store/discovery/ports.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import type { Guides } from '../resources.js';
import {
  filterOfUrl,
  filterTools,
  UnknownToolFilter,
  USUAL,
  MCP_PATH,
  CHANNEL,
  pathOf,
  type CallRest,
  type RestAnswer,
} from '../tools/tool.js';
import type { ToolAnswer } from '../tools/visible-text.js';
import type { McpHandler } from './mcp-handler.js';
import { INVALID_REQUEST, McpRefusal, sendRefusal } from './mcp-refusal.js';
import type { MakeServer, RestAccess } from './tool-server.js';

/** All of them name this machine, so a service at one may be called by any. No foreign web page has one of these hosts. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Whether Host names this service. Otherwise a foreign web page could call it through DNS rebinding. A page of any origin may call
 * it by its own name: the credential is in a header, so the page must have one.
 */
function namesThisService({ headers: { host = '' } }: FastifyRequest, own: URL): boolean {
  if (host === own.host) return true;
  const hostname = host.replace(/:\d+$/, '');
  return hostname === own.hostname || (LOOPBACK.test(own.hostname) && LOOPBACK.test(hostname));
}

/** The checks of the API that need no operation, in the same order. They read headers only: without access nothing is parsed. */
@Injectable()
export class McpGuard {
  private own: URL | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly authenticator: Authenticator,
    private readonly allowlist: IpAllowlistGuard,
    private readonly rateLimit: RateLimitGuard,
    private readonly registry: Registry,
  ) {}

  async letIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!namesThisService(request, (this.own ??= new URL(this.settings.publicUrl))))
      throw new McpRefusal({ status: 403, code: 'forbidden', message: 'The header Host must name this service.' });
    const entrance = { path: MCP_PATH, scopes: () => this.scopesFor(request) };
    const principal = (request.principal = await this.authenticator.findPrincipal(request, reply, entrance)); // who calls: 401
    this.allowlist.check(principal, { requestId: request.id, ipAddress: request.ip }); // from where: 403
    const [arrival, headers] = [{ places: PLACES_OF_A_LIST, request, reply }, {}];
    await this.rateLimit.enter(principal, arrival, headers).finally(() => void reply.headers(headers)); // how often: 429
  }

  /** The scopes of the tools that the client asked for in the address: a client of `/mcp?readonly` need not ask for more. */
  private scopesFor({ url }: FastifyRequest): string[] {
    const tools = this.registry.operations.flatMap(({ tool, capability, scope }) =>
      tool ? [{ risk: tool.risk, set: tool.set, capability, scope }] : [],
    );
    const filter = filterOfUrl(url, tools);
    const wanted = filterTools(tools, filter instanceof UnknownToolFilter ? USUAL : filter);
    return [...new Set(wanted.flatMap(({ scope }) => scope ?? []))].sort();
  }
}

/** Calls by tools: makes a call of what a tool asks for. The request that carries it was let in before. */
@Injectable()
export class ToolDoor {
  constructor(
    private readonly registry: Registry,
    private readonly authenticator: Authenticator,
    private readonly executor: Executor,
    private readonly answered: AnsweredCalls,
    private readonly settings: Settings,
    private readonly secrets: Secrets,
  ) {}

  /** A reply is of the credential that was asked, and of the person for whom it acts. */
  asking({ type, id, user, organization, environment }: Principal): ReturnType<RestAccess['asking']> {
    const whom = [organization.id, environment, type, id, user?.id].join(' ');
    return { whom, key: this.secrets.keysFor('questions of tools')[0]! };
  }

  for({ id: requestId, ip: ipAddress, trace, principal }: FastifyRequest, client: string | undefined): CallRest {
    return async (call) => {
      const [operation, caller, began] = [this.registry.operationCalled(call.operation), principal!, performance.now()];
      const { isDryRun = false, params, query, body } = call;
      const confirmedActor = (id: string) => this.authenticator.actorOf(caller, CHANNEL, client, `confirmed ${id}`);
      const asked = { operation, caller, requestId, ipAddress, isDryRun, door: { confirmedActor, reply: call.reply, isPart: call.isPart } };
      const ask = () => {
        // What is only shown claims no key, so it needs none.
        const needsKey = operation.needsKey && !(isDryRun && call.key === undefined);
        const key = needsKey ? idempotencyKeyOf({ 'idempotency-key': call.key }) : undefined;
        return { params, query, body: operation.body && (body ?? {}), url: '', key };
      };
      const actor = this.authenticator.actorOf(caller, CHANNEL, client);
      const execute = (step: Trace | undefined = trace) => this.executor.execute({ ...asked, actor, trace: step, isLetIn: true, ask });
      const answer = await (trace && operation.tool
        ? trace.step(`tools/call ${operation.tool.name}`, execute, ofTool(operation.tool))
        : execute());
      const { status, problem, isCounted, isReplay } = answer;
      this.answered.tellFailure({ requestId, trace }, answer);
      const [durationMs, path] = [performance.now() - began, pathOf(call)];
      const became = { path, status, problem: problem?.code, durationMs, isCounted, isReplay };
      this.answered.tell({ surface: 'tools', client, ...asked, traceId: trace?.traceId, ...became });
      return this.makeAnswer(answer, requestId);
    };
  }

  private async makeAnswer({ status, headers, record, body, file, problem }: Answer, requestId: string): Promise<RestAnswer> {
    if (problem) {
      const at = { baseUrl: this.settings.publicUrl, requestId };
      const needed = problem instanceof ConfirmationNeeded && { confirmation: problem.confirmation ?? null };
      return { status, body: { ...problemBody(problem.named(snakeCase), at), ...needed }, retryAfter: headers['Retry-After'] };
    }
    if (file) return { status, body: undefined, file: { mediaType: file.getHeaders().type, bytes: await buffer(file.getStream()) } };
    const text = typeof body === 'object' ? Buffer.concat(body).toString() : body;
    if (text === undefined) return { status, body: undefined };
    // Plain calls need the text alone.
    return {
      status,
      record,
      text,
      get body() {
        return JSON.parse(text) as unknown;
      },
    };
  }
}

/** As OpenTelemetry's conventions for the protocol name them. */
const ofTool = ({ name }: { readonly name: string }): Attributes => ({
  'mcp.method.name': 'tools/call',
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
});

/** The tool server over HTTP. It keeps no state between requests, so any replica can answer. */
@Implements(WarmUp)
export class McpService implements WarmUp, BeforeApplicationShutdown {
  /** Tests of the protocol replace this before the first request: they need tools that the service must not have. */
  makeServer: MakeServer | undefined;
  private handler: Promise<McpHandler> | undefined;
  private readonly guides: Guides = {
    list: () => this.ports.only(DocumentSource)!.guides(),
    text: async (wanted) => (await this.ports.only(DocumentSource)!.guides()).find(({ name }) => name === wanted)?.text,
  };

  constructor(
    private readonly guard: McpGuard,
    private readonly door: ToolDoor,
    private readonly ports: Ports,
    private readonly settings: Settings,
    private readonly rateLimit: RateLimitGuard,
    private readonly log: Log,
  ) {}

  async warmUp(): Promise<void> {
    if (this.settings.role !== 'worker') await this.loadHandler();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await (await this.handler)?.end();
  }

  async serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await this.guard.letIn(request, reply);
      await this.answer(request, reply);
    } catch (error) {
      if (!(error instanceof Problem || error instanceof McpRefusal)) throw error;
      sendRefusal(reply, error);
    }
  }

  private async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const handler = await this.loadHandler();
    const filter = handler.filterOf(request);
    const body = request.method === 'POST' ? await this.readMessages(request, reply) : undefined;
    await handler.answer(request, reply, body, {
      filter,
      callRest: this.door.for(request, clientIn(body)),
      settle: (call, answer) => this.settle(request.principal!, call, answer),
      asking: () => this.door.asking(request.principal!),
      ruleFor: ({ risk }) => (risk === 'read_only' ? 'model' : ruleOf(request.principal!, risk)),
      guides: this.guides,
      onFailure: (error) => this.log.error({ err: error, requestId: request.id }, 'tool call failed'),
    });
  }

  private async settle(principal: Principal, call: string, answer: ToolAnswer): Promise<ToolAnswer> {
    const said = await this.rateLimit.agents.count(principal, call, answer.text);
    return said === undefined ? answer : answer.with(said);
  }

  /** Every message counts against the rate limit once. The guard has counted the first: it was asked before the body was read. */
  private async readMessages(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const body = await readJson(request);
    if (body === undefined) throw new Problem('malformed_json', { detail: 'The body must be a message of JSON-RPC.' });
    checkMembers(body);
    const principal = request.principal!;
    const count = messagesIn(body, tierOf(this.settings.rateLimits, principal.organization).burst);
    const headers = {};
    if (count > 1) await this.rateLimit.take(principal, headers, count - 1).finally(() => void reply.headers(headers));
    return body;
  }

  /** Processes that serve no tools do not load the SDK. */
  private loadHandler(): Promise<McpHandler> {
    return (this.handler ??= import('./mcp-handler.js').then(
      ({ McpHandler }) => new McpHandler(this.ports.only(DocumentSource)!.document, this.makeServer),
    ));
  }
}

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const CLIENT_MAX = 60;

/** What the client calls itself, which the newest revision asks of it: for the audit log, beside the credential. It proves nothing. */
function clientIn(body: unknown): string | undefined {
  const { _meta: meta } = (body as { params?: { _meta?: Readonly<Record<string, unknown>> } } | undefined)?.params ?? {};
  const { name } = (meta?.[CLIENT_INFO] ?? {}) as { name?: unknown };
  return typeof name === 'string'
    ? name
        .replace(/[^\p{L}\p{N}._-]+/gu, ' ')
        .trim()
        .slice(0, CLIENT_MAX)
    : undefined;
}

/** The SDK checks members one by one: a megabyte of them would block the process for a second. Valid inputs of a tool have fewer. */
export const MEMBERS_MAX = 15_000;

function checkMembers(body: unknown): void {
  if (membersOf(body) <= MEMBERS_MAX) return;
  const message = `The objects of a request may have at most ${MEMBERS_MAX} members together.`;
  throw new McpRefusal({ status: 400, code: 'too_many_members', message, rpcCode: INVALID_REQUEST });
}

/** The body is nested a limited number of levels: it was checked when it was read. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, item) => sum + membersOf(item), Array.isArray(value) ? 0 : inner.length);
}

/** The most messages in one request. Only revision 2025-03-26 has requests with several. */
const BATCH_MAX = 100;

/** A batch that is larger than the burst of the rate limit could never be let in, however long its sender waited. */
function messagesIn(body: unknown, burst: number): number {
  if (!Array.isArray(body)) return 1;
  const max = Math.min(BATCH_MAX, burst);
  if (body.length <= max) return body.length;
  const message = `A batch may have at most ${max} messages. Each of them counts against the rate limit.`;
  throw new McpRefusal({ status: 400, code: 'batch_too_large', message, rpcCode: INVALID_REQUEST });
}

/** The tool server takes access tokens that were issued for it. */
@Implements(ProtectedResource)
export class McpResource extends ProtectedResource {
  readonly path = MCP_PATH;
  readonly name = API_NAME;
}

/** The audit log tells tool calls apart from other calls. */
@Implements(Channel)
export class McpChannel extends Channel {
  readonly name = CHANNEL;
}
