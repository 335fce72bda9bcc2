import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { onAnswered } from '../../api/http/on-answered.js';
import { newId } from '../../kernel/ids.js';
import { Log } from '../../kernel/log.js';
import { Clock } from '../../kernel/time.js';
import type { ApiRequest } from './api-request.entity.js';
import { KEPT_PER_SECOND, WAITING_MAX } from './history-bounds.js';
import { RequestHistoryRepository } from './request-history.repository.js';

const WRITE_EVERY_MS = 1000;

/** Notes calls in memory, and writes them in one statement a second: no call waits for it. */
@Injectable()
export class RequestRecorder implements OnModuleInit, OnApplicationShutdown {
  private waiting: ApiRequest[] = [];
  /** How many calls were kept since the last write, by tenant and by whether they failed. */
  private kept = new Map<string, number>();
  private writing: Promise<void> = Promise.resolve();
  private readonly timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly history: RequestHistoryRepository,
    private readonly clock: Clock,
    @Inject(Log) private readonly log: Log,
  ) {}

  onModuleInit(): void {
    // Workers and commands have no HTTP server.
    const fastify = this.host.httpAdapter?.getInstance<FastifyInstance | undefined>();
    if (fastify) onAnswered(fastify, (request, reply) => this.note(request, reply));
  }

  /** Writes what was noted so far. */
  write(): Promise<void> {
    return (this.writing = this.writing.then(() => this.writeWaiting()));
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  private note(request: FastifyRequest, { statusCode: status, elapsedTime }: FastifyReply): void {
    const { ctx, url, method, id: requestId, ip: ipAddress, problemCode } = request;
    if (!ctx || ctx.isDryRun) return;
    const { organizationId, environment, operation, principal } = ctx;
    const tenant = `${organizationId} ${environment} ${status >= 400}`;
    const count = (this.kept.get(tenant) ?? 0) + 1;
    if (count > KEPT_PER_SECOND) return;
    this.kept.set(tenant, count);
    this.waiting.push({
      id: newId(),
      organizationId,
      environment,
      answeredAt: this.clock.timestamp(),
      operation: operation.id,
      method,
      path: url.split('?')[0]!,
      status,
      problem: problemCode ?? null,
      durationMs: Math.round(elapsedTime),
      requestId,
      credentialId: principal.id,
      credentialName: principal.name,
      ipAddress,
    });
  }

  private async writeWaiting(): Promise<void> {
    const requests = this.waiting.splice(0);
    this.kept = new Map();
    if (requests.length === 0) return;
    try {
      await this.history.insert(requests);
    } catch (error) {
      this.waiting = [...requests, ...this.waiting];
      const dropped = this.waiting.splice(0, Math.max(0, this.waiting.length - WAITING_MAX)).length;
      this.log.warn({ err: error, dropped }, 'history of requests not written, will retry');
    }
  }
}
