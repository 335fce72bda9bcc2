import { Controller, Get, HttpCode } from '@nestjs/common';
import { Database } from '../../store/database/database.js';
import { Protocol } from '../operation/operation.decorator.js';

const PING = { name: 'health.ping', text: 'SELECT 1 AS ok' };

@Controller('health')
export class HealthController {
  constructor(private readonly database: Database) {}

  @Protocol('Asked by the orchestrator: is the process alive?')
  @Get('live')
  @HttpCode(200)
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Protocol('Asked by the load balancer: can it serve? Redis is not asked for, since calls are served without it.')
  @Get('ready')
  @HttpCode(200)
  async ready(): Promise<{ status: 'ok' }> {
    await this.database.rows(PING, []);
    return { status: 'ok' };
  }
}
