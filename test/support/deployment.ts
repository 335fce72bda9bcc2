import { expect } from 'vitest';
import { AuditService } from '../../src/modules/audit/index.js';
import { startApp, type TestApp } from './app.js';
import { Balancer } from './balancer.js';
import { aTenant } from './builders.js';
import { Client } from './client.js';
import { eatMemory, MemoryGroup } from './memory-group.js';
import { OwnPostgres } from './own-postgres.js';
import { OwnRedis } from './own-redis.js';
import { startProcess, type TestProcess } from './process.js';
import { isAlive } from './processes-of.js';
import { Receiver } from './receiver.js';
import { aWebhook } from './webhooks.js';
import { WITHOUT_LIMITS } from './writers.js';

export type Role = 'api' | 'worker';

const WEBHOOK_TIMEOUT_MS = 2000;
/** How long a worker holds an endpoint with that timeout. */
export const LEASE_MS = 5000;
const ENV = {
  ...WITHOUT_LIMITS,
  DATABASE_POOL_SIZE: '8',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_TIMEOUT_MS: String(WEBHOOK_TIMEOUT_MS),
  WEBHOOK_RETRY_SCHEDULE: '0s,1s,1s,2s,2s',
};

export interface DeploymentOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly ownPostgres?: Promise<OwnPostgres>;
  /** What each process may have, where the machine has control groups. */
  readonly memoryMib?: number;
}

/** Two APIs behind a load balancer, two workers, and servers of their own: everything that can be lost. */
export class Deployment {
  readonly processes: Record<Role, TestProcess[]> = { api: [], worker: [] };
  private readonly groups = new Map<TestProcess, MemoryGroup>();

  static async start({ env = {}, ownPostgres = OwnPostgres.start(), memoryMib }: DeploymentOptions = {}): Promise<Deployment> {
    const [postgres, redis, balancer, receiver] = await Promise.all([ownPostgres, OwnRedis.start(), Balancer.start(), Receiver.start()]);
    const ofAll = { ...ENV, DATABASE_URL: postgres.proxy.url, ...env };
    const settings = { env: { ...ofAll, REDIS_URL: redis.proxy.url }, memoryMib };
    const deployment = new Deployment(settings, postgres, redis, balancer, receiver, await startApp(ofAll));
    await Promise.all((['api', 'api', 'worker', 'worker'] as const).map((role) => deployment.add(role)));
    return deployment;
  }

  private constructor(
    private readonly settings: { readonly env: Readonly<Record<string, string>>; readonly memoryMib: number | undefined },
    readonly postgres: OwnPostgres,
    readonly redis: OwnRedis,
    private readonly balancer: Balancer,
    readonly receiver: Receiver,
    /** Makes organizations, and verifies their audit logs. No call goes to it. */
    readonly app: TestApp,
  ) {}

  /** Calls go to either API. */
  get url(): string {
    return this.balancer.url;
  }

  /** An organization with an endpoint at the receiver. */
  async aTenant(): Promise<{ organizationId: string; api: Client }> {
    const { key, organization } = await aTenant(this.app);
    const api = new Client(this.url, key);
    await aWebhook(api, { targetUrl: this.receiver.url, subscribedEvents: ['claim_project.created'] });
    return { organizationId: organization.id, api };
  }

  /** Why the audit log of an organization is not what was written, if so. */
  async auditFault(organizationId: string): Promise<unknown> {
    return (await this.app.app.get(AuditService).verify(organizationId)).fault;
  }

  /** Kills a process, and starts another one in its place, as an orchestrator does. */
  async lose(role: Role): Promise<void> {
    const lost = this.processes[role].shift()!;
    await lost.kill();
    await this.replace(role, lost);
  }

  /** Something else takes all memory of a process, so that the kernel ends it. Another one is started in its place. */
  async starve(role: Role): Promise<void> {
    const lost = this.processes[role].shift()!;
    const group = this.groups.get(lost)!;
    const eater = eatMemory(group, lost.pid);
    await lost.ended;
    eater.kill('SIGKILL');
    expect(group.kills).toBeGreaterThan(0);
    await this.replace(role, lost);
  }

  /** No process ends by itself, whatever happens around it. */
  expectAllAlive(): void {
    for (const [role, processes] of Object.entries(this.processes))
      expect(
        processes.map((process) => isAlive(process.pid) && !this.groups.get(process)?.kills),
        `alive: ${role}`,
      ).toEqual([true, true]);
  }

  /** From now on nothing asks the processes for anything. */
  rest(): void {
    this.balancer.rest();
  }

  /** Those that were never killed end as they should. */
  async stop(): Promise<void> {
    const ended = await Promise.all(Object.values(this.processes).flatMap((processes) => processes.map((process) => process.stop())));
    for (const group of this.groups.values()) group.remove();
    await this.app.close();
    await Promise.all([this.balancer.close(), this.receiver.close(), this.redis.stop(), this.postgres.stop()]);
    for (const { code, stderr } of ended) expect([code, stderr]).toEqual([0, '']);
  }

  private async replace(role: Role, lost: TestProcess): Promise<void> {
    if (role === 'api') this.balancer.remove(lost.url);
    this.groups.get(lost)?.remove();
    this.groups.delete(lost);
    await this.add(role);
  }

  private async add(role: Role): Promise<void> {
    const { env, memoryMib } = this.settings;
    const group = memoryMib === undefined ? undefined : MemoryGroup.ofMib(memoryMib);
    const started = await startProcess({ ...env, ROLE: role }, { group });
    if (group) this.groups.set(started, group);
    this.processes[role].push(started);
    if (role === 'api') await this.balancer.add(started.url);
  }
}
