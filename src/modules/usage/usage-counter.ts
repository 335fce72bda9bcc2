import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import { onAnswered } from '../../api/http/on-answered.js';
import { Log } from '../../kernel/log.js';
import type { UsageDay } from './usage-day.entity.js';
import { UsageRepository, type UsageBatch } from './usage.repository.js';

/** At most so much is lost when the process is killed. */
const WRITTEN_EVERY_MS = 500;

/** Counts calls in memory and adds them to the database twice a second, in one statement: no write per request. */
@Injectable()
export class UsageCounter implements OnModuleInit, OnApplicationShutdown {
  private counts = new Map<string, UsageDay>();
  private readonly writerId = newId();
  private lastNumber = 0;
  private unwritten: UsageBatch | undefined;
  private writing: Promise<void> = Promise.resolve();
  private readonly timer = setInterval(() => void this.write(), WRITTEN_EVERY_MS).unref();

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly usage: UsageRepository,
    private readonly clock: Clock,
    @Inject(Log) private readonly log: Log,
  ) {}

  onModuleInit(): void {
    // Commands at the terminal use the services without an HTTP server.
    const fastify = this.host.httpAdapter?.getInstance<FastifyInstance | undefined>();
    if (fastify) onAnswered(fastify, (request, reply) => this.count(request, reply.statusCode));
  }

  /** Writes what was counted so far, so that whoever reads afterwards sees their own calls. */
  write(): Promise<void> {
    this.writing = this.writing.then(() => this.writeAll());
    return this.writing;
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  private count({ ctx, isCounted }: FastifyRequest, status: number): void {
    if (!ctx || !isCounted) return;
    const { organizationId, environment, operation } = ctx;
    const day = this.clock.timestamp().slice(0, 10);
    this.add({
      organizationId,
      environment,
      day,
      capability: operation.capability,
      reads: operation.isWrite ? 0 : 1,
      writes: operation.isWrite ? 1 : 0,
      failed: status >= 400 ? 1 : 0,
    });
  }

  private add(count: UsageDay): void {
    const key = `${count.organizationId}:${count.environment}:${count.day}:${count.capability}`;
    const known = this.counts.get(key);
    if (!known) return void this.counts.set(key, count);
    known.reads += count.reads;
    known.writes += count.writes;
    known.failed += count.failed;
  }

  private async writeAll(): Promise<void> {
    while ((this.unwritten ??= this.nextBatch())) {
      try {
        await this.usage.add(this.unwritten);
      } catch (error) {
        return this.log.warn({ err: error }, 'Usage was not written; it will be tried again');
      }
      this.unwritten = undefined;
    }
  }

  private nextBatch(): UsageBatch | undefined {
    if (this.counts.size === 0) return undefined;
    const counts = [...this.counts.values()];
    this.counts = new Map();
    return { writerId: this.writerId, number: (this.lastNumber += 1), counts };
  }
}
