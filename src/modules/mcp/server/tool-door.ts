import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Authenticator } from '../../../api/access/authenticator.js';
import { AnsweredCalls } from '../../../api/call/answered-calls.js';
import type { Answer } from '../../../api/call/call.js';
import { Executor } from '../../../api/call/executor.js';
import { Registry } from '../../../api/operation/registry.js';
import { idempotencyKeyOf } from '../../../api/validation/read-request.js';
import { problemBody } from '../../../kernel/problems.js';
import { snakeCase } from '../../../kernel/text.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { CHANNEL, pathOf, type CallRest, type RestAnswer } from '../tools/tool.js';

/** Calls by tools: makes a call of what a tool asks for. The request that carries it was let in before. */
@Injectable()
export class ToolDoor {
  constructor(
    private readonly registry: Registry,
    private readonly authenticator: Authenticator,
    private readonly executor: Executor,
    private readonly answered: AnsweredCalls,
    private readonly settings: Settings,
  ) {}

  for({ id: requestId, ip: ipAddress, trace, principal }: FastifyRequest): CallRest {
    return async (call) => {
      const [operation, caller, began] = [this.registry.operationCalled(call.operation), principal!, performance.now()];
      const { isDryRun = false, params, query, body } = call;
      const asked = { operation, caller, requestId, ipAddress, isDryRun };
      const ask = () => {
        const key = operation.needsKey ? idempotencyKeyOf({ 'idempotency-key': call.key }) : undefined;
        return { params, query, body: operation.body && (body ?? {}), url: '', key };
      };
      const actor = this.authenticator.actorOf(caller, CHANNEL);
      const answer = await this.executor.execute({ ...asked, actor, trace, isLetIn: true, ask });
      const { status, problem, isCounted, isReplay } = answer;
      const traceId = trace?.traceId;
      this.answered.tellFailure({ requestId, traceId }, answer);
      const [durationMs, path] = [performance.now() - began, pathOf(call)];
      const became = { path, status, problem: problem?.code, durationMs, isCounted, isReplay };
      this.answered.tell({ surface: 'tools', ...asked, traceId, ...became });
      return this.makeAnswer(answer, requestId);
    };
  }

  private async makeAnswer({ status, headers, record, body, file, problem }: Answer, requestId: string): Promise<RestAnswer> {
    if (problem) {
      const at = { baseUrl: this.settings.publicUrl, requestId };
      return { status, body: problemBody(problem.named(snakeCase), at), retryAfter: headers['Retry-After'] };
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
