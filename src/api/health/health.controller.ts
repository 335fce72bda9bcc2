import { Controller, Get, HttpCode } from '@nestjs/common';
import { Protocol } from '../operation/operation.decorator.js';
import { Health, type DependenciesState } from './health.js';

@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Protocol('The orchestrator asks whether the process is alive.', 'probes')
  @Get('live')
  @HttpCode(200)
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Protocol('The load balancer asks whether calls should be sent to this process.', 'probes')
  @Get('ready')
  @HttpCode(200)
  ready(): { status: 'ok' } {
    this.health.requireReady();
    return { status: 'ok' };
  }

  @Protocol('Operators and their alerts ask whether database and Redis are there.', 'probes')
  @Get('dependencies')
  @HttpCode(200)
  dependencies(): Promise<DependenciesState> {
    return this.health.dependencies();
  }
}
