import type { FastifyRequest } from 'fastify';
import { ENVIRONMENTS } from '../../kernel/context.js';
import { Implements, Ports } from '../../store/discovery/ports.js';
import { Lost, LostPage, lostTitle, type SentPage } from '../http/pages/lost-page.js';
import { AddressLimiter } from '../limits/rate-limiter.js';
import { wordingFor } from '../wording/page-wording.js';
import { inWording, say, wordingNow } from '../wording/spoken.js';
import { Registry } from '../operation/registry.js';
import { CONSOLE_HEADERS, openPage } from './open-pages.js';
import { contextOf } from './console-call.js';
import { CONSOLE_PATH } from './declarations.js';
import { Frame } from './frame.js';
import { ConsoleSessions, pathOf, type SignedIn, page } from './page.js';

/** A wrong address of the console: within the frame for people who are signed in, and with the way to the sign-in for others. */
@Implements(LostPage)
export class LostConsolePage implements LostPage {
  readonly path = CONSOLE_PATH;

  constructor(
    private readonly ports: Ports,
    private readonly registry: Registry,
    private readonly frame: Frame,
    private readonly limiter: AddressLimiter,
  ) {}

  async show(request: FastifyRequest): Promise<SentPage> {
    const signedIn = await this.signedIn(request);
    const html = inWording(wordingFor(request), () => (signedIn ? this.framed(request, signedIn) : this.open()));
    return { html, headers: CONSOLE_HEADERS };
  }

  private framed(request: FastifyRequest, signedIn: SignedIn): string {
    const environment = ENVIRONMENTS.find((one) => request.url.startsWith(`${CONSOLE_PATH}/${one}`)) ?? 'test';
    const ctx = { ...contextOf(request, environment, signedIn, this.registry), notice: undefined };
    return this.frame.render(ctx, page(lostTitle(), <Lost back={<a href={pathOf(ctx)}>{say('lost.toOverview')}</a>} />));
  }

  private open(): string {
    const body = <Lost back={<a href={CONSOLE_PATH}>{say('lost.toConsole')}</a>} />;
    return openPage({ title: lostTitle(), language: wordingNow().language, body });
  }

  /** No guard runs for an address without a route, so the look-up of a session is limited here. */
  private async signedIn(request: FastifyRequest): Promise<SignedIn | undefined> {
    const isTooMuch = await this.limiter.findRefusal('console', request.ip);
    const signedIn = isTooMuch ? undefined : await this.ports.only(ConsoleSessions)?.find(request);
    return signedIn?.lacksSecondFactor ? undefined : signedIn;
  }
}
