import { Global, Module } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import { Tracing } from './tracing.js';

@Global()
@Module({
  providers: [{ provide: Tracing, inject: [Settings], useFactory: (settings: Settings) => Tracing.by(settings) }],
  exports: [Tracing],
})
export class TracingModule {}
