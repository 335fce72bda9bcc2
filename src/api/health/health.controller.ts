import { Controller, Get, HttpCode } from '@nestjs/common';
import { Protocol } from '../operation/operation.decorator.js';
import { Health } from './health.js';

@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Protocol('The orchestrator asks whether the process is alive.', 'probes')
  @Get('live')
  @HttpCode(200)
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Protocol('The load balancer asks whether the process can serve calls. It can without Redis.', 'probes')
  @Get('ready')
  @HttpCode(200)
  async ready(): Promise<{ status: 'ok' }> {
    await this.health.requireReady();
    return { status: 'ok' };
  }
}
