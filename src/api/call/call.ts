import { type StreamableFile, Injectable } from '@nestjs/common';
import type { Actor } from '../../kernel/context.js';
import type { Problem, ProblemCode } from '../../kernel/problems.js';
import type { Trace } from '../../kernel/trace.js';
import type { Expectation } from '../../store/database/unit-of-work.js';
import type { Principal } from '../access/principal.js';
import type { Arrival } from '../limits/calls-at-once.js';
import type { Given } from '../validation/validate-request.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { Log } from '../../kernel/log.js';

/** What a call by a tool says beyond what it asks for. */
export interface CallOfTool {
  /** The actor of a change that people have agreed to, by the id of their confirmation. */
  readonly confirmedActor: (confirmation: string) => Actor;
  /** Only a part of it is shown: people are not asked about it. */
  readonly isPart?: boolean | undefined;
  /** What the person at the client has said about a confirmation, which the client was asked to show. */
  readonly reply?: { readonly confirmation: string; readonly isYes: boolean } | undefined;
}

/** What a door hands over: who wants which operation. Nothing writes to it. */
export interface Call {
  readonly operation: RegisteredOperation;
  readonly caller: Principal;
  /** A model may not decide alone about each change that it makes by a tool (see agreements.ts). */
  readonly door: 'api' | 'console' | CallOfTool;
  readonly actor: Actor;
  readonly requestId: string;
  readonly ipAddress: string;
  readonly trace?: Trace | undefined;
  readonly isDryRun: boolean;
  /** The request that brings it, if it brings nothing else. */
  readonly arrival?: Arrival | undefined;
  /** The request that carries it was taken off the rate limit when it arrived, with all its calls. */
  readonly isLetIn?: boolean;
  /** Reads what is asked for. It comes after the question whether the caller may: without access, nothing of a body is parsed. */
  readonly ask: () => Asked | Promise<Asked>;
}

export interface Asked extends Given {
  readonly key?: string | undefined;
  readonly ifMatch?: readonly string[] | undefined;
  readonly expectation?: Expectation | undefined;
}

export interface Answer {
  readonly status: number;
  /** Those of the operation, and those that say what is left of the limits. */
  readonly headers: Readonly<Record<string, string>>;
  readonly record: unknown;
  /** The record as text, in slices where it is large: of a repeated write as it was remembered, byte for byte. */
  readonly body: string | readonly Buffer[] | undefined;
  readonly file: StreamableFile | undefined;
  readonly problem: Problem | undefined;
  /** Whether it is the answer of an earlier call with the same key. */
  readonly isReplay: boolean;
  /** Whether it counts as usage: it got past the credential and the allowlist, and was no dry run. */
  readonly isCounted: boolean;
}

export interface AnsweredCall
  extends Pick<Call, 'operation' | 'requestId' | 'ipAddress' | 'isDryRun'>, Pick<Answer, 'status' | 'isCounted' | 'isReplay'> {
  readonly surface: 'api' | 'tools';
  /** What the client of a tool calls itself. */
  readonly client?: string | undefined;
  /** undefined if it was not found out who called. */
  readonly caller: Principal | undefined;
  readonly traceId: string | undefined;
  /** Without the query. */
  readonly path: string;
  readonly problem: ProblemCode | undefined;
  readonly durationMs: number;
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
  tellFailure({ requestId, trace }: Pick<Call, 'requestId' | 'trace'>, { problem }: Pick<Answer, 'problem'>): void {
    if (!problem || problem.status < 500) return;
    this.log.error({ requestId, traceId: trace?.keep(), err: problem.cause ?? problem, problem: problem.code }, 'call failed');
  }
}
