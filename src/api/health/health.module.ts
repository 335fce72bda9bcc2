import { Module, Controller, Get } from '@nestjs/common';
import { Health, type DependenciesState } from './health.js';
import { Protocol } from '../operation/operation.decorator.js';

@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Protocol('The orchestrator asks whether the process is alive.', 'probes')
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Protocol('The load balancer asks whether calls should be sent to this process.', 'probes')
  @Get('ready')
  ready(): { status: 'ok' } {
    this.health.requireReady();
    return { status: 'ok' };
  }

  @Protocol('Operators and their alerts ask whether database and Redis are there.', 'probes')
  @Get('dependencies')
  dependencies(): Promise<DependenciesState> {
    return this.health.dependencies();
  }
}

@Module({ controllers: [HealthController], providers: [Health] })
export class HealthModule {}
