import type { StreamableFile } from '@nestjs/common';
import type { Actor } from '../../kernel/context.js';
import type { Problem } from '../../kernel/problems.js';
import type { Trace } from '../../kernel/trace.js';
import type { Expectation } from '../../store/database/unit-of-work.js';
import type { Principal } from '../access/principal.js';
import type { Arrival } from '../limits/calls-at-once.js';
import type { SentFile } from '../validation/read-files.js';
import type { RegisteredOperation } from '../operation/operation.js';

/** What a door hands over: who wants which operation. Nothing writes to it. */
export interface Call {
  readonly operation: RegisteredOperation;
  readonly caller: Principal;
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

export interface Asked {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The body is a merge patch (RFC 7396). */
  readonly isMerge?: boolean;
  /** Of a form, whose fields are the body. */
  readonly file?: SentFile | undefined;
  /** With the query as it was sent. */
  readonly url: string;
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
