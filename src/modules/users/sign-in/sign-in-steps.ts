import { Injectable } from '@nestjs/common';
import type { UserFacts } from '../user-rules.js';
import { SignInService, type SignIn, type SignInRequest } from './sign-in.service.js';
import type { SignInState } from './sign-in.page.js';

type Refused = Exclude<SignIn, { user: unknown }>['refused'];

const REASONS: Record<Exclude<Refused, 'code_needed'>, string> = {
  credentials: 'The e-mail address or the password is wrong.',
  code_wrong: 'This code is wrong or has expired. Enter a new one.',
  second_factor_missing: 'Your organization requires a second factor, and you have none yet. Sign in to the console first to set it up.',
  passwords_off: 'Your organization has switched passwords off. Sign in with your company’s account.',
  throttled: 'Too many attempts. Wait a few minutes and try again.',
};
const REASONS_ANYWHERE: typeof REASONS = {
  ...REASONS,
  credentials: `${REASONS.credentials} If you have accounts at several organizations, enter the organization as well.`,
};
const TOO_LATE = 'This took too long. Sign in again.';

type Call = Pick<SignInRequest, 'address' | 'requestId' | 'setsUpSecondFactor'>;
type Taken = { readonly user: UserFacts } | SignInState;

/** Signs a user in by the fields of a form: first e-mail address and password, then the code if the user has a second factor. */
@Injectable()
export class SignInSteps {
  constructor(private readonly signIns: SignInService) {}

  async take(form: URLSearchParams, where: Call & Pick<SignInRequest, 'organizationId'>): Promise<Taken> {
    const fields = fieldsOf(form);
    return stateOf(fields, await this.signIns.signIn({ ...fields, ...where }), REASONS);
  }

  /** A user of any organization: the form has a field for it. */
  async takeAnywhere(form: URLSearchParams, call: Call): Promise<Taken> {
    const fields = fieldsOf(form);
    const organization = form.get('organization') ?? '';
    return stateOf(fields, await this.signIns.signInAnywhere({ ...fields, ...call, organization }), REASONS_ANYWHERE);
  }
}

function fieldsOf(form: URLSearchParams) {
  const [email = '', password = '', code = '', proof = ''] = ['email', 'password', 'code', 'proof'].map((name) => form.get(name) ?? '');
  return { email, password, code: code.replaceAll(' ', ''), ...(proof && { proof }) };
}

function stateOf({ email, proof }: ReturnType<typeof fieldsOf>, result: SignIn, reasons: typeof REASONS): Taken {
  if ('user' in result) return result;
  if (result.refused === 'code_needed') return { email, proof: result.proof };
  if (proof && result.refused === 'credentials') return { email, problem: TOO_LATE };
  return { email, proof, problem: reasons[result.refused] };
}
