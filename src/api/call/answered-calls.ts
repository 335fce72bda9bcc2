import { Injectable } from '@nestjs/common';
import type { ProblemCode } from '../../kernel/problems.js';
import { Log } from '../../kernel/log.js';
import type { Principal } from '../access/principal.js';
import type { RegisteredOperation } from '../operation/operation.js';
import type { Answer } from './call.js';

export interface AnsweredCall {
  readonly surface: 'api' | 'tools';
  readonly operation: RegisteredOperation;
  /** undefined if it was not found out who called. */
  readonly caller: Principal | undefined;
  readonly requestId: string;
  readonly traceId: string | undefined;
  readonly ipAddress: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly problem: ProblemCode | undefined;
  readonly durationMs: number;
  readonly isDryRun: boolean;
  readonly isCounted: boolean;
  readonly isReplay: boolean;
}

type Listener = (call: AnsweredCall) => void;

@Injectable()
export class AnsweredCalls {
  private readonly listeners: Listener[] = [];

  constructor(private readonly log: Log) {}

  onAnswered(listener: Listener): void {
    this.listeners.push(listener);
  }

  tell(call: AnsweredCall): void {
    const { caller, operation, surface } = call;
    this.log.info(
      {
        requestId: call.requestId,
        traceId: call.traceId,
        method: operation.method,
        path: call.path,
        operation: operation.id,
        tool: surface === 'tools' ? operation.tool?.name : undefined,
        status: call.status,
        ms: Math.round(call.durationMs * 10) / 10,
        organizationId: caller?.organization.id,
        environment: caller?.environment,
        credentialId: caller?.id,
        replayed: call.isReplay || undefined,
        address: call.ipAddress,
      },
      'request',
    );
    for (const listener of this.listeners) listener(call);
  }

  /** Logs what the caller may not know of a failure. */
  tellFailure({ requestId, traceId }: Pick<AnsweredCall, 'requestId' | 'traceId'>, { problem }: Pick<Answer, 'problem'>): void {
    if (!problem || problem.status < 500) return;
    this.log.error({ requestId, traceId, err: problem.cause ?? problem, problem: problem.code }, 'call failed');
  }
}
