import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { wordList } from '../../../kernel/package-folder.js';
import { say } from '../../../api/wording/spoken.js';
import { Problem } from '../../../kernel/problems.js';
import { API_NAME } from '../../../kernel/product.js';
import { codePoints, foldText, digestOf } from '../../../kernel/text.js';
import { Clock } from '../../../kernel/time.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { OrganizationService } from '../../organization/index.js';
import { factsOf, hasSecondFactor } from '../user-rules.js';
import { type User, type Credentials, credentialsOf } from '../user.entity.js';
import { isGuessed } from '../../../../tools/guessed-passwords/index.js';
import { base32, bytesOfBase32, totpStep, totpUri } from '../../../../tools/one-time-codes/index.js';

/** Argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes and compares passwords, outside the event loop. */
@Injectable()
export class Passwords {
  private dummyHash: Promise<string> | undefined;

  constructor(private readonly organizations: OrganizationService) {}

  async hash(password: string, { email, name, organizationId }: Pick<User, 'email' | 'name' | 'organizationId'>): Promise<string> {
    requirePassword(password, { email, name, organization: await this.organizations.byId(organizationId) });
    return hash(normalPassword(password), COST);
  }

  /** Takes equally long if there is no stored hash, so that response times do not show which users exist. */
  async isRight(password: string, stored: string | null): Promise<boolean> {
    if (isTooLong(password)) return false;
    const dummyHash = await (this.dummyHash ??= hash(randomBytes(16), COST));
    const isRight = await verify(stored ?? dummyHash, normalPassword(password));
    return isRight && stored !== null;
  }
}

/** A random password of 128 bits. */
export const makePassword = (): string => randomBytes(16).toString('base64url');

export const MIN_LENGTH = 12;
export const MAX_LENGTH = 128;

export const passwordHint = (): string => say('invitation.passwordHint', { least: MIN_LENGTH, most: MAX_LENGTH });

/** Whose password it is: others know these words, too. */
interface PasswordOwner {
  readonly email: string;
  readonly name: string;
  readonly organization: { readonly name: string; readonly slug: string };
}

/** Keyboards encode the same text differently: é as one character or as two. */
const normalPassword = (password: string): string => password.normalize('NFKC');

const isTooLong = (password: string): boolean => codePoints(normalPassword(password)) > MAX_LENGTH;

/** What holds for every new password, wherever it is chosen. */
export function requirePassword(password: string, owner: PasswordOwner): void {
  const length = codePoints(normalPassword(password));
  if (length < MIN_LENGTH) throw Problem.invalidField('password', 'too_short', `must have at least ${MIN_LENGTH} characters`);
  if (length > MAX_LENGTH) throw Problem.invalidField('password', 'too_long', `must have at most ${MAX_LENGTH} characters`);
  if (foldText(password) === foldText(owner.email)) throw Problem.invalidField('password', 'not_allowed', 'must not be the e-mail address');
  if (isGuessed(password, { common: commonWords(), known: wordsOf(owner) }))
    throw Problem.invalidField(
      'password',
      'not_allowed',
      'is among the first that others would try: a common word, your name, address or organization with digits, or a repetition. ' +
        'Use several words',
    );
}

const wordsOf = ({ email, name, organization }: PasswordOwner) => [API_NAME, email, name, organization.name, organization.slug];

let common: ReadonlySet<string> | undefined;
/** Read when the first password is chosen: most processes never need them. */
const commonWords = (): ReadonlySet<string> => (common ??= new Set(wordList('common-passwords').split(/\s+/)));

const COUNT = 10;
/** 140 bits in 28 letters: a hash without a cost of its own is enough. Codes of 80 and 120 bits, which were made before, stay valid. */
const CODE_BYTES = 18;

/** Codes for people who lose their authenticator app. Each works once. Only their hashes are stored. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => base32(randomBytes(CODE_BYTES)).toLowerCase().match(/.{4}/g)!.join('-'));
}

/** However it is typed: in capitals, without hyphens, with spaces. */
export const hashOfRecoveryCode = (accountId: string, code: string): string =>
  digestOf('recovery code', accountId, code.toLowerCase().replace(/[^a-z0-9]/g, ''));

const SECRET_BYTES = 20;

