import { Controller, Get, HttpCode } from '@nestjs/common';
import { Database } from '../../store/database/database.js';
import { Protocol } from '../operation/operation.decorator.js';

const PING = { name: 'health.ping', text: 'SELECT 1 AS ok' };

@Controller('health')
export class HealthController {
  constructor(private readonly database: Database) {}

  @Protocol('The orchestrator asks whether the process is alive.')
  @Get('live')
  @HttpCode(200)
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Protocol('The load balancer asks whether the process can serve calls. It can without Redis.')
  @Get('ready')
  @HttpCode(200)
  async ready(): Promise<{ status: 'ok' }> {
    await this.database.rows(PING, []);
    return { status: 'ok' };
  }
}
