import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BrowserRequest, ConsoleSessions, type SignedIn } from '../../../api/console/page.js';
import { Ports } from '../../../store/discovery/ports.js';

/** The console's session is the only kind: whatever ends it ends what the authorization server does for the browser, too. */
@Injectable()
export class BrowserSessions {
  constructor(private readonly ports: Ports) {}

  /** Not somebody who has to set up a second factor first. */
  async find(request: BrowserRequest): Promise<SignedIn | undefined> {
    const signedIn = await this.ports.only(ConsoleSessions)?.find(request);
    return signedIn?.lacksSecondFactor ? undefined : signedIn;
  }

  /** After the password was right. */
  begin(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void> {
    return this.ports.only(ConsoleSessions)!.begin(request, reply, userId, 'password');
  }

  end(reply: FastifyReply, signedIn: SignedIn): Promise<void> {
    return this.ports.only(ConsoleSessions)!.end(reply, signedIn);
  }
}
