import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { counter, duration } from '../../kernel/metrics.js';
import { onAnswered } from '../http/on-answered.js';

/** What is no operation of the API: pages, documents, probes, OAuth, the transport of the tool server. */
const OTHER = 'other';

const ANSWERED = counter('requests_total', 'Requests that were answered, by operation and HTTP status.', ['operation', 'status']);
const TOOK = duration('request_duration_seconds', 'How long answers took.', 'requests', ['operation']);
const REPLAYED = counter('idempotency_replays_total', 'Answers of an earlier request with the same Idempotency-Key.');

/** Rate, errors and duration of all requests. */
@Injectable()
export class RequestMetrics implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter?.getInstance<FastifyInstance | undefined>();
    if (fastify) onAnswered(fastify, (request, reply) => this.count(request, reply));
  }

  private count({ ctx }: FastifyRequest, reply: FastifyReply): void {
    const operation = ctx?.operation.id ?? OTHER;
    ANSWERED.inc({ operation, status: reply.statusCode });
    TOOK.observe({ operation }, reply.elapsedTime / 1000);
    if (reply.hasHeader('Idempotent-Replayed')) REPLAYED.inc();
  }
}
