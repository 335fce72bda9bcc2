import 'reflect-metadata';
import {
  Controller,
  HttpCode,
  Inject,
  Injectable,
  Module,
  Post,
  Res,
  UseGuards,
  type NestApplicationOptions,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { describe, expect, it } from 'vitest';
import { ClaimsWebhook, ReceivedEvent, WebhookGuard, type NodeRequest } from '../../../client/src/frameworks/nest.js';
import { secretsFor } from '../../../client/src/frameworks/receive.js';
import type { ClaimsEvent } from '../../../client/src/index.js';
import {
  aDelivery,
  describeReceiver,
  OTHER,
  opened,
  SECRET,
  send,
  type RunningReceiver,
  type Wanted,
} from '../../support/hook-receivers.js';

async function listening(controller: Type, options: NestApplicationOptions, providers: Type[] = []): Promise<RunningReceiver> {
  @Module({ controllers: [controller], providers })
  class HooksModule {}
  const app = await NestFactory.create<NestFastifyApplication>(HooksModule, new FastifyAdapter({ forceCloseConnections: true }), {
    logger: false,
    ...options,
  });
  await app.listen(0, '127.0.0.1');
  return { url: (await app.getUrl()).replace('[::1]', '127.0.0.1'), close: () => app.close() };
}

interface WithTenant extends NodeRequest {
  readonly params: { readonly tenant: string };
}

function start({ secrets, handle }: Wanted, options: NestApplicationOptions = { rawBody: true }): Promise<RunningReceiver> {
  @Controller('hooks')
  class HooksController {
    @Post(':tenant')
    @ClaimsWebhook((request: WithTenant) => secretsFor(secrets, request.params.tenant))
    async receive(@ReceivedEvent() event: ClaimsEvent, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
      const status = await handle(event);
      if (status) reply.code(status);
    }
  }
  return listening(HooksController, options);
}

describeReceiver(start);

const nothing: Wanted = { secrets: SECRET, handle: () => undefined };

it('without rawBody: true, a delivery is refused with 401 and says what to change', async () => {
  const [status, text] = await send(await opened(start(nothing, {})), await aDelivery());
  expect(status).toBe(401);
  expect(JSON.parse(text).message).toMatch(/^parsed_body: .*rawBody: true/);
});

describe('a guard of your own', () => {
  @Injectable()
  class SecretStore {
    readonly secret = SECRET;
  }

  @Injectable()
  class HooksGuard extends WebhookGuard {
    constructor(@Inject(SecretStore) private readonly store: SecretStore) {
      super();
    }

    protected secretsOf() {
      return this.store.secret;
    }
  }

  @Controller('hooks')
  class HooksController {
    @Post(':tenant')
    @HttpCode(202)
    @UseGuards(HooksGuard)
    receive(@ReceivedEvent() event: ClaimsEvent) {
      return { type: event.type };
    }
  }

  it('has the secrets of a provider', async () => {
    const receiver = await opened(listening(HooksController, { rawBody: true }, [SecretStore]));
    expect(await send(receiver, await aDelivery())).toEqual([202, '{"type":"claim_project.created"}']);
    expect((await send(receiver, await aDelivery(OTHER)))[0]).toBe(401);
  });
});
