import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { BrowserRequest } from '../../../api/console/page.js';
import { isSecure } from '../../../api/http/other-site.js';
import { API_NAME } from '../../../kernel/product.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { accountIn, type Answer, answerIn, describeNew, siteId, verifyAnswer, verifyNew } from '../../../../tools/passkeys/index.js';
import type { Credentials, Passkey, User } from '../user.entity.js';

/** How long somebody may take to answer. */
const CHALLENGE_MS = 5 * 60_000;
const CHALLENGE_OWNER = 'a challenge for a passkey';
const PROPOSAL_OWNER = 'a proposed passkey';

type Challenge = { readonly challenge: string; readonly until: number };

interface Proposal extends Challenge {
  readonly userId: string;
  /** Changes with each of the person's credentials: nothing is added twice. */
  readonly changedAt: string;
  readonly sessionId: string;
}

/** What a browser has sent, and the challenge that it was asked to answer. */
export interface PasskeyAnswer {
  readonly answer: Answer;
  readonly asked: Challenge | undefined;
}

/** A passkey that has answered, and how it stands afterwards. */
export type UsedPasskey = Pick<Passkey, 'id' | 'counter' | 'challengedAt' | 'lastUsedAt'>;

/** Challenges for passkeys, and their answers. A challenge is made for one browser, which keeps it encrypted in a cookie. */
@Injectable()
export class Passkeys {
  private readonly cookie: string;
  private readonly secure: string;

  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {
    this.cookie = isSecure(settings) ? '__Host-claims_passkey' : 'claims_passkey';
    this.secure = isSecure(settings) ? '; Secure' : '';
  }

  /** Devices have passkeys for names only. */
  get areOffered(): boolean {
    return isIP(siteId(this.site).replace(/^\[|\]$/g, '')) === 0;
  }

  /** What the browser asks its devices for. Any of a person who is not known yet: the answer names the account. */
  challenge(reply: FastifyReply): object {
    const asked = this.makeChallenge();
    const attributes = `Path=/; Max-Age=${CHALLENGE_MS / 1000}; HttpOnly; SameSite=Strict${this.secure}`;
    void reply.header('Set-Cookie', `${this.cookie}=${this.secrets.seal(asked, CHALLENGE_OWNER)}; ${attributes}`);
    return { challenge: asked.challenge, rpId: siteId(this.site), userVerification: 'required', timeout: CHALLENGE_MS };
  }

  /** The answer that a form brings; undefined if it brings none. */
  answerIn({ headers }: Pick<BrowserRequest, 'headers'>, text: string | null): PasskeyAnswer | undefined {
    if (!text) return undefined;
    const sealed = new RegExp(`(?:^|; )${this.cookie}=([\\w-]{1,1000})(?:;|$)`).exec(headers.cookie ?? '')?.[1] ?? '';
    return { answer: answerIn(text), asked: this.secrets.unseal<Challenge>(sealed, CHALLENGE_OWNER, this.clock.now()) };
  }

  /** undefined if the answer is not one of this user's passkeys to that challenge. */
  async verify(user: Pick<User, 'accountId' | 'passkeys'>, { answer, asked }: PasskeyAnswer): Promise<UsedPasskey | undefined> {
    const key = user.passkeys.find(({ id }) => id === answer.id);
    if (!key || !asked || accountIn(answer) !== user.accountId) return undefined;
    const counter = await verifyAnswer(answer, { site: this.site, challenge: asked.challenge, key });
    return counter === undefined ? undefined : { id: key.id, counter, challengedAt: asked.until, lastUsedAt: this.clock.timestamp() };
  }

  /** What a browser asks a device for, and what it brings back with the answer. */
  async propose({ id, accountId, email, name, passkeys: known, updatedAt: changedAt }: User, sessionId: string) {
    const proposal: Proposal = { ...this.makeChallenge(), userId: id, changedAt, sessionId };
    const { challenge } = proposal;
    const options = await describeNew({ site: this.site, challenge, account: accountId, email, name, known, timeoutMs: CHALLENGE_MS });
    return { options, sealed: this.secrets.seal(proposal, PROPOSAL_OWNER) };
  }

  /** The new passkey of this user, without a name; undefined if the answer is not one to what was proposed in this session. */
  async confirm(user: User, sessionId: string, sealed: string, text: string): Promise<Omit<Passkey, 'name'> | undefined> {
    const proposal = this.secrets.unseal<Proposal>(sealed, PROPOSAL_OWNER, this.clock.now());
    if (proposal?.userId !== user.id || proposal.changedAt !== user.updatedAt || proposal.sessionId !== sessionId) return undefined;
    const key = await verifyNew(answerIn(text), { site: this.site, challenge: proposal.challenge });
    return key && { ...key, createdAt: this.clock.timestamp(), lastUsedAt: null, challengedAt: proposal.until };
  }

  /** A device signs for which site it was asked: an answer that was given to another one counts for nothing here. */
  private get site() {
    return { name: API_NAME, origin: new URL(this.settings.publicUrl).origin };
  }

  private makeChallenge(): Challenge {
    return { challenge: randomBytes(32).toString('base64url'), until: this.clock.now().getTime() + CHALLENGE_MS };
  }
}

/** The credentials after a passkey has answered; undefined if it is gone, or has answered this or a later challenge before. */
export function usePasskey(user: Credentials, used: UsedPasskey): Credentials | undefined {
  const known = user.passkeys.find(({ id }) => id === used.id);
  // Devices that do not count say 0 for good. Another one than before is a copy, or an answer that came late.
  const isLater = known && used.challengedAt > known.challengedAt && (used.counter > known.counter || used.counter + known.counter === 0);
  return isLater ? { ...user, passkeys: user.passkeys.map((one) => (one === known ? { ...one, ...used } : one)) } : undefined;
}
