// Not from the package's main file: see any-origin.decorator.ts.
import { RouteConfig } from '@nestjs/platform-fastify/decorators/route-config.decorator.js';

/** People open the route in a browser, so its problems are pages. */
export const BrowserPage = (): MethodDecorator => RouteConfig({ isPage: true });
