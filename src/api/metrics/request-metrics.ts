import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { counter, duration } from '../../kernel/metrics.js';
import { AnsweredCalls } from '../call/call.js';
import { onAnswered } from '../http/answered-requests.js';
import { isProbe } from '../http/probes.js';

/** What is no operation of the API: pages, documents, OAuth, the transport of the tool server, and calls without a valid credential. */
const OTHER = 'other';
/** The parts of the service, by how the paths of their routes begin. Every other route is a page or a document. */
const SURFACES = { '/v1': 'api', '/console': 'console', '/oauth': 'oauth', '/.well-known/o': 'oauth', '/mcp': 'tools' };

const ANSWERED = counter(
  'requests_total',
  'Requests that were answered, without probes, by part of the service, operation and HTTP status.',
  ['surface', 'operation', 'status'],
);
/** The status of an operation has no series before its first answer, so the first failures of all would not be seen in `requests_total`. */
const FAILED = counter(
  'failed_requests_total',
  'Requests that got a 5xx, by part of the service.',
  ['surface'],
  [...Object.values(SURFACES), 'sign_in', 'pages', OTHER].map((surface) => ({ surface })),
);
const TOOK = duration('request_duration_seconds', 'How long answers took.', 'requests', ['surface', 'operation']);
const REPLAYED = counter('idempotency_replays_total', 'Answers of an earlier request with the same Idempotency-Key.');

@Injectable()
export class RequestMetrics implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly calls: AnsweredCalls,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter?.getInstance<FastifyInstance | undefined>();
    if (!fastify) return;
    onAnswered(fastify, (request, { statusCode, elapsedTime }) => {
      if (!request.operation && !isProbe(request)) count(surfaceOf(request.routeOptions.url), OTHER, statusCode, elapsedTime);
    });
    this.calls.onAnswered(({ surface, operation, caller, status, durationMs, isReplay }) => {
      count(surface, caller ? operation.id : OTHER, status, durationMs);
      if (isReplay) REPLAYED.inc();
    });
  }
}

function count(surface: string, operation: string, status: number, ms: number): void {
  ANSWERED.inc({ surface, operation, status });
  if (status >= 500) FAILED.inc({ surface });
  TOOK.observe({ surface, operation }, ms / 1000);
}

/** Of a route, not of the address that a caller has sent: one that no route has is of no part. */
function surfaceOf(route: string | undefined): string {
  if (route === undefined) return OTHER;
  if (route.startsWith('/console/sign-in')) return 'sign_in';
  return Object.entries(SURFACES).find(([start]) => route.startsWith(start))?.[1] ?? 'pages';
}
