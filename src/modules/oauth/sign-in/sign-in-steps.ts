import { Injectable } from '@nestjs/common';
import { SignInService, type SignIn, type SignInRequest, type UserFacts } from '../../users/index.js';
import type { SignInState } from './sign-in.page.js';

type Refused = Exclude<SignIn, { user: unknown }>['refused'];

const REASONS: Record<Exclude<Refused, 'code_needed'>, string> = {
  credentials: 'The e-mail address or the password is wrong.',
  code_wrong: 'This code is wrong or has expired. Enter a new one.',
  throttled: 'Too many attempts. Wait a few minutes and try again.',
};
const TOO_LATE = 'This took too long. Sign in again.';

type Where = Pick<SignInRequest, 'organizationId' | 'address' | 'requestId'>;

/** Signs a user in by the fields of a form: first e-mail address and password, then the code if the user has a second factor. */
@Injectable()
export class SignInSteps {
  constructor(private readonly signIns: SignInService) {}

  async take(form: URLSearchParams, where: Where): Promise<{ readonly user: UserFacts } | SignInState> {
    const [email = '', password = '', code = ''] = ['email', 'password', 'code'].map((name) => form.get(name) ?? '');
    const proof = form.get('proof') ?? undefined;
    const result = await this.signIns.signIn({ ...where, email, password, code: code.replaceAll(' ', ''), ...(proof && { proof }) });
    if ('user' in result) return result;
    if (result.refused === 'code_needed') return { email, proof: result.proof };
    if (proof && result.refused === 'credentials') return { email, problem: TOO_LATE };
    return { email, proof, problem: REASONS[result.refused] };
  }
}
