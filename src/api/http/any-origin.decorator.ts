// Not from the package's main file, which loads Fastify: commands and workers read the declarations, too.
import { RouteConfig } from '@nestjs/platform-fastify/decorators/route-config.decorator.js';

/** Pages of any origin may call the route (see answer-headers.ts). Operations have this already. */
export const AnyOrigin = (): MethodDecorator => RouteConfig({ anyOrigin: true });