/** Encrypted secrets are bound to this text, so that one cannot be moved to another account. The first accounts have the ids of users. */
const boundTo = (accountId: string): string => `second factor of user ${accountId}`;

export const totpUriOf = (email: string, secret: string): string => totpUri(API_NAME, email, bytesOfBase32(secret));

const PROOF_MS = 5 * 60_000;
const PROOF_OWNER = 'a sign-in with the right password';
/** How long somebody may take to enter a secret into their app. */
const PROPOSAL_MS = 15 * 60_000;
const PROPOSAL_OWNER = 'a proposed second factor';

interface Proof {
  readonly id: string;
  /** A digest of the stored hash: a changed password ends the sign-in. */
  readonly password: string;
  readonly until: number;
}

/** A secret that was made for somebody who knew the password. `sealed` passes through their browser: nobody can bring another one. */
export type ProposedSecret = Readonly<Record<'secret' | 'sealed', string>>;

/** One-time codes of an authenticator app (TOTP), and the codes that replace it. */
@Implements(EncryptedColumns)
export class SecondFactor implements EncryptedColumns {
  readonly encrypted = [
    { table: 'users', column: 'totp_secret', key: ['id', 'account_id'], owner: (_id: string, accountId: string) => boundTo(accountId) },
  ];

  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Says for some minutes that somebody knew the password, so that a second page can ask for the code. */
  proofOf(user: User): string {
    return this.secrets.seal(proofFor(user, this.clock.now().getTime() + PROOF_MS), PROOF_OWNER);
  }

  /** Whose password was known; undefined if the proof is none, or too old. */
  provenBy(text: string): Proof | undefined {
    return this.secrets.unseal<Proof>(text, PROOF_OWNER, this.clock.now());
  }

  propose(user: User): ProposedSecret {
    const { secret } = this.make(user);
    const proposal = { ...proofFor(user, this.clock.now().getTime() + PROPOSAL_MS), secret };
    return { secret, sealed: this.secrets.seal(proposal, PROPOSAL_OWNER) };
  }

  proposed({ id, passwordHash }: User, sealed: string): ProposedSecret | undefined {
    const found = this.secrets.unseal<Proof & Pick<ProposedSecret, 'secret'>>(sealed, PROPOSAL_OWNER, this.clock.now());
    const isFor = found?.id === id && found.password === digestOf(passwordHash ?? '');
    return found && isFor ? { secret: found.secret, sealed } : undefined;
  }

  /** A secret in the form that is shown once, as the content of a QR code, and in the form that is stored. */
  make(user: Pick<User, 'accountId' | 'email'>, secret: Buffer = randomBytes(SECRET_BYTES)) {
    return {
      secret: base32(secret),
      uri: totpUri(API_NAME, user.email, secret),
      encrypted: this.secrets.encryptBytes(secret, boundTo(user.accountId)),
    };
  }

  /** The second factor of a secret that was shown, once its first code was typed; undefined if the code is wrong. */
  confirm(user: Pick<User, 'accountId' | 'email'>, secret: string, code: string) {
    const bytes = bytesOfBase32(secret);
    const step = bytes.length === SECRET_BYTES ? totpStep(bytes, code, this.clock.now()) : undefined;
    return step === undefined ? undefined : { totpSecret: this.make(user, bytes).encrypted, totpLastStep: step };
  }

  /** The credentials after a code, of the app or one that replaces it: neither works twice. undefined if it is wrong or was used before. */
  use(user: User, code: string): Credentials | undefined {
    const { accountId, totpSecret, totpLastStep, recoveryCodes } = user;
    if (!hasSecondFactor(factsOf(user))) return undefined;
    const known = credentialsOf(user);
    const step = totpSecret && totpStep(this.secrets.decryptBytes(totpSecret, boundTo(accountId)), code, this.clock.now());
    if (typeof step === 'number') return step > (totpLastStep ?? -1) ? { ...known, totpLastStep: step } : undefined;
    const used = hashOfRecoveryCode(accountId, code);
    return recoveryCodes.includes(used) ? { ...known, recoveryCodes: recoveryCodes.filter((hash) => hash !== used) } : undefined;
  }
}

const proofFor = ({ id, passwordHash }: User, until: number): Proof => ({ id, password: digestOf(passwordHash ?? ''), until });
