import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  PayloadTooLargeException,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { ClaimsEvent } from '../generated-types.js';
import { rawBodyOf, type NodeRequest } from './node.js';
import { receive, secretsFor, type ReceiveOptions, type Secrets } from './receive.js';

export type { ReceiveOptions, Secrets } from './receive.js';
export type { NodeRequest } from './node.js';

const ADVICE = 'Create the application with NestFactory.create(AppModule, { rawBody: true }).';
const events = new WeakMap<object, ClaimsEvent>();

/** Lets only verified deliveries through. Extend it where the secrets come from a provider, such as ConfigService. */
export abstract class WebhookGuard implements CanActivate {
  protected readonly options: ReceiveOptions = {};

  protected abstract secretsOf(request: NodeRequest): ReturnType<typeof secretsFor>;

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<NodeRequest>();
    const body = (maxBytes: number) => rawBodyOf(request, maxBytes, ADVICE);
    const received = await receive({ headers: request.headers, body, secrets: () => this.secretsOf(request) }, this.options);
    if (!received.event)
      throw received.status === 413 ? new PayloadTooLargeException(received.text) : new UnauthorizedException(received.text);
    events.set(request, received.event);
    return true;
  }
}

/** A handler of a controller that receives webhooks. It answers 204, and 401 to what is not from us. */
export function ClaimsWebhook<Request extends NodeRequest>(secrets: Secrets<[Request]>, options: ReceiveOptions = {}): MethodDecorator {
  class Guard extends WebhookGuard {
    protected override readonly options = options;

    protected secretsOf(request: NodeRequest) {
      return secretsFor(secrets, request as Request);
    }
  }
  return applyDecorators(HttpCode(204), UseGuards(new Guard()));
}

/** The event that a guard has verified, as a parameter of the handler. */
export const ReceivedEvent = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  events.get(context.switchToHttp().getRequest<object>()),
);
